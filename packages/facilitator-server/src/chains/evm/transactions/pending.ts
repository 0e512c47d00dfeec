import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'

/** A transaction that waits to be mined. */
export interface PendingTransaction {
  readonly chainId: number
  readonly signer: string
  readonly nonce: number
  /** Null for a batch of many settlements, and for the filling of a gap. */
  readonly settlementId: string | null
  /** Oldest first. */
  readonly hashes: readonly string[]
  /** Wei per unit of gas that the newest attempt offers. */
  readonly maxFeePerGas: string
  readonly ageSeconds: number
  /** Whether the signer has a transaction with a lower nonce, which must be mined first. */
  readonly isBehindAnother: boolean
}

const MAX_LISTED = 1_000

/** Lists transactions that were signed at least `seconds` ago and are not mined, oldest first. */
export async function listPending(db: Store, seconds: number): Promise<PendingTransaction[]> {
  const { rows } = await sql<PendingTransaction>`
    select t.chain_id as "chainId", t.signer, t.nonce, t.settlement_id::text as "settlementId",
      (select json_agg(a.hash order by a.created_at) from facilitator.transaction_attempts a
        where a.transaction_id = t.id) as hashes,
      (select a.max_fee_per_gas::text from facilitator.transaction_attempts a where a.transaction_id = t.id
        order by a.created_at desc limit 1) as "maxFeePerGas",
      extract(epoch from clock_timestamp() - t.created_at)::int as "ageSeconds",
      exists (select from facilitator.transactions lower where lower.chain_id = t.chain_id
        and lower.signer = t.signer and lower.state = 'sent' and lower.nonce < t.nonce) as "isBehindAnother"
    from facilitator.transactions t
    where t.state = 'sent' and t.batch_id is null and t.created_at <= statement_timestamp() - make_interval(secs => ${seconds}::float8)
    order by t.created_at limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** Returns what an operator does about a transaction. */
export function getPendingAction(
  { isBehindAnother, signer, maxFeePerGas }: PendingTransaction,
  configured: ReadonlySet<string>,
): string {
  if (!configured.has(signer))
    return 'Add its key again, and its address to RETIRED_SIGNERS: without the key the transaction is broadcast, but cannot be replaced'
  if (isBehindAnother) return 'Nothing: it is mined after the lower nonce of the same signer'
  return `Check that the node responds, that the signer has gas, and that MAX_FEE_PER_GAS allows more than ${maxFeePerGas} wei`
}
