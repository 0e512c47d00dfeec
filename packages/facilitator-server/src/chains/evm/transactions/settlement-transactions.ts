import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'

/** A transaction that was signed for a settlement, perhaps with others, with the signed bytes' hashes. */
export interface SettlementTransactionRow {
  readonly chainId: number
  readonly signer: string
  readonly nonce: number
  readonly state: string
  readonly hash: string | null
  readonly succeeded: boolean | null
  readonly blockNumber: string | null
  readonly createdAt: Date
  /** Oldest first. */
  readonly attempts: readonly {
    readonly hash: string
    /** Wei per unit of gas. */
    readonly maxFeePerGas: string
    /** ISO 8601. */
    readonly createdAt: string
  }[]
}

/** Lists the transactions of a settlement with their attempts, oldest first. */
export async function listSettlementTransactions(
  db: Store,
  settlementId: number,
): Promise<SettlementTransactionRow[]> {
  const { rows } = await sql<SettlementTransactionRow>`
    select p.chain_id as "chainId", t.signer, t.nonce, p.state, p.hash, p.succeeded,
      p.block_number::text as "blockNumber", p.created_at as "createdAt",
      coalesce((select json_agg(json_build_object('hash', a.hash, 'maxFeePerGas', a.max_fee_per_gas::text,
          'createdAt', to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.created_at)
        from facilitator.transaction_attempts a where a.transaction_id = t.id), '[]') as attempts
    from facilitator.transactions p join facilitator.transactions t on t.id = coalesce(p.batch_id, p.id)
    where p.settlement_id = ${settlementId} order by p.id`.execute(db)
  return rows
}
