import { type Contract, contracts, NftType } from '@mintmark/contracts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { TitledPicture } from '../../components/titled-picture.tsx'
import { showToast } from '../../components/toast.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { contractsTexts } from '../../texts/contracts.ts'
import { AddContractDialog } from './contract-forms.tsx'

const { columns: headers } = contractsTexts
const typeOptions = Object.values(NftType).map((value) => ({ value, label: value }))

const columns: readonly Column<Contract>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ name, imgUrl, nftAddress }) => (
      <TitledPicture address={imgUrl}>
        <ProjectLink to={`contracts/${nftAddress}`} className="row-link">
          {name}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  { key: 'type', header: 'Type', cell: ({ nftType }) => <Badge tone="neutral">{nftType}</Badge> },
  { key: 'chain', header: headers.chain, cell: ({ chainId }) => formatChain(chainId) },
  {
    key: 'address',
    header: headers.address,
    cell: ({ chainId, nftAddress }) => (
      <Identifier value={nftAddress} link={findExplorerLink(chainId, 'address', nftAddress)} />
    ),
  },
  {
    key: 'created',
    header: headers.created,
    sort: 'createTime',
    cell: ({ createTime }) => <Time value={createTime} />,
  },
]

/** The contracts of a project. */
export function ContractsPage(): ReactNode {
  const { projectName } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const mayChange = useMayChange()
  const add = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {contractsTexts.add}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={contractsTexts.title}
        context={projectName}
        description="The contracts whose tokens the project sells and mints."
        actions={add}
      />
      <ContractList />
      {isAdding && <AddContract onClose={() => setIsAdding(false)} />}
    </>
  )
}

function ContractList(): ReactNode {
  const [{ q, type, sort, page }, setSearch] = useSearchState('q', 'type', 'sort', 'page')
  const request = { pageNumber: readPageNumber(page), orderBy: sort }
  const filters = { ...(q !== undefined && { keyword: q }), ...(type !== undefined && { nftType: type }) }
  const query = useList(contracts.list, filters, request)
  const isFiltered = q !== undefined || type !== undefined
  return (
    <>
      <Toolbar isFiltered={isFiltered} onClear={() => setSearch({ q: undefined, type: undefined })}>
        <SearchField
          label="Search by name, symbol or address"
          value={q ?? ''}
          onSearch={(text) => setSearch({ q: text })}
        />
        <FilterSelect
          label="Type"
          value={type ?? ''}
          options={typeOptions}
          onChange={(value) => setSearch({ type: value })}
        />
      </Toolbar>
      <ListView
        label={contractsTexts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="contract"
            title="No contracts yet"
            advice="Add the contract of your collection. Then its NFTs can be added, sold and minted."
            adviceToRead="The contracts of the project’s collections appear here."
          />
        }
        isFiltered={isFiltered}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
      />
    </>
  )
}

function AddContract({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { projectId } = useProject()
  const navigate = useNavigate()
  return (
    <AddContractDialog
      onClose={onClose}
      onAdded={({ name, nftAddress }) => {
        showToast(`${name} is added`)
        onClose()
        void navigate({ to: `/p/${projectId}/contracts/${nftAddress}` })
      }}
    />
  )
}
