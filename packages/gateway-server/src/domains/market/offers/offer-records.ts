// The fields of offers: their limits, their columns and their record.
import { type Offer, offers } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseTime } from '@mintmark/server-kit'
import { type Reader, toReference, toReferenceColumns } from '../../../database/references.ts'
import { FUTURE_TIME, POSITIVE_AMOUNT } from '../../../http/field-limits.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import type { OfferRow } from './offers-store.ts'

export const offerLimits: FieldLimits = { expireTime: FUTURE_TIME, totalPrice: POSITIVE_AMOUNT }

/** Returns the columns that `create` writes, without those of its pay token. */
export function toOfferColumns(
  { payTokenAddress, ...input }: InputOf<typeof offers.create>,
  { caller }: Reader,
) {
  return {
    ...toColumns(input),
    ...toReferenceColumns(input.reference, caller.wallet),
    expire_time: parseTime(input.expireTime),
    nft_id: input.nftId ?? '',
  }
}

export function toOffer(row: OfferRow, reader: Reader): Offer {
  return toRecord(offers.Offer, row, {
    reference: toReference(row, reader),
    // An offer whose time has passed is EXPIRED before the job writes it.
    status: row.status === 'ACTIVE' && row.expired ? 'EXPIRED' : row.status,
  })
}
