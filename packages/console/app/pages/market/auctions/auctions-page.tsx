import type { Auction } from '@mintmark/market'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ActionButtons } from '../../../components/actions.tsx'
import { alignEnd } from '../../../components/data-table.tsx'
import { FeedTable } from '../../../components/feed-table.tsx'
import { WalletLink } from '../../../components/links.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { SaleAmount } from '../../../components/token-amount.tsx'
import { t } from '../../../language/translate.ts'
import { useProject } from '../../../session/project-context.tsx'
import { MarketTabs } from '../market-tabs.tsx'
import { createAuction } from './auction-form.tsx'
import { AuctionStatus } from './auction-parts.tsx'
import { sortAuctions } from './auctions.ts'

/** The auctions of a project. */
export function AuctionsPage(): ReactNode {
  const { projectId } = useProject()
  const navigate = useNavigate()
  const create = async () => {
    const auction = await createAuction()
    if (auction !== undefined) await navigate({ to: `/p/${projectId}/market/auctions/${auction.id}` })
  }
  return (
    <>
      <PageHeader
        title={t('Auctions')}
        description={t(
          'The highest bid at the end wins. Here are the auctions that changed within the time for which the gateway keeps events.',
        )}
        actions={
          <ActionButtons
            actions={[{ label: t('Create auction'), kind: 'primary', icon: 'plus', onSelect: create }]}
          />
        }
      />
      <MarketTabs current="auctions" />
      <FeedTable<Auction>
        feed={{ group: 'auctions', types: 'auction.*' }}
        select={sortAuctions}
        label={t('Auctions')}
        columns={{
          nftName: t('Token'),
          status: { label: t('Status'), cell: (auction) => <AuctionStatus auction={auction} /> },
          topBid: alignEnd(t('Highest bid'), (auction) =>
            auction.topBid === '0' ? (
              <span className="faint">{t('No bid yet')}</span>
            ) : (
              <SaleAmount sale={auction} baseUnits={auction.topBid} />
            ),
          ),
          bidCount: t('Bids'),
          endTime: t('Ends'),
          seller: { label: t('Seller'), cell: ({ seller }) => <WalletLink address={seller} /> },
        }}
        link={({ id }) => `market/auctions/${id}`}
        picture={({ nftImg }) => nftImg}
        empty={{
          icon: 'market',
          title: t('No auctions'),
          advice: t('Create an auction for a token that has no fixed price.'),
          adviceToRead: t('Auctions and their bids appear here.'),
        }}
        truncated={t(
          'The gateway has more events about auctions than were read. Older auctions may be missing.',
        )}
      />
    </>
  )
}
