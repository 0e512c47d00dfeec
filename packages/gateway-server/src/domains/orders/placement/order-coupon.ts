import type { Selectable } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import {
  appliesWithoutCode,
  calculatePrice,
  findUnusableReason,
  type UnusableReason,
} from '../../market/coupons/coupon-rules.ts'
import * as uses from '../../market/coupons/coupon-uses-store.ts'

/** A coupon that an order has, with what it then costs. */
export interface Reserved {
  readonly coupon: Selectable<Tables['gateway.coupons']>
  /** Upper-case; `''` where the coupon applied by itself. */
  readonly code: string
  readonly payAmount: bigint
}

export type NoCoupon = UnusableReason | 'coupon_wallet_limit'

/**
 * Takes a use of a listing's coupon; undefined where the listing has none that applies. What was counted before a refusal is the caller's
 * to undo.
 *
 * @param code The upper-case code that the buyer entered; '' for none.
 */
export async function reserveCoupon(
  trx: Db,
  listing: Selectable<Tables['gateway.listings']>,
  order: { readonly quantity: number; readonly total: bigint; readonly recipient: string },
  code: string,
): Promise<Reserved | NoCoupon | undefined> {
  const { project_id: project, coupon_id: id } = listing
  if (id === null) return code === '' ? undefined : 'coupon_invalid'
  if (code === '' && !appliesWithoutCode(listing.market_type)) return undefined
  if (code !== '' && !(await uses.hasCode(trx, project, id, code))) return 'coupon_invalid'
  const coupon = await uses.reserve(trx, project, id, order.total)
  if (coupon === undefined) {
    const found = await uses.find(trx, project, id)
    return found === undefined ? 'coupon_invalid' : findUnusableReason(found, order.total)
  }
  if (!(await uses.countWallet(trx, coupon, order.recipient))) return 'coupon_wallet_limit'
  return { coupon, code, payAmount: calculatePrice(coupon, order) }
}
