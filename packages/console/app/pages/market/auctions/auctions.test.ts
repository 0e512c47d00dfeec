import type { Auction } from '@mintmark/market'
import { expect, it } from 'vitest'
import { describeStatus, sortAuctions } from './auctions.ts'

const auction = (id: number, status: string, endTime: string) => ({ id, status, endTime }) as Auction

it('lists running auctions first by their end, then the others from the newest', () => {
  const sorted = sortAuctions([
    auction(1, 'SOLD', '2026-01-01T00:00:00Z'),
    auction(2, 'OPEN', '2026-03-02T00:00:00Z'),
    auction(3, 'UNSOLD', '2026-01-05T00:00:00Z'),
    auction(4, 'INACTIVE', '2026-03-01T00:00:00Z'),
  ])
  expect(sorted.map(({ id }) => id)).toEqual([4, 2, 3, 1])
})

it('calls an auction upcoming before bidding starts, and shows an unknown status as it is', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const startTime = '2026-01-02T00:00:00Z'
  expect(describeStatus({ status: 'OPEN', startTime }, now).label).toBe('Upcoming')
  expect(describeStatus({ status: 'OPEN', startTime }, now + 2 * 86_400_000).label).toBe('Open')
  expect(describeStatus({ status: 'CANCELLED', startTime }, now).label).toBe('Cancelled')
  expect(describeStatus({ status: 'PAUSED_BY_MOON', startTime }, now).label).toBe('PAUSED_BY_MOON')
})
