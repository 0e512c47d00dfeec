import type { Tenant } from '../../database/tenant.ts'
import { decrease, increase } from './assets-store.ts'
import type { Delivery, OrderItem } from './order-inventory.ts'
import { type Holder, reduce, reserve } from './reservations-store.ts'
import { recordTransfer } from './transfers-store.ts'

/**
 * Moves what a holder has reserved to the buyer of an order. For an indexed contract, only the chain moves
 * tokens: the order then reserves them until the chain shows their transfer, and its delivery is pending.
 */
export async function commit(trx: Tenant, holder: Holder, order: OrderItem, hash: string): Promise<Delivery> {
  const { quantity, sender, recipient } = order
  const { asset } = await reduce(trx, holder, quantity)
  if (!(await decrease(trx, asset, quantity))) {
    // If the chain has moved the token already, nothing can be reserved. The order waits for that transfer
    // all the same.
    await reserve(trx, asset, { kind: 'order', id: order.id }, quantity)
    return 'pending'
  }
  const token = { chainId: order.chain_id, nftAddress: order.nft_address, nftId: order.nft_id }
  await increase(trx, { ...token, nftType: order.nft_type, owner: recipient }, quantity)
  const transfer = { from: sender, to: recipient, quantity: String(quantity), orderNo: order.order_no, hash }
  await recordTransfer(trx, order, transfer)
  return 'done'
}
