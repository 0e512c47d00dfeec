import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import type { NonceUse } from './nonce-store.ts'

/**
 * Counts the signer's nonces below `nonce` that no transaction of ours has, from the first one on that was
 * not audited. The first audit begins at the signer's first transaction of ours.
 */
export async function countForeignNonces(db: Store, { chainId, signer, nonce }: NonceUse): Promise<number> {
  const { rows } = await sql<{ foreign_count: number }>`
    with audited as (
      select n.chain_id, n.signer, coalesce(n.audited_nonce, (select min(t.nonce) from facilitator.transactions t
          where t.chain_id = n.chain_id and t.signer = n.signer)) as since
      from facilitator.signer_nonces n where n.chain_id = ${chainId} and n.signer = ${signer}
    )
    select (greatest(${nonce}::bigint - since, 0) - (select count(*) from facilitator.transactions t
        where t.chain_id = a.chain_id and t.signer = a.signer and t.nonce >= since and t.nonce < ${nonce}::bigint
          and t.state <> 'superseded'))::int as foreign_count
    from audited a where since is not null`.execute(db)
  return Math.max(0, rows[0]?.foreign_count ?? 0)
}

/**
 * Records that the signer's nonces below `nonce` were audited. A signer without transactions of ours stays
 * unaudited.
 */
export async function recordAuditedNonces(db: Store, { chainId, signer, nonce }: NonceUse): Promise<void> {
  await sql`
    update facilitator.signer_nonces n set audited_nonce = greatest(n.audited_nonce, ${nonce}::bigint)
    where n.chain_id = ${chainId} and n.signer = ${signer} and exists (select from facilitator.transactions t
      where t.chain_id = n.chain_id and t.signer = n.signer)`.execute(db)
}
