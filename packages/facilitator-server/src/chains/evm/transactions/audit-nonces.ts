import { sql } from 'kysely'
import type { Store } from './transaction-store.ts'

/**
 * Counts the nonces below `used`, and not audited before, that no transaction of ours has, and records them as audited. The first audit begins at
 * the signer's first transaction of ours.
 */
export async function auditNonces(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  used: number,
): Promise<number> {
  const { rows } = await sql<{ foreign_count: number }>`
    with audited as (
      select n.chain_id, n.signer, coalesce(n.audited_nonce, (select min(t.nonce) from facilitator.transactions t
          where t.chain_id = n.chain_id and t.signer = n.signer)) as since
      from facilitator.signer_nonces n where n.chain_id = ${chainId} and n.signer = ${signer}
    ), counted as (
      select greatest(${used}::bigint - since, 0) - (select count(*) from facilitator.transactions t
          where t.chain_id = a.chain_id and t.signer = a.signer and t.nonce >= since and t.nonce < ${used}::bigint
            and t.state <> 'superseded') as foreign_count
      from audited a where since is not null
    ), moved as (
      update facilitator.signer_nonces n set audited_nonce = greatest(a.since, ${used}::bigint)
      from audited a where n.chain_id = a.chain_id and n.signer = a.signer and a.since is not null
    )
    select foreign_count::int as foreign_count from counted`.execute(db)
  return Math.max(0, rows[0]?.foreign_count ?? 0)
}
