import { type commonSales, type Listing, NOT_ENOUGH_OWNED } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseOptionalTime, type Refuse, refusal } from '@mintmark/server-kit'
import { toReferenceColumns } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { GatewayContext } from '../../../http/context.ts'
import { getDefaultEnd } from '../../../http/default-end.ts'
import { FUTURE_TIME, POSITIVE_AMOUNT } from '../../../http/field-limits.ts'
import { findAsset } from '../../inventory/assets-store.ts'
import { MAX_TRANSFER } from '../listing-rules.ts'
import type { MarketPorts } from '../market-ports.ts'
import { reserveAsset } from '../reserve-asset.ts'
import { findSaleTarget, toDisplayColumns } from './listing-input.ts'
import { toListingWithCoupon } from './listing-records.ts'
import * as listings from './listings-store.ts'

/** The fields of listings. */
export const listingLimits: FieldLimits = {
  endTime: FUTURE_TIME,
  payPrice: POSITIVE_AMOUNT,
}

/** The context of creating a listing. */
export type CreateListingContext = GatewayContext & MarketPorts & Refuse

type ListingInput = InputOf<typeof commonSales.putOnShelf>

/** The differences between the kinds of listings. */
export interface SaleKind {
  readonly marketType: number
  /** The only wallets that may buy. */
  readonly reservedFor?: readonly string[]
  /** Finds or creates the coupon, in the transaction that creates the listing. Returns its id. */
  readonly coupon?: (trx: Tenant) => Promise<number>
}

/** Returns the columns that an input writes, without those of its pay token. */
function toListingColumns(input: ListingInput, start: Date) {
  return {
    // Without a start time, the database's clock decides: this process's clock may be ahead of it.
    start_time: input.startTime === undefined ? undefined : start,
    end_time: parseOptionalTime(input.endTime) ?? getDefaultEnd(start),
    nft_address: input.nftAddress,
    nft_id: input.nftId,
    pay_price: input.payPrice,
    quantity: input.quantity,
    reference: input.reference,
    seller: input.seller,
  }
}

/** Checks the terms of a listing, and reads its contract and its pay token. */
export async function prepareListing(input: ListingInput, context: CreateListingContext) {
  const { invalid } = context
  const now = new Date(context.now())
  const start = parseOptionalTime(input.startTime) ?? now
  const columns = toListingColumns(input, start)
  if (columns.end_time <= start) invalid('endTime', 'Expected a time after startTime')
  // The default end of a listing that started long ago.
  if (columns.end_time <= now) invalid('endTime', 'Expected a time in the future')
  if (BigInt(input.payPrice) * BigInt(input.quantity) > MAX_TRANSFER)
    invalid('payPrice', 'Expected a price at which a transfer can pay for the whole quantity')
  return { columns, ...(await findSaleTarget(input, context)) }
}

/** Creates a prepared listing, and reserves its quantity of the owner's token. */
export async function createListing(
  input: ListingInput,
  { marketType, reservedFor = [], coupon }: SaleKind,
  context: CreateListingContext,
  { columns, contract, payToken }: Awaited<ReturnType<typeof prepareListing>>,
): Promise<Listing> {
  const { tenant } = context
  const { chainId, nftAddress } = contract
  const { nftId, seller, quantity } = input
  return await tenant.transaction(async (trx) => {
    const asset = await findAsset(trx, { chainId, nftAddress, nftId, owner: seller })
    if (asset === undefined) throw refusal(NOT_ENOUGH_OWNED)
    const row = await listings.add(trx, {
      ...columns,
      ...toReferenceColumns(input.reference, context.caller.wallet),
      ...payToken,
      ...toDisplayColumns(contract, nftId),
      market_type: marketType,
      asset_id: asset.id,
      chain_id: chainId,
      nft_type: asset.nft_type,
      remaining: quantity,
      reserved_for: [...reservedFor],
      coupon_id: (await coupon?.(trx)) ?? null,
    })
    const isReserved = await reserveAsset(trx, asset.id, { kind: 'listing', id: row.id }, quantity)
    if (!isReserved) throw refusal(NOT_ENOUGH_OWNED)
    return await toListingWithCoupon(trx, row, context)
  })
}
