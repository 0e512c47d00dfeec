import { type Nft, nfts } from '@mintmark/contracts'
import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useContractOptions } from '../../api/contract-options.ts'
import { type FiltersOf, useList } from '../../api/lists.ts'
import { Button } from '../../components/button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { NftGrid } from '../../components/nft-grid.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Segments } from '../../components/segments.tsx'
import { Time } from '../../components/time.tsx'
import { TitledPicture } from '../../components/titled-picture.tsx'
import { showToast } from '../../components/toast.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatCount } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { toTokenPath } from '../../navigation/token-path.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { nftsTexts } from '../../texts/contracts.ts'
import { componentTexts } from '../../texts/shell.ts'
import { AddNftDialog } from './add-nft-dialog.tsx'

const columns: readonly Column<Nft>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ name, imgUrl, nftAddress, nftId }) => (
      <TitledPicture address={imgUrl}>
        <ProjectLink to={toTokenPath({ nftAddress, nftId })} className="row-link">
          {name}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  { key: 'token', header: 'Token id', cell: ({ nftId }) => <code>{nftId}</code> },
  { key: 'owner', header: 'Owner', cell: ({ owner }) => <WalletLink address={owner} /> },
  { key: 'quantity', header: 'Units', align: 'end', cell: ({ quantity }) => formatCount(quantity) },
  {
    key: 'created',
    header: 'Added',
    sort: 'createTime',
    cell: ({ createTime }) => <Time value={createTime} />,
  },
]

/** The NFTs of a project, as a grid of images or as a list. */
export function NftsPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const add = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {nftsTexts.add}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={nftsTexts.title}
        context={projectName}
        description="The tokens of your contracts, with their owners."
        actions={add}
      />
      <NftList />
      {isAdding && <AddNft onClose={() => setIsAdding(false)} />}
    </>
  )
}

const filterNames = ['q', 'contract', 'owner', 'trait', 'value'] as const

function useNftFilters() {
  const [search, setSearch] = useSearchState(...filterNames, 'view', 'sort', 'page')
  const { q, contract, owner, trait, value } = search
  const filters: FiltersOf<typeof nfts.list> = {
    ...(q !== undefined && { keyword: q }),
    ...(contract !== undefined && { nftAddress: contract }),
    ...(owner !== undefined && { owner }),
    ...(trait !== undefined && { trait_type: trait }),
    ...(value !== undefined && { value }),
  }
  const isFiltered = Object.keys(filters).length > 0
  return { search, setSearch, filters, isFiltered }
}

function NftList(): ReactNode {
  const { search, setSearch, filters, isFiltered } = useNftFilters()
  const { sort, page, view = 'grid' } = search
  const query = useList(nfts.list, filters, { pageNumber: readPageNumber(page), orderBy: sort })
  const onPage = (pageNumber: number) => setSearch({ page: String(pageNumber) })
  const empty = (
    <EmptyState
      icon="nft"
      title="No NFTs yet"
      advice="Add an NFT of one of your contracts. If you have no contract, add one first."
      adviceToRead="The NFTs of the project’s contracts appear here."
    />
  )
  return (
    <>
      <NftToolbar />
      {view === 'list' ? (
        <ListView
          label={nftsTexts.title}
          query={query}
          columns={columns}
          getKey={({ id }) => id}
          empty={empty}
          isFiltered={isFiltered}
          onPage={onPage}
          sort={sort}
          onSort={(next) => setSearch({ sort: next })}
        />
      ) : (
        <GridView query={query} empty={empty} isFiltered={isFiltered} onPage={onPage} />
      )}
    </>
  )
}

function NftToolbar(): ReactNode {
  const { search, setSearch, isFiltered } = useNftFilters()
  const { q, contract, owner, trait, value, view = 'grid' } = search
  const options = useContractOptions()
  const clear = () => setSearch(Object.fromEntries(filterNames.map((name) => [name, undefined])))
  return (
    <>
      <Toolbar isFiltered={isFiltered} onClear={clear}>
        <SearchField
          label="Search by name, description or token id"
          value={q ?? ''}
          onSearch={(text) => setSearch({ q: text })}
        />
        <FilterSelect
          label="Contract"
          value={contract ?? ''}
          options={options}
          onChange={(next) => setSearch({ contract: next })}
        />
        <Segments
          label="View"
          value={view}
          options={[
            { value: 'grid', label: 'Grid' },
            { value: 'list', label: 'List' },
          ]}
          onChange={(next) => setSearch({ view: next })}
        />
      </Toolbar>
      {trait !== undefined && value !== undefined && (
        <p className="muted filter-note">{`Only tokens with ${trait}: ${value}`}</p>
      )}
      {owner !== undefined && (
        <p className="muted filter-note">{`Only tokens of ${shortenIdentifier(owner)}`}</p>
      )}
    </>
  )
}

interface GridViewProps {
  readonly query: UseQueryResult<Page<Nft>>
  readonly empty: ReactNode
  readonly isFiltered: boolean
  readonly onPage: (pageNumber: number) => void
}

function GridView({ query, empty, isFiltered, onPage }: GridViewProps): ReactNode {
  return (
    <QueryView query={query} lines={8}>
      {({ list, pageNumber, totalRow, lastPage }) => {
        if (list.length === 0 && pageNumber <= 1) {
          const { notFoundTitle: title, notFoundAdvice: advice } = componentTexts
          return isFiltered ? <EmptyState icon="search" title={title} advice={advice} /> : empty
        }
        return (
          <>
            <NftGrid label={nftsTexts.title} nfts={list} isStale={query.isPlaceholderData} />
            <Pagination
              pageNumber={pageNumber}
              pageSize={DEFAULT_PAGE_SIZE}
              count={list.length}
              total={totalRow}
              isLast={lastPage}
              onPage={onPage}
            />
          </>
        )
      }}
    </QueryView>
  )
}

function AddNft({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { projectId } = useProject()
  const [{ contract }] = useSearchState('contract')
  const navigate = useNavigate()
  return (
    <AddNftDialog
      nftAddress={contract}
      onClose={onClose}
      onAdded={({ name, nftAddress, nftId }) => {
        showToast(`${name} is added`)
        onClose()
        void navigate({ to: `/p/${projectId}/${toTokenPath({ nftAddress, nftId })}` })
      }}
    />
  )
}
