import { auctions } from '@mintmark/market'
import { inputIssues } from '@mintmark/operation'
import { expect, it } from 'vitest'
import { formatAssetValue } from '../../../format/sold-token.ts'
import { toAuctionInput } from './auction-form.tsx'

const token = { nftAddress: `0x${'a'.repeat(40)}`, seller: `0x${'b'.repeat(40)}`, nftId: '7' }
const times = { startTime: '2026-01-15T10:00:00.000Z', endTime: '2026-01-16T10:00:00.000Z' }
const entered = { asset: formatAssetValue(token), quantity: 1, payToken: 'native', minimumBidAmount: '10' }

it('makes the input of an auction, with the raise in basis points', () => {
  const input = toAuctionInput({ ...entered, ...times, bidBufferBps: '550', timeBufferInSeconds: 60 })
  expect(input).toEqual({
    ...token,
    ...times,
    quantity: 1,
    minimumBidAmount: '10',
    payTokenAddress: '',
    bidBufferBps: 550,
    timeBufferInSeconds: 60,
  })
  expect(inputIssues(auctions.create, input)).toEqual([])
})

it('leaves out what was not entered, so that the defaults of the gateway apply', () => {
  const input = toAuctionInput({ ...entered, ...times })
  expect(Object.keys(input)).not.toContain('reservePrice')
  expect(Object.keys(input)).not.toContain('bidBufferBps')
})
