import { sql } from 'kysely'
import { maxUint256 } from 'viem'
import type { Tenant } from '../../../database/tenant.ts'
import { addEvent, type OrderRow } from '../orders-store.ts'
import type { Claim } from './payments-store.ts'

/** Records that a transaction of an order paid more than is owed, by `amount` base units. */
export async function flagRefund(
  trx: Tenant,
  order: OrderRow,
  { hash, amount }: { readonly hash: string; readonly amount: bigint },
): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({ refund: 'due', refund_amount: amount.toString(), refunded_amount: '0' })
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

/**
 * Removes the records of refunds that are due: an operator's decision on the order replaces them. What was paid
 * back stays recorded, and a payment that was to go back is evaluated again.
 */
export async function clearRefunds(trx: Tenant, order: OrderRow): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({
      refund: '',
      refund_amount: sql`refunded_amount`,
      outcome: sql`case outcome when 'refunded' then '' else outcome end`,
    })
    .where('order_id', '=', order.id)
    .where('refund', '=', 'due')
    .execute()
}

/** Returns what the seller still owes the buyer of a payment, in base units. */
export function getDueOf(claim: Pick<Claim, 'refund' | 'refund_amount' | 'refunded_amount'>): bigint {
  return claim.refund === 'due' ? BigInt(claim.refund_amount) - BigInt(claim.refunded_amount) : 0n
}

/** A final transfer from the seller of an order to its buyer, which the chain proves. */
export interface ProvenRefund {
  readonly hash: string
  readonly amount: bigint
  readonly block: number
}

/** A proven refund with the time when it was recorded. */
export type RecordedRefund = ProvenRefund & { readonly recordedAt: Date }

/** Lists the recorded refunds of an order, oldest first. */
export async function listRefunds(tenant: Tenant, order: OrderRow): Promise<RecordedRefund[]> {
  const { rows } = await sql<{ hash: string; amount: string; block: number; recordedAt: Date }>`
    select e.hash, e.created_at as "recordedAt", c.refund_amount as amount, c.refund_block as block
    from gateway.order_events e
    join gateway.consumed_payments c on c.project_id = e.project_id and c.chain_id = ${order.chain_id} and c.hash = e.hash
    where e.project_id = ${tenant.project} and e.order_id = ${order.id} and e.event = ${REFUND_RECORDED}
    order by e.id`.execute(tenant)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

const REFUND_RECORDED = 'refund_recorded'

/** Records a refund that is counted for the order. */
export async function addRefund(trx: Tenant, order: OrderRow, refund: ProvenRefund): Promise<void> {
  const { hash, amount, block } = refund
  await trx
    .updateTable('gateway.consumed_payments')
    .set({ refund_amount: amount.toString(), refund_block: block })
    .where('chain_id', '=', order.chain_id)
    .where('hash', '=', hash)
    .execute()
  await addEvent(trx, order, { event: REFUND_RECORDED, to: order.status, actor: 'caller', reason: '', hash })
}

/** Sums amounts, up to the largest one of a token: no transfer moves more. */
export function sumAmounts(amounts: readonly bigint[]): bigint {
  const total = sum(amounts)
  if (total > maxUint256) return maxUint256
  return total
}

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

/** Records what was paid back of a payment, and, with all of it, that its refund is done. */
export async function payBack(trx: Tenant, order: OrderRow, claim: Claim, refundHash: string): Promise<void> {
  const done = claim.refunded_amount === claim.refund_amount
  // A payment that went back counts for nothing. The order keeps its own payment.
  const closed = done && claim.hash !== order.tx_id
  await trx
    .updateTable('gateway.order_payments')
    .set({
      refunded_amount: claim.refunded_amount,
      ...(done && { refund: 'done' as const, refund_hash: refundHash }),
      ...(closed && { outcome: 'refunded' }),
    })
    .where('order_id', '=', order.id)
    .where('hash', '=', claim.hash)
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
