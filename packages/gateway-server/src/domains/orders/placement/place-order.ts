import {
  COUPON_INVALID,
  COUPON_MINIMUM,
  COUPON_USED_UP,
  COUPON_WALLET_LIMIT,
  LISTING_NOT_OPEN,
  OUT_OF_STOCK,
  TOO_MANY_OPEN_ORDERS,
} from '@mintmark/orders'
import { isRefusal, refusal } from '@mintmark/server-kit'
import type { References } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import type { OrderSettings } from '../../inventory/order-settings.ts'
import * as uses from '../../market/coupons/coupon-uses-store.ts'
import { createListingRefusal } from '../../market/listing-rules.ts'
import { countOpenOrder, reserveListing } from '../../market/listings/listing-inventory.ts'
import * as listings from '../../market/listings/listings-store.ts'
import * as store from '../orders-store.ts'
import { expire } from '../state/transition.ts'
import { insertOrder } from './insert-order.ts'
import { reserveCoupon } from './order-coupon.ts'

/** An order of a listing that a buyer requests. */
export interface OrderRequest {
  readonly listing: number
  readonly quantity: number
  readonly recipient: string
  /** The chain's newest block, read before the transaction. */
  readonly block: number
  /** The code that the buyer entered. */
  readonly couponCode?: string
  /** Whether several payments may pay the price together until the order expires. */
  readonly partialPayments?: boolean
  /** The buyer's own reference. */
  readonly references?: Partial<References>
}

/** Rules that may allow the order once overdue orders are expired. */
const CURED_BY_EXPIRY = [OUT_OF_STOCK, TOO_MANY_OPEN_ORDERS, COUPON_USED_UP, COUPON_WALLET_LIMIT]
const COUPON_RULES = [COUPON_INVALID, COUPON_MINIMUM, COUPON_USED_UP, COUPON_WALLET_LIMIT]

/**
 * Reserves units of a listing and creates an order for them. If stock, uses of the coupon or room in the
 * wallet's limits are lacking, overdue orders of the listing are expired first, and it is tried a second
 * time. An order without a coupon code is placed without the listing's coupon if that does not apply.
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
      if (!isRefusal(error, CURED_BY_EXPIRY)) throw error
      const overdue = await store.lockExpired(trx, request.listing)
      if ((await expire(trx, findInventory, overdue)) === 0) throw error
      return await attempt()
    }
  }
  try {
    return await place(true)
  } catch (error) {
    if (!isRefusal(error, COUPON_RULES) || (request.couponCode ?? '') !== '') throw error
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
    throw row === undefined ? refusal(LISTING_NOT_OPEN) : createListingRefusal(row)
  }
  const total = BigInt(listing.pay_price) * BigInt(quantity)
  const reserved = withCoupon
    ? await reserveCoupon(trx, listing, { quantity, total, recipient }, request.couponCode ?? '')
    : undefined
  if (!(await countOpenOrder(trx, item, recipient, settings.openOrders))) throw refusal(TOO_MANY_OPEN_ORDERS)
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
    partial_payments: request.partialPayments ?? false,
    ...request.references,
  }
  const order = await insertOrder(trx, listing, terms, settings.expirySeconds)
  if (reserved) await uses.add(trx, order, { coupon: reserved.coupon.id, wallet: recipient })
  return order
}
