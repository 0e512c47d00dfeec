import type { Auction } from '@mintmark/market'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useFeedRecords } from '../../../api/feed-records.ts'
import { Button } from '../../../components/button.tsx'
import { type Columns, DataTable } from '../../../components/data-table.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { TitledPicture } from '../../../components/titled-picture.tsx'
import { showToast } from '../../../components/toast.tsx'
import { SaleAmount } from '../../../components/token-amount.tsx'
import { usePageOf } from '../../../components/use-page-of.tsx'
import { WalletLink } from '../../../components/wallet-link.tsx'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import { auctionsTexts } from '../../../texts/market.ts'
import { MarketTabs } from '../market-tabs.tsx'
import { AuctionDialog } from './auction-form.tsx'
import { AuctionStatus } from './auction-parts.tsx'
import { sortAuctions } from './auctions.ts'

const { columns: headers } = auctionsTexts

const columns: Columns<Auction> = {
  id: {
    label: headers.token,
    cell: ({ id, nftName, nftImg }) => (
      <TitledPicture address={nftImg}>
        <ProjectLink to={`market/auctions/${id}`} className="row-link">
          {nftName}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  status: { label: 'Status', cell: (auction) => <AuctionStatus auction={auction} /> },
  topBid: {
    label: 'Highest bid',
    align: 'end',
    cell: (auction) =>
      auction.topBid === '0' ? (
        <span className="faint">{auctionsTexts.noBid}</span>
      ) : (
        <SaleAmount sale={auction} baseUnits={auction.topBid} />
      ),
  },
  bidCount: 'Bids',
  endTime: 'Ends',
  seller: { label: 'Seller', cell: ({ seller }) => <WalletLink address={seller} /> },
}

/** The auctions of a project. */
export function AuctionsPage(): ReactNode {
  const { projectId, projectName } = useProject()
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const [isCreating, setIsCreating] = useState(false)
  const create = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {auctionsTexts.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={auctionsTexts.title}
        context={projectName}
        description="The highest bid at the end wins. Here are the auctions that changed within the time for which the gateway keeps events."
        actions={create}
      />
      <MarketTabs current="auctions" />
      <AuctionList />
      {isCreating && (
        <AuctionDialog
          onClose={() => setIsCreating(false)}
          onCreated={({ id, nftName }) => {
            showToast(`The auction of ${nftName} is created`)
            void navigate({ to: `/p/${projectId}/market/auctions/${id}` })
          }}
        />
      )}
    </>
  )
}

function AuctionList(): ReactNode {
  const query = useFeedRecords({ group: 'auctions', types: 'auction.*' })
  // The types are those of events whose data is an auction.
  const list = sortAuctions((query.data?.list ?? []).map(({ data }) => data as Auction))
  const { items, pagination } = usePageOf(list)
  return (
    <QueryView query={query}>
      {({ hasMore }) => (
        <>
          {list.length === 0 ? (
            <EmptyState
              icon="market"
              title="No auctions"
              advice="Create an auction for a token that has no fixed price."
              adviceToRead="Auctions and their bids appear here."
            />
          ) : (
            <DataTable label={auctionsTexts.title} columns={columns} rows={items} getKey={({ id }) => id} />
          )}
          {pagination}
          {hasMore && (
            <p className="muted">
              The gateway has more events about auctions than were read. Older auctions may be missing.
            </p>
          )}
        </>
      )}
    </QueryView>
  )
}
