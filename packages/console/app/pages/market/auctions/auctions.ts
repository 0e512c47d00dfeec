import type { Auction } from '@mintmark/market'
import type { Tone } from '../../../components/badge.tsx'
import { t } from '../../../language/translate.ts'
import { readChoice } from '../../../navigation/search-params.ts'

const statuses = {
  OPEN: { label: t('Open'), tone: 'success' },
  WON: { label: t('Won: waits for the payment'), tone: 'info' },
  SOLD: { label: t('Sold'), tone: 'success' },
  UNPAID: { label: t('Not paid'), tone: 'danger' },
  UNSOLD: { label: t('Not sold'), tone: 'neutral' },
  INACTIVE: { label: t('Paused: the seller no longer has enough'), tone: 'warning' },
  CANCELLED: { label: t('Cancelled'), tone: 'neutral' },
} as const

/**
 * Describes the status of an auction. The gateway calls an auction open before bidding starts too.
 *
 * @param now Milliseconds since the epoch.
 */
export function describeStatus(
  { status, startTime }: Pick<Auction, 'status' | 'startTime'>,
  now: number,
): { readonly label: string; readonly tone: Tone } {
  if (status === 'OPEN' && new Date(startTime).getTime() > now) {
    return { label: t('Upcoming'), tone: 'info' }
  }
  const known = readChoice(status, statuses)
  return known === undefined ? { label: status, tone: 'neutral' } : statuses[known]
}

/** Whether bids may still arrive. */
export function isRunning({ status }: Pick<Auction, 'status'>): boolean {
  return status === 'OPEN' || status === 'INACTIVE'
}

/** Sorts auctions: those that run first, by their end; then the others, newest first. */
export function sortAuctions(auctions: readonly Auction[]): readonly Auction[] {
  const running = auctions.filter(isRunning)
  const others = auctions.filter((auction) => !isRunning(auction))
  const endOf = ({ endTime }: Auction) => new Date(endTime).getTime()
  return [
    ...running.sort((one, other) => endOf(one) - endOf(other)),
    ...others.sort((one, other) => endOf(other) - endOf(one)),
  ]
}
