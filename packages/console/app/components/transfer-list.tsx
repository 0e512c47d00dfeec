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
import type { Column } from './data-table.tsx'
import { ListView } from './list-view.tsx'
import { OrderLink } from './order-link.tsx'
import { EmptyState } from './placeholders.tsx'
import { Time } from './time.tsx'
import { WalletLink } from './wallet-link.tsx'

const columns: readonly Column<Transfer>[] = [
  { key: 'time', header: 'Time', cell: ({ createTime }) => <Time value={createTime} /> },
  {
    key: 'token',
    header: 'Token',
    cell: ({ nftAddress, nftId }) => (
      <ProjectLink to={toTokenPath({ nftAddress, nftId })}>{nftId}</ProjectLink>
    ),
  },
  { key: 'from', header: 'From', cell: ({ from }) => <WalletLink address={from} /> },
  { key: 'to', header: 'To', cell: ({ to }) => <WalletLink address={to} /> },
  { key: 'quantity', header: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
  {
    key: 'order',
    header: 'Order',
    isWideOnly: true,
    cell: ({ orderNo }) => <OrderLink orderNo={orderNo} />,
  },
  {
    key: 'transaction',
    header: 'Transaction',
    isWideOnly: true,
    cell: ({ hash, chainId }) => <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
  },
]

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
