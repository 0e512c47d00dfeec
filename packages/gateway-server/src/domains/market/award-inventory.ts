import type { Db } from '../../context.ts'
import { holdAgain, letGo, lockHeld } from '../inventory/assets-store.ts'
import * as auctions from './auctions/auctions-store.ts'
import * as offers from './offers/offers-store.ts'
import type { OrderRow } from '../orders/orders-store.ts'
import { deliver } from './listings/listing-inventory.ts'
import type { OrderStock } from '../inventory/order-inventory.ts'

/** Of what an order is that was not made of a listing: it holds the seller's token itself, and ends with its one order. */
export interface Award {
  readonly kind: 'auction' | 'offer'
  readonly id: number
}

export function stockOfAward(trx: Db, order: OrderRow, { kind, id }: Award): OrderStock {
  const { project_id: project, quantity } = order
  const award = { kind, id, quantity }
  return {
    lock: () => lockHeld(trx, project, award),
    async release(event) {
      await letGo(trx, project, award)
      // Of a token that the seller has no more nobody failed to pay.
      const withdrawn = event === 'withdrawn'
      if (kind === 'auction') await auctions.settle(trx, project, id, withdrawn ? 'CANCELLED' : 'UNPAID')
      else {
        const cancelled = withdrawn || event === 'cancelled'
        await offers.settle(trx, project, id, cancelled ? 'CANCELLED' : 'EXPIRED')
      }
    },
    async reserveAgain() {
      // The seller may have promised the token elsewhere by now.
      if (!(await holdAgain(trx, project, award))) return false
      if (kind === 'auction') await auctions.settle(trx, project, id, 'WON')
      else await offers.settle(trx, project, id, 'ACCEPTED')
      return true
    },
    async take() {
      const { asset } = await letGo(trx, project, award)
      const delivery = await deliver(trx, asset, order)
      if (kind === 'auction') await auctions.settle(trx, project, id, 'SOLD')
      else if (order.nft_type === 'ERC721') await offers.rejectOthers(trx, project, order)
      return delivery
    },
    takeBack: () => Promise.resolve(false),
  }
}
