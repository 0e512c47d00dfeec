import type { Selectable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { RuleViolation } from '../../../rule-violation.ts'
import {
  appliesWithoutCode,
  calculatePrice,
  findUnusableReason,
  type UnusableReason,
} from '../../market/coupons/coupon-rules.ts'
import * as uses from '../../market/coupons/coupon-uses-store.ts'

/** A coupon whose use an order has reserved, and the price with it. */
export interface ReservedCoupon {
  readonly coupon: Selectable<Tables['gateway.coupons']>
  /** In upper case; empty if the coupon applied without a code. */
  readonly code: string
  readonly payAmount: bigint
}

/** Why a coupon does not apply. */
export type CouponReason = UnusableReason | 'coupon_wallet_limit'

/**
 * Reserves a use of a listing's coupon. Returns undefined if the listing has no coupon that applies. Throws a
 * `RuleViolation` with a `CouponReason` if the coupon does not apply.
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
    if (code !== '') throw violation('coupon_invalid')
    return undefined
  }
  if (code === '' && !appliesWithoutCode(listing.market_type)) return undefined
  if (code !== '' && !(await uses.hasCode(trx, id, code))) throw violation('coupon_invalid')
  const coupon = await uses.reserve(trx, id, order.total)
  if (coupon === undefined) {
    const row = await uses.find(trx, id)
    throw violation(row === undefined ? 'coupon_invalid' : findUnusableReason(row, order.total))
  }
  if (!(await uses.countWallet(trx, coupon, order.recipient))) throw violation('coupon_wallet_limit')
  return { coupon, code, payAmount: calculatePrice(coupon, order) }
}

const violation = (reason: CouponReason) => new RuleViolation(reason)
