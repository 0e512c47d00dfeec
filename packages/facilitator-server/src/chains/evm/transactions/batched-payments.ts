import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import type { Superseded } from './transaction-store.ts'

/** A payment that its batch did not execute. */
export interface BatchedRow extends Superseded {
  signer: null
  nonce: null
  /** Whether the batch is in a final block, or its nonce was finally used by another transaction. */
  isFinal: boolean
}

const MAX_LISTED = 1_000

/** Lists the payments of a batch that were not executed. */
export const listBatchedPayments = (db: Store, batchId: number): Promise<BatchedRow[]> =>
  listPayments(db, sql`b.id = ${batchId}`)

/**
 * Lists the payments of mined batches that were not executed although their own call did not fail: see
 * `isSpoiledBatch`.
 */
export const listSpoiledPayments = (db: Store, chainId: number): Promise<BatchedRow[]> =>
  listPayments(db, sql`b.chain_id = ${chainId} and b.state in ('mined', 'final')`)

async function listPayments(db: Store, condition: RawBuilder<unknown>): Promise<BatchedRow[]> {
  const { rows } = await sql<{ id: number; recipient: string; data: string; gas: string; is_final: boolean }>`
    select p.id, p.recipient, p.data, p.gas, b.state in ('final', 'superseded') as is_final
    from facilitator.transactions p join facilitator.transactions b on b.id = p.batch_id
    where p.state = 'sent' and p.batch_id is not null and ${condition}
    order by p.id limit ${MAX_LISTED}`.execute(db)
  return rows.map(({ id, recipient, data, gas, is_final: isFinal }) => ({
    id,
    recipient,
    data,
    isFinal,
    signer: null,
    nonce: null,
    gas: BigInt(gas),
  }))
}

/** Records that a payment of a batch can no longer be made by it. */
export async function recordPaymentSuperseded(db: Store, id: number): Promise<void> {
  await sql`
    update facilitator.transactions set state = 'superseded'
    where id = ${id} and batch_id is not null and state = 'sent'`.execute(db)
}
