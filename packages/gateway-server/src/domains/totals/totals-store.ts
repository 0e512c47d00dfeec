import { sql } from 'kysely'
import type { Tenant } from '../../database/tenant.ts'
import type { CountedEvent } from './add-totals.ts'

/** The days to add up: `count` of them in a time zone, with today as the last one. */
export interface DayRange {
  readonly count: number
  readonly timeZone: string
}

/** The sum of one type of events on a day, in one token. */
export interface DayTotal {
  readonly type: CountedEvent
  readonly chain_id: string
  readonly pay_token_address: string
  readonly pay_token_decimals: number
  readonly events: number
  readonly amount: string
}

/** A day with its totals. */
export interface DayTotals {
  /** Such as `2026-03-31`. */
  readonly day: string
  readonly totals: readonly DayTotal[]
}

/** Adds up what happened on each day, oldest first. A day on which clocks change has 23 or 25 hours. */
export async function listDays(tenant: Tenant, { count, timeZone }: DayRange): Promise<DayTotals[]> {
  const { rows } = await sql<DayTotals>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(s.totals, '[]') as totals
    from generate_series(0, ${count}::integer - 1) as n
    cross join lateral (
      select date_trunc('day', clock_timestamp() at time zone ${timeZone}::text) - n * interval '1 day' as day) d
    left join lateral (
      select json_agg(g) as totals
      from (
        select t.type, t.chain_id, t.pay_token_address, max(t.pay_token_decimals) as pay_token_decimals,
          sum(t.events)::bigint as events, sum(t.amount)::text as amount
        from gateway.totals t
        where t.project_id = ${tenant.project} and t.period >= d.day at time zone ${timeZone}::text
          and t.period < (d.day + interval '1 day') at time zone ${timeZone}::text
        group by t.type, t.chain_id, t.pay_token_address) g) s on true
    order by n desc`.execute(tenant.db)
  return rows
}
