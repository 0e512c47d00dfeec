import { type Contract, contracts } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useList } from '../../../api/lists.ts'
import { Badge } from '../../../components/badge.tsx'
import type { Column } from '../../../components/data-table.tsx'
import { ListView } from '../../../components/list-view.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { TitledPicture } from '../../../components/titled-picture.tsx'
import { formatChain } from '../../../format/chains.ts'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { readPageNumber } from '../../../navigation/search-params.ts'
import { useSearchState } from '../../../navigation/use-address.ts'
import { useProject } from '../../../session/project-context.tsx'
import { productsTexts } from '../../../texts/market.ts'
import { MarketTabs } from '../market-tabs.tsx'

const columns: readonly Column<Contract>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ name, imgUrl, nftAddress }) => (
      <TitledPicture address={imgUrl}>
        <ProjectLink to={`market/products/${nftAddress}`} className="row-link">
          {name}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  { key: 'type', header: 'Type', cell: ({ nftType }) => <Badge tone="neutral">{nftType}</Badge> },
  { key: 'chain', header: 'Chain', cell: ({ chainId }) => formatChain(chainId) },
]

/** The contracts of a project, each with its product card. */
export function ProductsPage(): ReactNode {
  const { projectName } = useProject()
  const [{ sort, page }, setSearch] = useSearchState('sort', 'page')
  const query = useList(contracts.list, {}, { pageNumber: readPageNumber(page), orderBy: sort })
  return (
    <>
      <PageHeader
        title={productsTexts.title}
        context={projectName}
        description="Products whose NFTs buyers mint. Each contract has its own product card."
      />
      <MarketTabs current="products" />
      <ListView
        label={productsTexts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="contract"
            title="No contracts yet"
            advice="Add a contract first. Its product card is here then."
            adviceToRead="Each contract of the project has its product card here."
          />
        }
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
      />
    </>
  )
}
