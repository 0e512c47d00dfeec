import type { Db } from '../../context.ts'
import * as uses from '../market/coupons/coupon-uses-store.ts'
import { lockHold } from '../market/listings/listings-store.ts'
import { stockOfMint } from '../minting/reservations/mint-inventory.ts'
import type { OrderRow } from '../orders/orders-store.ts'
import type { OrderEvent } from '../orders/state/order-state.ts'
import { stockOfAward } from '../market/award-inventory.ts'
import * as listed from '../market/listings/listing-inventory.ts'

/** What an order takes, wherever it comes from: the order's table says when. */
export interface OrderStock {
  /** Before all that follows; see `stock-store.ts` for the order of locks. */
  lock(): Promise<void>
  /** The order ended without being paid. */
  release(event: OrderEvent): Promise<void>
  /** A payment has shown up after all; false where others have it by now. */
  reserveAgain(): Promise<boolean>
  /** The order was paid. Answers how it stands with delivery. */
  take(): Promise<'done' | 'pending'>
  /** The payment is not to count any more: what nobody has got yet is given back. Answers whether that was so. */
  takeBack(): Promise<boolean>
}

/** What an order is of; undefined where it never reserved anything. */
export function stockOf(trx: Db, order: OrderRow): OrderStock | undefined {
  const { auction_id: auction, offer_id: offer } = order
  if (order.listing_id !== null) return stockOfListing(trx, order, order.listing_id)
  if (order.phase_id !== null) return stockOfMint(trx, order, order.phase_id)
  if (auction !== null) return stockOfAward(trx, order, { kind: 'auction', id: auction })
  return offer === null ? undefined : stockOfAward(trx, order, { kind: 'offer', id: offer })
}

function stockOfListing(trx: Db, order: OrderRow, listing: number): OrderStock {
  const { project_id: project, quantity, recipient } = order
  const of = { project, listing, quantity }
  const hasCoupon = order.coupon_type !== 0
  return {
    lock: () => lockHold(trx, project, listing),
    async release() {
      await listed.release(trx, of)
      if (hasCoupon) await uses.release(trx, order)
      await listed.uncountOpen(trx, of, recipient)
    },
    reserveAgain: async () =>
      (await listed.reserveAgain(trx, of)) && (!hasCoupon || (await uses.reserveAgain(trx, order))),
    async take() {
      const delivery = await listed.take(trx, of, order)
      if (hasCoupon) await uses.redeem(trx, order)
      if (order.stock === 'held') await listed.uncountOpen(trx, of, recipient)
      return delivery
    },
    takeBack: () => Promise.resolve(false),
  }
}
