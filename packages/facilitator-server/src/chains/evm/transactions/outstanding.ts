import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'

/** What a signer has not finished on one chain. */
export interface OutstandingWork {
  readonly chainId: number
  readonly signer: string
  /** The number of transactions that wait to be mined, which only the signer's key can replace. */
  readonly sent: number
  /**
   * The number of mined transactions whose blocks are not final, so that a reorganization may remove them.
   */
  readonly mined: number
  /** Seconds since the oldest of them was signed. */
  readonly oldestSeconds: number
}

/**
 * Lists the signers with transactions that are not final. Each state is read by its own partial index,
 * because the table keeps all transactions.
 */
export async function listOutstanding(db: Store): Promise<OutstandingWork[]> {
  const { rows } = await sql<OutstandingWork>`
    select chain_id as "chainId", signer, (count(*) filter (where state = 'sent'))::int as sent,
      (count(*) filter (where state = 'mined'))::int as mined,
      extract(epoch from clock_timestamp() - min(created_at))::int as "oldestSeconds"
    from (
      select chain_id, signer, state, created_at from facilitator.transactions where state = 'sent'
      union all
      select chain_id, signer, state, created_at from facilitator.transactions where state = 'mined'
    ) unfinished
    -- The payments of a batch have no signer of their own.
    where signer is not null group by chain_id, signer order by chain_id, signer`.execute(db)
  return rows
}

/**
 * Returns how many seconds ago a signer last signed a transaction, on one chain or, without `chainId`, on
 * all. Undefined if it has signed none.
 */
export async function readLastUse(
  db: Store,
  { signer, chainId = null }: { readonly signer: string; readonly chainId?: number | null },
): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number | null }>`
    select min(extract(epoch from clock_timestamp() - newest.created_at))::int as seconds
    from facilitator.signer_nonces n cross join lateral (
      select t.created_at from facilitator.transactions t
      where t.chain_id = n.chain_id and t.signer = n.signer order by t.nonce desc limit 1
    ) newest
    where n.signer = ${signer} and (${chainId}::bigint is null or n.chain_id = ${chainId}::bigint)`.execute(
    db,
  )
  return rows[0]?.seconds ?? undefined
}

/**
 * Returns for how many seconds only the signer can continue what it has executed, on any chain. 0 if nothing can be
 * continued.
 */
export async function readNeededSeconds(db: Store, signer: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(ceil(extract(epoch from max(needed_until) - clock_timestamp())), 0)::int as seconds
    from facilitator.signer_nonces where signer = ${signer}`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}
