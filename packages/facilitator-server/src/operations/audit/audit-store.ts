import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'

/** Claims the audit. Returns false if a process started one less than `intervalSeconds` ago. */
export async function claimAudit(db: Kysely<Tables>, intervalSeconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into facilitator.audits as a (name, started_at) values ('all', clock_timestamp())
    on conflict (name) do update set started_at = excluded.started_at
      where a.started_at <= clock_timestamp() - make_interval(secs => ${intervalSeconds}::float8)
    returning name`.execute(db)
  return rows.length > 0
}

/** Records the number of problems of each kind. */
export async function finishAudit(db: Kysely<Tables>, problems: Record<string, number>): Promise<void> {
  await sql`
    update facilitator.audits set finished_at = clock_timestamp(), problems = ${JSON.stringify(problems)}::jsonb
    where name = 'all'`.execute(db)
}

/** Reconciliation ends a settlement long before, even if its node lags. */
const SETTLE_MINUTES = 15
const MAX_LISTED = 100

/** Lists successful final transactions whose settlement is not settled, or not charged. */
export async function listUnsettledTransactions(
  db: Kysely<Tables>,
): Promise<{ hash: string; settlementId: string; state: string }[]> {
  const { rows } = await sql<{ hash: string; settlement_id: string; state: string }>`
    select t.hash, t.settlement_id::text,
      case when s.state = 'settled' then 'not charged' else coalesce(s.state, 'missing') end as state
    from facilitator.transactions t left join facilitator.settlements s on s.id = t.settlement_id
    where t.purpose = 'settle' and t.state = 'final' and t.succeeded
      and t.created_at < clock_timestamp() - make_interval(mins => ${SETTLE_MINUTES})
      and (s.state is distinct from 'settled'
        or not exists (select from facilitator.charges c where c.settlement_id = s.id))
    order by t.id limit ${MAX_LISTED}`.execute(db)
  return rows.map(({ hash, settlement_id, state }) => ({ hash, settlementId: settlement_id, state }))
}

/** Blocks whose payments are compared now, with both ends. */
export interface AuditRange {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Returns the final blocks of a chain that were not compared and have been known for `SETTLE_MINUTES`, and
 * notes `finalBlock` as known. Undefined if there are none. The first comparison begins at the first
 * transaction of ours.
 */
export async function findAuditRange(
  db: Kysely<Tables>,
  chainId: number,
  finalBlock: bigint,
): Promise<AuditRange | undefined> {
  const { rows } = await sql<{ next_block: string; known_block: string; is_due: boolean }>`
    insert into facilitator.audited_blocks as a (chain_id, next_block, known_block)
    select ${chainId}, coalesce(min(t.block_number), ${finalBlock}), ${finalBlock} from facilitator.transactions t
      where t.chain_id = ${chainId} and t.state in ('mined', 'final')
    on conflict (chain_id) do update set
      known_block = case when a.next_block > a.known_block then excluded.known_block else a.known_block end,
      known_at = case when a.next_block > a.known_block then clock_timestamp() else a.known_at end
    returning next_block, known_block,
      known_at <= clock_timestamp() - make_interval(mins => ${SETTLE_MINUTES}) as is_due`.execute(db)
  const [row] = rows
  if (row === undefined || !row.is_due) return undefined
  const [from, to] = [BigInt(row.next_block), BigInt(row.known_block)]
  return from <= to ? { from, to } : undefined
}

/** Records that the payments of all blocks before `nextBlock` were compared. */
export async function recordAuditedBlocks(
  db: Kysely<Tables>,
  chainId: number,
  nextBlock: bigint,
): Promise<void> {
  await sql`
    update facilitator.audited_blocks set next_block = greatest(next_block, ${nextBlock})
    where chain_id = ${chainId}`.execute(db)
}
