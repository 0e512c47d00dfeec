import type { OrderSettings } from '../../../order-settings.ts'
import type { Tenant } from '../../../tenant.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import { lockReservation, release } from '../../inventory/reservations-store.ts'
import { AUCTION } from '../listings/listing-rules.ts'
import * as store from './auctions-store.ts'

/** The dependencies of an award, with the chain's newest block. */
export interface Award {
  readonly block: number
  readonly orders: OrderPort
  readonly settings: OrderSettings
}

/** Creates the winner's order. A unique index allows one per auction. */
export async function awardTo(
  trx: Tenant,
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
  await orders.create(trx, auction, sale, { expirySeconds: settings.awardExpirySeconds })
}

/**
 * Closes an auction that has ended: creates an order for its winner, or releases the token. Does nothing if
 * it has not ended or is already closed.
 */
export async function closeAuction(tenant: Tenant, id: number, award: Award): Promise<void> {
  await tenant.transaction(async (trx) => {
    await lockReservation(trx, { kind: 'auction', id })
    const auction = await store.close(trx, id)
    if (auction === undefined) return
    if (auction.status === 'WON') await awardTo(trx, auction, award)
    else await release(trx, { kind: 'auction', id })
  })
}

/** Closes the auctions of an asset that have ended without a winner. Returns their number. */
export async function closeUnsold(trx: Tenant, asset: number): Promise<number> {
  const endedAuctions = await store.listEndedUnsold(trx, asset)
  for (const { id } of endedAuctions) {
    await lockReservation(trx, { kind: 'auction', id })
    if ((await store.close(trx, id)) !== undefined) await release(trx, { kind: 'auction', id })
  }
  return endedAuctions.length
}

/**
 * Cancels an auction whose seller no longer owns the token, and releases what it reserved. Does nothing
 * unless the auction is INACTIVE.
 */
export async function cancelInactive(trx: Tenant, id: number): Promise<void> {
  if (await store.endInactive(trx, id)) await release(trx, { kind: 'auction', id })
}
