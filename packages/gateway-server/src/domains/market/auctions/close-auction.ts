import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import type { OrderSettings } from '../../../order-settings.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import { lockReservation, release } from '../../inventory/reservations-store.ts'
import { AUCTION } from '../listings/listing-rules.ts'
import * as store from './auctions-store.ts'

/** What awarding needs: the chain's newest block, and orders. */
export interface Award {
  readonly block: number
  readonly orders: OrderPort
  readonly settings: OrderSettings
}

/** Creates the winner's order. An auction has at most one: a unique index refuses a second. */
export async function awardTo(
  trx: Db,
  auction: store.AuctionRow,
  { block, orders, settings }: Award,
): Promise<void> {
  const sale = {
    market_type: AUCTION,
    quantity: auction.quantity,
    sender: auction.seller,
    recipient: auction.top_bidder,
    order_amount: auction.top_bid,
    pay_amount: auction.top_bid,
    auction_id: auction.id,
    placed_at_block: block,
  }
  await orders.create(trx, auction, sale, settings.awardExpirySeconds)
}

/** Closes an auction that has ended, with an order for who won it, or giving the token back. Nothing, where it has not, or was closed before. */
export async function closeAuction(db: Db, project: number, id: number, award: Award): Promise<void> {
  await transaction(db, async (trx) => {
    await lockReservation(trx, project, { kind: 'auction', id })
    const closed = await store.close(trx, project, id)
    if (closed === undefined) return
    if (closed.status === 'WON') await awardTo(trx, closed, award)
    else await release(trx, project, { kind: 'auction', id })
  })
}

/** Closes the auctions of an asset that have ended without a winner; answers how many. */
export async function closeUnsold(trx: Db, project: number, asset: number): Promise<number> {
  const ended = await store.endedUnsold(trx, project, asset)
  for (const { id } of ended) {
    await lockReservation(trx, project, { kind: 'auction', id })
    if ((await store.close(trx, project, id)) !== undefined)
      await release(trx, project, { kind: 'auction', id })
  }
  return ended.length
}

/** Cancels an auction whose seller no longer owns the token, and releases what it reserved. Does nothing unless the auction is INACTIVE. */
export async function cancelInactive(trx: Db, project: number, id: number): Promise<void> {
  if (await store.endInactive(trx, project, id)) await release(trx, project, { kind: 'auction', id })
}
