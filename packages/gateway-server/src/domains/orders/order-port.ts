import { NOBODY } from '../../database/references.ts'
import type { FindInventory } from '../inventory/order-inventory.ts'
import type { OrderPort } from '../inventory/order-port.ts'
import { orderOf } from './order-records.ts'
import * as store from './orders-store.ts'
import { insertOrder } from './placement/insert-order.ts'
import { deleteSale, updateSoldToken } from './sales-store.ts'
import { expire } from './state/transition.ts'

/** Creates what sales do with orders, which are above them. */
export function createOrderPort(findInventory: FindInventory): OrderPort {
  return {
    create: async (trx, item, terms, { expirySeconds, reader = NOBODY }) =>
      orderOf(await insertOrder(trx, item, terms, expirySeconds), reader),
    lock: store.lockById,
    expireMints: async (trx, collection) =>
      await expire(trx, findInventory, await store.lockExpiredOfMints(trx, collection)),
    async completeMint(trx, order, { tokenId, hash }) {
      const delivered = await store.change(trx, order, { delivery: 'done', nft_id: tokenId })
      await updateSoldToken(trx, order, tokenId)
      const event = { event: 'delivered', to: order.status, actor: '', reason: '', hash }
      await store.addEvent(trx, delivered, event)
    },
    async revertMint(trx, order) {
      await deleteSale(trx, order)
      await store.change(trx, order, { stock: 'released', delivery: '' })
    },
  }
}
