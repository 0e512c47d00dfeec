import { COUPON_INVALID, COUPON_WALLET_LIMIT } from '@mintmark/orders'
import { refusal } from '@mintmark/server-kit'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { appliesWithoutCode, calculatePrice, findCouponRule } from '../../market/coupons/coupon-rules.ts'
import * as uses from '../../market/coupons/coupon-uses-store.ts'

/** A coupon whose use an order has reserved, and the price with it. */
export interface ReservedCoupon {
  readonly coupon: Selectable<Tables['gateway.coupons']>
  /** In upper case; empty if the coupon applied without a code. */
  readonly code: string
  readonly payAmount: bigint
}

/**
 * Reserves a use of a listing's coupon. Returns undefined if the listing has no coupon that applies. Refuses
 * the order if the coupon does not apply to it.
 *
 * @param code The upper-case code that the buyer entered; '' for none.
 */
export async function reserveCoupon(
  trx: Tenant,
  listing: Selectable<Tables['gateway.listings']>,
  order: { readonly quantity: number; readonly total: bigint; readonly recipient: string },
  code: string,
): Promise<ReservedCoupon | undefined> {
  const { coupon_id: id } = listing
  if (id === null) {
    if (code !== '') throw refusal(COUPON_INVALID)
    return undefined
  }
  if (code === '' && !appliesWithoutCode(listing.market_type)) return undefined
  if (code !== '' && !(await uses.hasCode(trx, id, code))) throw refusal(COUPON_INVALID)
  const coupon = await uses.reserve(trx, id, order.total)
  if (coupon === undefined) {
    const row = await uses.find(trx, id)
    throw refusal(row === undefined ? COUPON_INVALID : findCouponRule(row, order.total))
  }
  if (!(await uses.countWallet(trx, coupon, order.recipient))) throw refusal(COUPON_WALLET_LIMIT)
  return { coupon, code, payAmount: calculatePrice(coupon, order) }
}
