import { type Auction, auctions, type Bid } from '@mintmark/market'
import { type ReactNode, useEffect, useState } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { alignEnd, type Columns, DataTable } from '../../../components/data-table.tsx'
import { DetailList, type Details, Section } from '../../../components/detail-list.tsx'
import { confirm } from '../../../components/dialogs.tsx'
import { OrderLink, WalletLink } from '../../../components/links.tsx'
import { Picture } from '../../../components/picture.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { RecordPage } from '../../../components/record-page.tsx'
import { Time, useNow } from '../../../components/time.tsx'
import { SaleAmount } from '../../../components/token-amount.tsx'
import { formatCount, formatRatio } from '../../../format/number.ts'
import { formatDuration, formatExactTime } from '../../../format/time.ts'
import { t } from '../../../language/translate.ts'
import { ProjectLink, toTokenPath } from '../../../navigation/project-link.tsx'
import { usePathParam } from '../../../navigation/use-address.ts'
import { nftsTexts } from '../../../texts/contracts.ts'
import { auctionsTexts } from '../../../texts/market.ts'
import { AuctionStatus } from './auction-parts.tsx'
import { isRunning } from './auctions.ts'
import { BidChart } from './bid-chart.tsx'

const WHOLE_BPS = 10_000

interface AuctionProps {
  readonly auction: Auction
}

/** An auction with its bids, which appear as they are placed. */
export function AuctionPage(): ReactNode {
  const id = Number(usePathParam('id'))
  return (
    <RecordPage
      query={useOperation(auctions.get, { id })}
      list={{ to: 'market/auctions', title: t('Auctions') }}
      title={({ nftName }) => t('{nftName}, auction {id}', { nftName, id })}
      status={(auction) => <AuctionStatus auction={auction} />}
      actions={(auction) => [
        isRunning(auction) &&
          auction.bidCount === 0 && {
            label: t('Cancel the auction'),
            onSelect: () => cancelAuction(auction),
          },
      ]}
    >
      {(auction) => <AuctionDetails auction={auction} />}
    </RecordPage>
  )
}

function AuctionDetails({ auction }: AuctionProps): ReactNode {
  const { nftImg, nftName, bids, bidCount } = auction
  const bidColumns: Columns<Bid> = {
    bidder: { label: t('Bidder'), cell: ({ bidder }) => <WalletLink address={bidder} /> },
    amount: alignEnd(t('Bid'), ({ amount }) => <SaleAmount sale={auction} baseUnits={amount} />),
    createTime: t('Time'),
  }
  return (
    <>
      <div className="record-head">
        <Picture address={nftImg} label={nftsTexts.alt(nftName)} size="large" />
        <DetailList
          details={{
            ...listState(auction),
            ...listTerms(auction),
          }}
        />
      </div>
      <Section title={auctionsTexts.bids}>
        {bids.length === 0 ? (
          <EmptyState
            icon="market"
            title={t('No bids yet')}
            advice={t('A bid appears here as soon as it is placed.')}
          />
        ) : (
          <>
            <BidChart auction={auction} />
            <DataTable label={auctionsTexts.bids} columns={bidColumns} rows={bids} />
            {bidCount > bids.length && (
              <p className="muted">
                {t('The newest {shown} of {count} bids are shown.', {
                  shown: formatCount(bids.length),
                  count: formatCount(bidCount),
                })}
              </p>
            )}
          </>
        )}
      </Section>
    </>
  )
}

function listState(auction: Auction): Details {
  const { topBid, topBidder, reserveMet, orderNo } = auction
  return {
    [t('State')]: <Remaining auction={auction} />,
    [t('Highest bid')]: topBid === '0' ? t('No bid yet') : <SaleAmount sale={auction} baseUnits={topBid} />,
    [t('Highest bidder')]: <WalletLink address={topBidder} />,
    [t('Reserve price')]: reserveMet ? t('Reached') : t('Not reached'),
    [t('Order of the winner')]: <OrderLink orderNo={orderNo} />,
  }
}

function listTerms(auction: Auction): Details {
  const { nftAddress, nftId, nftName, quantity, buyoutBidAmount, bidBufferBps, timeBufferInSeconds } = auction
  return {
    [t('Token')]: <ProjectLink to={toTokenPath({ nftAddress, nftId })}>{nftName}</ProjectLink>,
    [t('Units')]: formatCount(quantity),
    [t('Seller')]: <WalletLink address={auction.seller} />,
    [t('Lowest first bid')]: <SaleAmount sale={auction} baseUnits={auction.minimumBidAmount} />,
    [t('Buyout price')]:
      buyoutBidAmount === '0' ? t('None||price') : <SaleAmount sale={auction} baseUnits={buyoutBidAmount} />,
    [t('Minimum raise')]: formatRatio(bidBufferBps / WHOLE_BPS),
    [t('Extension by late bids')]: formatDuration(timeBufferInSeconds * 1000),
    [t('Starts')]: <Time value={auction.startTime} />,
    [t('Ends')]: <Time value={auction.endTime} />,
  }
}

/** Shows how long it is until an auction starts or ends. */
function Remaining({ auction }: AuctionProps): ReactNode {
  const now = useNow()
  const { startTime, endTime } = auction
  if (!isRunning(auction) || new Date(endTime).getTime() <= now) return t('Ended')
  const isUpcoming = new Date(startTime).getTime() > now
  return (
    <>
      {isUpcoming ? t('Starts in') : t('Ends in')} <Countdown until={isUpcoming ? startTime : endTime} />
    </>
  )
}

const cancelAuction = ({ id, nftName }: Auction) =>
  confirm({
    operation: auctions.cancel,
    input: { id },
    title: t('Cancel the auction of {nftName}?', { nftName }),
    text: t('This cannot be undone. Only an auction without bids can be cancelled.'),
    action: t('Cancel the auction'),
    keep: t('Keep the auction'),
    done: t('The auction of {nftName} is cancelled', { nftName }),
  })

const TICK_MS = 1000

interface CountdownProps {
  /** ISO 8601. */
  readonly until: string
}

/** Shows how long it is until a time, by the second. */
function Countdown({ until }: CountdownProps): ReactNode {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className="numeric" dateTime={until} title={formatExactTime(until)}>
      {formatDuration(new Date(until).getTime() - now)}
    </time>
  )
}
