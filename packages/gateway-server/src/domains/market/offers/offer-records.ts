// The fields of offers: their limits, their columns and their record.
import type { Offer, offers } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseTime } from '@mintmark/server-kit'
import { type Reader, toReference, toReferenceColumns } from '../../../database/references.ts'
import { FUTURE_TIME, POSITIVE_AMOUNT } from '../../../http/field-limits.ts'
import type { AllFields, ColumnsOf } from '../../../http/record-mapping.ts'
import type { OfferRow } from './offers-store.ts'

export const offerLimits: FieldLimits = { expireTime: FUTURE_TIME, totalPrice: POSITIVE_AMOUNT }

/** Returns the columns that `create` writes, without those of its pay token. */
export function toOfferColumns(input: InputOf<typeof offers.create>, { caller }: Reader) {
  return {
    expire_time: parseTime(input.expireTime),
    nft_address: input.nftAddress,
    nft_id: input.nftId ?? '',
    offerer: input.offerer,
    quantity: input.quantity,
    reference: input.reference,
    ...toReferenceColumns(input.reference, caller.wallet),
    total_price: input.totalPrice,
  } satisfies ColumnsOf<InputOf<typeof offers.create>, { payTokenAddress: never }>
}

export function toOffer(row: OfferRow, reader: Reader): AllFields<Offer> {
  return {
    chainId: row.chain_id,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    expireTime: row.expire_time.toISOString(),
    id: row.id,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftName: row.nft_name,
    offerer: row.offerer,
    offerNo: row.offer_no,
    orderNo: row.order_no,
    payTokenAddress: row.pay_token_address,
    payTokenDecimals: row.pay_token_decimals,
    payTokenType: row.pay_token_type,
    projectId: row.project_id,
    quantity: row.quantity,
    reference: toReference(row, reader),
    // An offer whose time has passed is EXPIRED before the job writes it.
    status: row.status === 'ACTIVE' && row.expired ? 'EXPIRED' : row.status,
    totalPrice: row.total_price,
    updateTime: row.updated_at.toISOString(),
  }
}
