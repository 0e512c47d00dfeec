import { assets, type Transfer } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { type FiltersOf, useList } from '../api/lists.ts'
import { findExplorerLink } from '../format/chains.ts'
import { ProjectLink } from '../navigation/project-link.tsx'
import { readPageNumber } from '../navigation/search-params.ts'
import { toTokenPath } from '../navigation/token-path.ts'
import { useSearchState } from '../navigation/use-address.ts'
import { contractsTexts } from '../texts/contracts.ts'
import { Identifier } from './copy-button.tsx'
import type { Columns } from './data-table.tsx'
import { ListView } from './list-view.tsx'
import { OrderLink } from './order-link.tsx'
import { EmptyState } from './placeholders.tsx'
import { WalletLink } from './wallet-link.tsx'

const columns: Columns<Transfer> = {
  createTime: 'Time',
  nftAddress: {
    label: 'Token',
    cell: ({ nftAddress, nftId }) => (
      <ProjectLink to={toTokenPath({ nftAddress, nftId })}>{nftId}</ProjectLink>
    ),
  },
  from: { label: 'From', cell: ({ from }) => <WalletLink address={from} /> },
  to: { label: 'To', cell: ({ to }) => <WalletLink address={to} /> },
  quantity: { label: 'Quantity', align: 'end' },
  orderNo: { label: 'Order', isWideOnly: true, cell: ({ orderNo }) => <OrderLink orderNo={orderNo} /> },
  hash: {
    label: 'Transaction',
    isWideOnly: true,
    cell: ({ hash, chainId }) => <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
  },
}

interface TransferListProps {
  readonly filters: FiltersOf<typeof assets.transfers>
}

/** Lists transfers of tokens, newest first. The page is `transfers` in the address. */
export function TransferList({ filters }: TransferListProps): ReactNode {
  const [{ transfers }, setSearch] = useSearchState('transfers', 'page')
  const query = useList(assets.transfers, filters, { pageNumber: readPageNumber(transfers) })
  return (
    <ListView
      label={contractsTexts.transfers}
      query={query}
      columns={columns}
      getKey={({ id }) => id}
      empty={
        <EmptyState
          icon="facilitator"
          title="No transfers yet"
          advice="Sales and transfers on the chain appear here."
        />
      }
      onPage={(pageNumber) => setSearch({ transfers: String(pageNumber), page: undefined })}
    />
  )
}
