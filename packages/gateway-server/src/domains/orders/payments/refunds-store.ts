import type { Tenant } from '../../../database/tenant.ts'
import type { OrderRow } from '../orders-store.ts'

/** Records that a transaction of an order paid more than is owed, by `amount` base units. */
export async function flagRefund(
  trx: Tenant,
  order: OrderRow,
  { hash, amount }: { readonly hash: string; readonly amount: bigint },
): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({ refund: 'due', refund_amount: amount.toString() })
    .where('order_id', '=', order.id)
    .where('hash', '=', hash)
    .execute()
}

/**
 * Records that the excess of a transaction was paid back. `refundHash` is empty if that was not done by a
 * transaction.
 */
export async function settleRefund(
  trx: Tenant,
  order: OrderRow,
  { hash, refundHash }: { readonly hash: string; readonly refundHash: string },
): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({ refund: 'done', refund_hash: refundHash })
    .where('order_id', '=', order.id)
    .where('hash', '=', hash)
    .where('refund', '=', 'due')
    .execute()
}

/** Removes the records of refunds that are due: an operator's decision on the order replaces them. */
export async function clearRefunds(trx: Tenant, order: OrderRow): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({ refund: '', refund_amount: '0' })
    .where('order_id', '=', order.id)
    .where('refund', '=', 'due')
    .execute()
}

export async function isRefundDue(trx: Tenant, order: OrderRow): Promise<boolean> {
  const row = await trx
    .selectFrom('gateway.order_payments')
    .select('hash')
    .where('order_id', '=', order.id)
    .where('refund', '=', 'due')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
