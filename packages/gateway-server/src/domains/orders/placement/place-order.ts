import type { References } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { RuleViolation } from '../../../rule-violation.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import type { OrderSettings } from '../../inventory/order-settings.ts'
import * as uses from '../../market/coupons/coupon-uses-store.ts'
import { findClosedReason } from '../../market/listing-rules.ts'
import { countOpenOrder, reserveListing } from '../../market/listings/listing-inventory.ts'
import * as listings from '../../market/listings/listings-store.ts'
import * as store from '../orders-store.ts'
import { expire } from '../state/transition.ts'
import { insertOrder } from './insert-order.ts'
import { type CouponReason, reserveCoupon } from './order-coupon.ts'

/** An order of a listing that a buyer requests. */
export interface OrderRequest {
  readonly listing: number
  readonly quantity: number
  readonly recipient: string
  /** The chain's newest block, read before the transaction. */
  readonly block: number
  /** The code that the buyer entered. */
  readonly couponCode?: string
  /** The buyer's own reference. */
  readonly references?: Partial<References>
}

/** Why no order was placed. */
export type PlacementReason = 'not_open' | 'out_of_stock' | 'too_many_open' | CouponReason

/** Reasons that may be gone once overdue orders are expired. */
const CURED_BY_EXPIRY: readonly string[] = [
  'out_of_stock',
  'too_many_open',
  'coupon_used_up',
  'coupon_wallet_limit',
] satisfies PlacementReason[]

/**
 * Reserves units of a listing and creates an order for them. If stock, uses of the coupon or room in the
 * wallet's limits are lacking, overdue orders of the listing are expired first, and it is tried a second
 * time. An order without a coupon code is placed without the listing's coupon if that does not apply. Throws
 * a `RuleViolation` with a `PlacementReason`.
 */
export async function placeOrder(
  trx: Tenant,
  findInventory: FindInventory,
  request: OrderRequest,
  settings: OrderSettings,
): Promise<store.OrderRow> {
  const place = async (withCoupon: boolean) => {
    // A savepoint: its locks and counts are undone before overdue orders are locked.
    const attempt = () => trx.transaction((part) => reserveAndInsert(part, request, settings, withCoupon))
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RuleViolation) || !CURED_BY_EXPIRY.includes(error.reason)) throw error
      const overdue = await store.lockExpired(trx, request.listing)
      if ((await expire(trx, findInventory, overdue)) === 0) throw error
      return await attempt()
    }
  }
  try {
    return await place(true)
  } catch (error) {
    const lacksCoupon = error instanceof RuleViolation && error.reason.startsWith('coupon_')
    if (!lacksCoupon || (request.couponCode ?? '') !== '') throw error
    return await place(false)
  }
}

async function reserveAndInsert(
  trx: Tenant,
  request: OrderRequest,
  settings: OrderSettings,
  withCoupon: boolean,
): Promise<store.OrderRow> {
  const { quantity, recipient } = request
  const item = { listing: request.listing, quantity }
  const listing = await reserveListing(trx, item)
  if (listing === undefined) {
    const row = await listings.find(trx, request.listing)
    throw violation(row === undefined ? 'not_open' : findClosedReason(row))
  }
  const total = BigInt(listing.pay_price) * BigInt(quantity)
  const reserved = withCoupon
    ? await reserveCoupon(trx, listing, { quantity, total, recipient }, request.couponCode ?? '')
    : undefined
  if (!(await countOpenOrder(trx, item, recipient, settings.openOrders))) throw violation('too_many_open')
  const terms = {
    market_type: listing.market_type,
    quantity,
    sender: listing.seller,
    recipient,
    order_amount: total.toString(),
    pay_amount: (reserved?.payAmount ?? total).toString(),
    coupon_code: reserved?.code ?? '',
    coupon_type: reserved?.coupon.coupon_type ?? 0,
    listing_id: listing.id,
    placed_at_block: request.block,
    ...request.references,
  }
  const order = await insertOrder(trx, listing, terms, settings.expirySeconds)
  if (reserved) await uses.add(trx, order, { coupon: reserved.coupon.id, wallet: recipient })
  return order
}

const violation = (reason: PlacementReason) => new RuleViolation(reason)
