import type { auctions } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { readPayToken } from '../../../form/pay-token-fields.ts'
import { readAsset } from '../asset-fields.ts'

/** Makes the input of an auction from the converted fields. */
export function toAuctionInput(input: Readonly<Record<string, unknown>>): InputOf<typeof auctions.create> {
  const { quantity, minimumBidAmount, reservePrice, buyoutBidAmount, startTime, endTime } = input
  const { bidBufferBps, timeBufferInSeconds } = input
  // The fields have the names and the types of the input, which the form checks by the operation.
  return {
    ...readAsset(input),
    quantity,
    payTokenAddress: readPayToken(input),
    minimumBidAmount,
    startTime,
    endTime,
    ...(reservePrice !== undefined && { reservePrice }),
    ...(buyoutBidAmount !== undefined && { buyoutBidAmount }),
    ...(bidBufferBps !== undefined && { bidBufferBps: Number(bidBufferBps) }),
    ...(timeBufferInSeconds !== undefined && { timeBufferInSeconds }),
  } as InputOf<typeof auctions.create>
}
