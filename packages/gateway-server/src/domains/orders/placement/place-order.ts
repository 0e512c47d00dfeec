import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import * as uses from '../../market/coupons/coupon-uses-store.ts'
import { findClosedReason } from '../../market/listings/listing-rules.ts'
import * as listings from '../../market/listings/listings-store.ts'
import * as stock from '../delivery/listing-inventory.ts'
import * as store from '../orders-store.ts'
import type { OrderSettings } from '../state/order-settings.ts'
import { expire } from '../state/transition.ts'
import { addOrder } from './insert-order.ts'
import { type NoCoupon, reserveCoupon } from './order-coupon.ts'

/** What is ordered. */
export interface Asked {
  readonly project: number
  readonly listing: number
  readonly quantity: number
  readonly recipient: string
  /** The chain's newest block, read before. */
  readonly block: number
  /** The code that the buyer entered. */
  readonly couponCode?: string
}

/** Why nothing was ordered. */
export type NotPlaced = 'not_open' | 'out_of_stock' | 'too_many_open' | NoCoupon

/** What orders that wait past their time can be in the way of. */
const ENDS_MAY_HELP: ReadonlySet<NotPlaced> = new Set([
  'out_of_stock',
  'too_many_open',
  'coupon_used_up',
  'coupon_wallet_limit',
])

class Unplaced extends Error {
  readonly why: NotPlaced

  constructor(why: NotPlaced) {
    super(why)
    this.why = why
  }
}

/**
 * Reserves and makes an order. What fails for want of stock, of uses of the coupon, or of room in the wallet's limits, first ends the
 * listing's orders that wait past their time, and is tried once more. An order that asks for no coupon by its code goes without where the
 * listing's own is not to be had.
 */
export async function placeOrder(
  trx: Db,
  asked: Asked,
  settings: OrderSettings,
): Promise<store.OrderRow | NotPlaced> {
  const { couponCode = '' } = asked
  for (let [ended, withCoupon] = [false, true]; ; ) {
    try {
      // A part of its own: what it locked and counted is let go before others' orders are ended.
      return await transaction(trx, (part) => reserveAndAdd(part, asked, settings, withCoupon))
    } catch (error) {
      if (!(error instanceof Unplaced)) throw error
      const { why } = error
      if (!ended && ENDS_MAY_HELP.has(why)) {
        ended = true
        if ((await expire(trx, await store.lockExpired(trx, asked.project, asked.listing))) > 0) continue
      }
      if (couponCode !== '' || !why.startsWith('coupon_')) return why
      withCoupon = false
    }
  }
}

async function reserveAndAdd(
  trx: Db,
  asked: Asked,
  settings: OrderSettings,
  withCoupon: boolean,
): Promise<store.OrderRow> {
  const { project, quantity, recipient } = asked
  const of = { project, listing: asked.listing, quantity }
  const listing = await stock.reserveNew(trx, of)
  if (listing === undefined) {
    const found = await listings.find(trx, project, asked.listing)
    throw new Unplaced(found === undefined ? 'not_open' : findClosedReason(found))
  }
  const total = BigInt(listing.pay_price) * BigInt(quantity)
  const reserved = withCoupon
    ? await reserveCoupon(trx, listing, { quantity, total, recipient }, asked.couponCode ?? '')
    : undefined
  if (typeof reserved === 'string') throw new Unplaced(reserved)
  if (!(await stock.countOpen(trx, of, recipient, settings.openOrders))) throw new Unplaced('too_many_open')
  const order = await addOrder(
    trx,
    listing,
    {
      market_type: listing.market_type,
      quantity,
      sender: listing.seller,
      recipient,
      order_amount: total.toString(),
      pay_amount: (reserved?.payAmount ?? total).toString(),
      coupon_code: reserved?.code ?? '',
      coupon_type: reserved?.coupon.coupon_type ?? 0,
      listing_id: listing.id,
      placed_at_block: asked.block,
    },
    settings.expirySeconds,
  )
  if (reserved) await uses.add(trx, order, { coupon: reserved.coupon.id, wallet: recipient })
  return order
}
