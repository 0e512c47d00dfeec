import type { Tenant } from '../../database/tenant.ts'
import type { OrderRow } from './orders-store.ts'

type OrderKey = Pick<OrderRow, 'id'>

/** Records what an order sold. */
export async function insertSale(trx: Tenant, order: OrderRow, hash: string): Promise<void> {
  await trx
    .insertInto('gateway.sales')
    .values({
      order_id: order.id,
      market_type: order.market_type,
      chain_id: order.chain_id,
      nft_address: order.nft_address,
      nft_id: order.nft_id,
      seller: order.sender,
      buyer: order.recipient,
      quantity: order.quantity,
      amount: order.pay_amount,
      pay_token_address: order.pay_token_address,
      hash,
    })
    .execute()
}

/** Deletes the record of a sale that was taken back. */
export async function deleteSale(trx: Tenant, { id }: OrderKey): Promise<void> {
  await trx.deleteFrom('gateway.sales').where('order_id', '=', id).execute()
}

/** Records the token of a sale that was minted after it was sold. */
export async function updateSoldToken(trx: Tenant, { id }: OrderKey, nftId: string): Promise<void> {
  await trx.updateTable('gateway.sales').set({ nft_id: nftId }).where('order_id', '=', id).execute()
}
