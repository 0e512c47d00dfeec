import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import { letGo, lockHeld } from '../../inventory/assets-store.ts'
import { addOrder } from '../../orders/placement/insert-order.ts'
import type { OrderSettings } from '../../../order-settings.ts'
import { AUCTION } from '../listings/listing-rules.ts'
import * as store from './auctions-store.ts'

/** The winner's order. An auction has one; a second one does not pass its unique index. */
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

/** Closes an auction that has ended, with an order for who won it, or giving the token back. Nothing, where it has not, or was closed before. */
export async function closeAuction(
  db: Db,
  project: number,
  id: number,
  award: { readonly block: number; readonly settings: OrderSettings },
): Promise<void> {
  await transaction(db, async (trx) => {
    await lockHeld(trx, project, { kind: 'auction', id })
    const closed = await store.close(trx, project, id)
    if (closed === undefined) return
    if (closed.status === 'WON') await awardTo(trx, closed, award)
    else await letGo(trx, project, { kind: 'auction', id })
  })
}

/** Closes the auctions of an asset that have ended without a winner; answers how many. */
export async function closeUnsold(trx: Db, project: number, asset: number): Promise<number> {
  const ended = await store.endedUnsold(trx, project, asset)
  for (const { id } of ended) {
    await lockHeld(trx, project, { kind: 'auction', id })
    if ((await store.close(trx, project, id)) !== undefined)
      await letGo(trx, project, { kind: 'auction', id })
  }
  return ended.length
}
