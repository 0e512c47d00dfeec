import { type Kysely, sql } from 'kysely'
import { batchByKey } from '../../database/batch.ts'
import type { Tables } from '../../database/tables.ts'

/** The sum of an account's payments of a day, in one asset. Amounts are decimal digits. */
export interface DayTotal {
  readonly network: string
  readonly asset: string
  readonly settled: number
  readonly failed: number
  readonly unresolved: number
  /** Base units of the asset that settled. */
  readonly amount: string
  /** Wei of the native token. */
  readonly charged: string
}

/** A day with its totals. */
export interface DayTotals {
  /** Such as `2026-03-31`. */
  readonly day: string
  readonly totals: readonly DayTotal[]
}

/** The most calls that one statement serves. */
const MAX_BATCH_SIZE = 500

/**
 * Creates the function that adds up the last days of an account in UTC, oldest first. The statement reads
 * every settlement of the days, so an account has only one at a time: concurrent calls share the next one.
 */
export function createListAccountDays(db: Kysely<Tables>) {
  return batchByKey(
    async (accountId: number, counts: number[]) => {
      const days = await listDays(db, accountId, Math.max(...counts))
      return counts.map((count) => days.slice(-count))
    },
    { maxItems: MAX_BATCH_SIZE },
  )
}

/** A settlement counts on the day of its creation. The index `settlements_by_account` has those of a day. */
async function listDays(db: Kysely<Tables>, accountId: number, count: number): Promise<DayTotals[]> {
  const { rows } = await sql<DayTotals>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(s.totals, '[]') as totals
    from generate_series(0, ${count}::integer - 1) as n
    cross join lateral (select date_trunc('day', statement_timestamp() at time zone 'UTC') - n * interval '1 day' as day) d
    left join lateral (
      select json_agg(g) as totals
      from (
        select t.network, t.asset,
          count(*) filter (where t.state = 'settled') as settled,
          count(*) filter (where t.state = 'failed') as failed,
          count(*) filter (where t.state in ('sent', 'unknown')) as unresolved,
          coalesce(sum(t.amount) filter (where t.state = 'settled'), 0)::text as amount,
          coalesce(sum(t.price) filter (where t.hold = 'captured'), 0)::text as charged
        from facilitator.settlements t
        where t.account_id = ${accountId} and t.created_at >= d.day at time zone 'UTC'
          and t.created_at < (d.day + interval '1 day') at time zone 'UTC'
        group by t.network, t.asset) g) s on true
    order by n desc`.execute(db)
  return rows
}
