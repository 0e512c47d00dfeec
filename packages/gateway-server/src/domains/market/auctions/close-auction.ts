import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import { letGo, lockHeld } from '../../inventory/assets-store.ts'
import { addOrder } from '../../orders/placement/insert-order.ts'
import type { OrderSettings } from '../../orders/state/order-settings.ts'
import { AUCTION } from '../listings/listing-rules.ts'
import * as store from './auctions-store.ts'

/** Creates the winner's order. A unique index allows one per auction. */
export async function awardTo(
  trx: Db,
  auction: store.AuctionRow,
  { block, settings }: { readonly block: number; readonly settings: OrderSettings },
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
  await addOrder(trx, auction, sale, settings.awardExpirySeconds)
}

/**
 * Closes an auction that has ended: creates an order for its winner, or releases the token. Does nothing if it has not ended or is already
 * closed.
 */
export async function closeAuction(
  db: Db,
  project: number,
  id: number,
  award: { readonly block: number; readonly settings: OrderSettings },
): Promise<void> {
  await transaction(db, async (trx) => {
    await lockHeld(trx, project, { kind: 'auction', id })
    const auction = await store.close(trx, project, id)
    if (auction === undefined) return
    if (auction.status === 'WON') await awardTo(trx, auction, award)
    else await letGo(trx, project, { kind: 'auction', id })
  })
}

/** Closes the auctions of an asset that have ended without a winner. Returns their number. */
export async function closeUnsold(trx: Db, project: number, asset: number): Promise<number> {
  const endedAuctions = await store.listEndedUnsold(trx, project, asset)
  for (const { id } of endedAuctions) {
    await lockHeld(trx, project, { kind: 'auction', id })
    if ((await store.close(trx, project, id)) !== undefined)
      await letGo(trx, project, { kind: 'auction', id })
  }
  return endedAuctions.length
}
