import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AuctionState, calculateMinimumBid, getStatus, isOpen, isReserveMet } from './auction-rules.ts'

const auction = (more: Partial<AuctionState> = {}): AuctionState => ({
  status: 'OPEN',
  started: true,
  ended: false,
  bid_buffer_bps: 500,
  top_bid: '0',
  minimum_bid_amount: '1000',
  buyout_bid_amount: '0',
  reserve_price: '0',
  ...more,
})

it.each<[string, Partial<AuctionState>, bigint]>([
  ['the minimum, at first', {}, 1000n],
  ['the top one and its buffer', { top_bid: '2000' }, 2100n],
  ['rounded up', { top_bid: '1001' }, 1052n],
  ['one more, without a buffer', { top_bid: '2000', bid_buffer_bps: 0 }, 2001n],
  ['the buyout amount, where the buffer would pass it', { top_bid: '990', buyout_bid_amount: '1000' }, 1000n],
])('the minimum bid is %s', (_, more, least) => {
  expect(calculateMinimumBid(auction(more))).toBe(least)
})

it('the minimum bid is above the top bid by the buffer and no more', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 250n), fc.nat(10_000), (top, bps) => {
      const least = calculateMinimumBid(auction({ top_bid: top.toString(), bid_buffer_bps: bps }))
      const good = (bid: bigint) => bid > top && bid * 10_000n >= top * BigInt(10_000 + bps)
      expect(good(least)).toBe(true)
      expect(good(least - 1n)).toBe(false)
    }),
    { seed: 20260115 },
  )
})

it.each<[string, Partial<AuctionState>, boolean]>([
  ['accepts bids while it runs', {}, true],
  ['accepts no bid before its start', { started: false }, false],
  ['accepts no bid after its end', { ended: true }, false],
  ['accepts no bid once it is cancelled', { status: 'CANCELLED' }, false],
])('an auction %s', (_, more, expected) => {
  expect(isOpen(auction(more))).toBe(expected)
})

it('a bid of the reserve amount meets the reserve', () => {
  expect(isReserveMet(auction({ top_bid: '1999', reserve_price: '2000' }))).toBe(false)
  expect(isReserveMet(auction({ top_bid: '2000', reserve_price: '2000' }))).toBe(true)
  expect(isReserveMet(auction())).toBe(false)
})

it('shows the outcome of an auction from its end on', () => {
  expect(getStatus(auction({ top_bid: '1000' }))).toBe('OPEN')
  expect(getStatus(auction({ top_bid: '1000', ended: true }))).toBe('WON')
  expect(getStatus(auction({ top_bid: '1000', ended: true, reserve_price: '2000' }))).toBe('UNSOLD')
  expect(getStatus(auction({ ended: true }))).toBe('UNSOLD')
  expect(getStatus(auction({ ended: true, status: 'CANCELLED' }))).toBe('CANCELLED')
})
