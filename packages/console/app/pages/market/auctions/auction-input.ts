import type { auctions } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { readPayToken } from '../../../form/pay-token-fields.ts'
import { readAsset } from '../asset-fields.ts'

/** Makes the input of an auction from the converted fields. */
export function toAuctionInput(input: Readonly<Record<string, unknown>>): InputOf<typeof auctions.create> {
  const { asset, payToken, bidBufferBps, ...terms } = input
  // The fields have the names and the types of the input, which the form checks by the operation.
  return {
    ...terms,
    ...readAsset(input),
    payTokenAddress: readPayToken(input),
    ...(bidBufferBps !== undefined && { bidBufferBps: Number(bidBufferBps) }),
  } as InputOf<typeof auctions.create>
}
