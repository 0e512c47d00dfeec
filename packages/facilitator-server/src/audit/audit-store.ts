import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

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
    select t.hash, t.settlement_id,
      case when s.state = 'settled' then 'not charged' else coalesce(s.state, 'missing') end as state
    from facilitator.transactions t left join facilitator.settlements s on s.id = t.settlement_id::bigint
    where t.purpose = 'settle' and t.state = 'final' and t.succeeded
      and t.created_at < clock_timestamp() - make_interval(mins => ${SETTLE_MINUTES})
      and (s.state is distinct from 'settled'
        or not exists (select from facilitator.charges c where c.settlement_id = s.id))
    order by t.id limit ${MAX_LISTED}`.execute(db)
  return rows.map(({ hash, settlement_id, state }) => ({ hash, settlementId: settlement_id, state }))
}
