import type { Auction } from '@mintmark/market'
import type { Tone } from '../../../components/badge.tsx'
import { auctionsTexts } from '../../../texts/market.ts'

const { statuses } = auctionsTexts

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  OPEN: 'success',
  WON: 'info',
  SOLD: 'success',
  UNPAID: 'danger',
  UNSOLD: 'neutral',
  INACTIVE: 'warning',
  CANCELLED: 'neutral',
}

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
    return { label: 'Upcoming', tone: 'info' }
  }
  if (!(status in statuses)) return { label: status, tone: 'neutral' }
  const known = status as keyof typeof statuses
  return { label: statuses[known], tone: tones[known] }
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
