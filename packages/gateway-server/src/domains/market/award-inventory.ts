import type { Tenant } from '../../database/tenant.ts'
import { commit } from '../inventory/commit.ts'
import type { Inventory, OrderItem, ReleaseCause } from '../inventory/order-inventory.ts'
import { lockReservation, release, reReserve } from '../inventory/reservations-store.ts'
import * as auctions from './auctions/auctions-store.ts'
import * as offers from './offers/offers-store.ts'

/**
 * The inventory of the order of an auction's winner. The auction has reserved the seller's token, and ends
 * with this one order.
 */
export function auctionInventory(trx: Tenant, order: OrderItem, id: number): Inventory {
  return {
    ...awardInventory(trx, { kind: 'auction', id }),
    async reserve() {
      if (!(await reReserve(trx, { kind: 'auction', id }, order.quantity))) return false
      await auctions.settle(trx, id, 'WON')
      return true
    },
    async commit(hash) {
      const delivery = await commit(trx, { kind: 'auction', id }, order, hash)
      await auctions.settle(trx, id, 'SOLD')
      return delivery
    },
    async release(cause) {
      await release(trx, { kind: 'auction', id })
      // The winner is not at fault if the seller no longer owns the token.
      await auctions.settle(trx, id, cause === 'token_lost' ? 'CANCELLED' : 'UNPAID')
    },
  }
}

/**
 * The inventory of the order of an accepted offer. The offer has reserved the owner's token, and ends with
 * this one order.
 */
export function offerInventory(trx: Tenant, order: OrderItem, id: number): Inventory {
  const statusAfter = (cause: ReleaseCause) => (cause === 'unpaid' ? 'EXPIRED' : 'CANCELLED')
  return {
    ...awardInventory(trx, { kind: 'offer', id }),
    async reserve() {
      if (!(await reReserve(trx, { kind: 'offer', id }, order.quantity))) return false
      await offers.settle(trx, id, 'ACCEPTED')
      return true
    },
    async commit(hash) {
      const delivery = await commit(trx, { kind: 'offer', id }, order, hash)
      if (order.nft_type === 'ERC721') await offers.rejectOthers(trx, order)
      return delivery
    },
    async release(cause) {
      await release(trx, { kind: 'offer', id })
      await offers.settle(trx, id, statusAfter(cause))
    },
  }
}

function awardInventory(trx: Tenant, holder: { kind: 'auction' | 'offer'; id: number }) {
  return {
    lock: () => lockReservation(trx, holder),
    revert: () => Promise.resolve(false),
  }
}
