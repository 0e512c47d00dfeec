import { type Kysely, sql } from 'kysely'
import { batchByKey } from '../../database/batch.ts'
import { deleteInBatches } from '../../database/delete-batches.ts'
import type { Tables } from '../../database/tables.ts'

/** What an account was paid in one asset. Amounts are decimal digits, in base units of the asset. */
interface Paid {
  readonly network: string
  readonly asset: string
  readonly settled: number
  readonly amount: string
}

/** The sum of an account's payments of a day, in one asset. */
export interface DayTotal extends Paid {
  /** Such as `2026-03-31`. */
  readonly day: string
  readonly failed: number
  readonly unresolved: number
  readonly unresolvedAmount: string
  readonly refunded: string
  /** Wei of the native token. */
  readonly charged: string
}

/** The sum of an account's settled payments for one resource, in one asset. */
export interface ResourceTotal extends Paid {
  /** `''`: the payments name none. `*`: all resources together whose amounts are smaller. */
  readonly resource: string
}

/** The totals of an account's last days. */
export interface AccountDays {
  /** In UTC, oldest first. */
  readonly days: readonly string[]
  readonly totals: readonly DayTotal[]
  /** Those of an asset together, the largest amount first. */
  readonly resources: readonly ResourceTotal[]
}

/** The most calls that one statement serves. */
const MAX_BATCH_SIZE = 500
/** The most resources of an asset that are not added up. */
export const MAX_RESOURCES = 20

/**
 * Creates the function that adds up the last days of an account. An account has one statement at a time:
 * concurrent calls for the same number of days share the next one.
 */
export function createListAccountDays(db: Kysely<Tables>) {
  return batchByKey(
    async (accountId: number, counts: number[]) => {
      const byCount = new Map<number, AccountDays>()
      for (const count of new Set(counts)) byCount.set(count, await listDays(db, accountId, count))
      return counts.flatMap((count) => byCount.get(count) ?? [])
    },
    { maxItems: MAX_BATCH_SIZE },
  )
}

/** What has no outcome is in no total. The index `settlements_by_state` has it. */
async function listDays(db: Kysely<Tables>, accountId: number, count: number): Promise<AccountDays> {
  const { rows } = await sql<AccountDays>`
    with day as (
      select (statement_timestamp() at time zone 'UTC')::date - n as day from generate_series(0, ${count}::integer - 1) as n
    ), total as materialized (
      select day, network, asset, resource, settled, failed, 0 as unresolved, amount, 0 as unresolved_amount, refunded, charged
      from facilitator.account_totals where account_id = ${accountId} and day >= (select min(day) from day)
      union all
      select (created_at at time zone 'UTC')::date, network, asset, resource, 0, 0, 1, 0, amount, 0, 0
      from facilitator.settlements
      where account_id = ${accountId} and state in ('sent', 'unknown')
        and created_at >= (select min(day) from day)::timestamp at time zone 'UTC'
    ), of_day as (
      select day, network, asset, sum(settled) as settled, sum(failed) as failed, sum(unresolved) as unresolved,
        sum(amount)::text as amount, sum(unresolved_amount)::text as "unresolvedAmount",
        sum(refunded)::text as refunded, sum(charged)::text as charged
      from total group by day, network, asset
    ), of_resource as (
      select network, asset, resource, sum(settled) as settled, sum(amount) as amount,
        row_number() over (partition by network, asset order by sum(amount) desc, resource) as place
      from total group by network, asset, resource having sum(settled) > 0
    ), shown as (
      select network, asset, case when place <= ${MAX_RESOURCES} then resource else '*' end as resource, least(place, ${MAX_RESOURCES + 1}) as place,
        sum(settled) as settled, sum(amount)::text as amount
      from of_resource group by 1, 2, 3, 4 order by 1, 2, 4
    )
    select (select json_agg(day order by day) from day) as days,
      (select coalesce(json_agg(of_day), '[]') from of_day) as totals,
      (select coalesce(json_agg(shown), '[]') from shown) as resources`.execute(db)
  return rows[0] ?? { days: [], totals: [], resources: [] }
}

/**
 * Adds the changes that transitions have appended to the sums of their days, so that there are few rows to
 * add up. Processes may do it at the same time.
 */
export async function addTotalChanges(db: Kysely<Tables>, batch: number = 5_000): Promise<void> {
  await deleteInBatches(batch, async () => {
    const { rows } = await sql<{ count: number }>`
      with taken as (
        delete from facilitator.total_changes where id in (
          select id from facilitator.total_changes order by id limit ${batch} for update skip locked)
        returning *
      ), added as (
        insert into facilitator.daily_totals as t
        select account_id, day, network, asset, resource, sum(settled), sum(failed), sum(amount), sum(refunded),
          sum(charged)
        from taken group by account_id, day, network, asset, resource
        -- The same order in each process, so that none waits for another one that waits for it.
        order by account_id, day, network, asset, resource
        on conflict (account_id, day, network, asset, resource) do update set settled = t.settled + excluded.settled,
          failed = t.failed + excluded.failed, amount = t.amount + excluded.amount,
          refunded = t.refunded + excluded.refunded, charged = t.charged + excluded.charged
      )
      select count(*)::integer as count from taken`.execute(db)
    return rows[0]?.count ?? 0
  })
}
