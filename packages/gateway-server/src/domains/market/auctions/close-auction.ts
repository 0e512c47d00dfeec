import type { Tenant } from '../../../database/tenant.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import type { OrderSettings } from '../../inventory/order-settings.ts'
import { lockReservation, release } from '../../inventory/reservations-store.ts'
import { AUCTION } from '../listing-rules.ts'
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
 * Closes an auction that has ended with a winner, and creates the winner's order. Does nothing if it has not
 * ended, has no winner or is already closed.
 */
export async function closeWon(tenant: Tenant, id: number, award: Award): Promise<void> {
  await tenant.transaction(async (trx) => {
    await lockReservation(trx, { kind: 'auction', id })
    const auction = await store.closeWon(trx, id)
    if (auction !== undefined) await awardTo(trx, auction, award)
  })
}

/**
 * Closes an auction that has ended without a winner, and releases the token. Returns false if it has not
 * ended, has a winner or is already closed.
 *
 * A bid that was made before the end may be committed after the caller has read the auction. The next run of
 * the job closes it then: the winner's order needs the chain's newest block.
 */
export async function closeUnsold(trx: Tenant, id: number): Promise<boolean> {
  await lockReservation(trx, { kind: 'auction', id })
  if (!(await store.closeUnsold(trx, id))) return false
  await release(trx, { kind: 'auction', id })
  return true
}

/** Closes the auctions of an asset that have ended without a winner. Returns their number. */
export async function closeUnsoldOfAsset(trx: Tenant, asset: number): Promise<number> {
  let closed = 0
  for (const { id } of await store.listEndedUnsold(trx, asset)) if (await closeUnsold(trx, id)) closed += 1
  return closed
}

/**
 * Cancels an auction whose seller no longer owns the token, and releases what it reserved. Does nothing
 * unless the auction is INACTIVE.
 */
export async function cancelInactive(trx: Tenant, id: number): Promise<void> {
  if (await store.endInactive(trx, id)) await release(trx, { kind: 'auction', id })
}
