import { type Contract, contracts, lazyMinting } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useList } from '../../api/lists.ts'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import type { Column } from '../../components/data-table.tsx'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { TitledPicture } from '../../components/titled-picture.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { mintingTexts } from '../../texts/minting.ts'

const columns: readonly Column<Contract>[] = [
  {
    key: 'name',
    header: 'Collection',
    sort: 'name',
    cell: ({ name, imgUrl, nftAddress }) => (
      <TitledPicture address={imgUrl}>
        <ProjectLink to={`minting/${nftAddress}`} className="row-link">
          {name}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  { key: 'chain', header: 'Chain', cell: ({ chainId }) => formatChain(chainId) },
  { key: 'phase', header: 'Open phase', cell: ({ nftAddress }) => <OpenPhase nftAddress={nftAddress} /> },
  {
    key: 'phases',
    header: 'Phases',
    align: 'end',
    cell: ({ nftAddress }) => <PhaseCount nftAddress={nftAddress} />,
  },
]

/** The collections of a project, with the phase in which each can be minted at present. */
export function MintingPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const [{ q, sort, page }, setSearch] = useSearchState('q', 'sort', 'page')
  const filters = q === undefined ? {} : { keyword: q }
  const query = useList(contracts.list, filters, { pageNumber: readPageNumber(page), orderBy: sort })
  const toContracts = mayChange && (
    <ProjectLink to="contracts" className="button button-primary">
      Go to contracts
    </ProjectLink>
  )
  return (
    <>
      <PageHeader
        title={mintingTexts.title}
        context={projectName}
        description="Collections whose NFTs buyers mint themselves, in phases."
      />
      <Toolbar isFiltered={q !== undefined} onClear={() => setSearch({ q: undefined })}>
        <SearchField
          label="Search by name, symbol or address"
          value={q ?? ''}
          onSearch={(text) => setSearch({ q: text })}
        />
      </Toolbar>
      <ListView
        label={mintingTexts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="minting"
            title="No collections yet"
            advice="Each contract of the project is a collection. Add a contract first."
            adviceToRead="Each contract of the project is a collection and appears here."
            action={toContracts}
          />
        }
        isFiltered={q !== undefined}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
      />
    </>
  )
}

interface CollectionCellProps {
  readonly nftAddress: string
}

function OpenPhase({ nftAddress }: CollectionCellProps): ReactNode {
  const { data } = useOperation(lazyMinting.presale, { nftAddress })
  if (data === undefined) return null
  if (data.active === '') return <span className="faint">None</span>
  return <Badge tone="success">{data.active}</Badge>
}

function PhaseCount({ nftAddress }: CollectionCellProps): ReactNode {
  const { data } = useOperation(lazyMinting.presale, { nftAddress })
  return data === undefined ? null : formatCount(data.phases.length)
}
