import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../../../../database/store.ts'

/** The grants to list: of an account, of a wallet, or all. */
export interface GrantFilter {
  readonly accountId?: number | undefined
  readonly payer?: string | undefined
}

/** A grant, with the transfer that gave the gas. */
export interface ListedGrant {
  /** The id of the transfer. Ids have the order of creation, except of concurrent grants. */
  readonly id: number
  readonly accountId: number
  readonly settlementId: number
  readonly chainId: number
  readonly payer: string
  readonly asset: string
  /** Wei. */
  readonly amount: string
  /** Wei. */
  readonly cost: string
  readonly state: string
  readonly succeeded: boolean | null
  readonly hash: string
  readonly approvalHash: string
  readonly createdAt: Date
}

/** What the payers of accounts received today, by chain. */
export interface DayTotals {
  /** UTC, such as `2026-01-31`. */
  readonly day: string
  /** Largest first. */
  readonly totals: readonly { readonly accountId: number; readonly chainId: number; readonly cost: string }[]
}

const LISTED_TOTALS = 100

/**
 * Lists at most `size` grants, newest first, older than the one with the id `before`. An index has the rows
 * of each filter in this order.
 */
export async function listGrants(
  db: Store,
  { accountId, payer }: GrantFilter,
  { before, size }: { before: number | undefined; size: number },
): Promise<ListedGrant[]> {
  const conditions: RawBuilder<unknown>[] = [
    ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
    ...(payer === undefined ? [] : [sql`payer = ${payer.toLowerCase()}`]),
    ...(before === undefined ? [] : [sql`transaction_id < ${before}`]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<ListedGrant>`
    select g.transaction_id as id, g.account_id as "accountId", g.settlement_id as "settlementId", g.chain_id as "chainId",
      g.payer, g.asset, g.amount, g.cost, t.state, t.succeeded, g.approval_hash as "approvalHash", g.created_at as "createdAt",
      coalesce(t.hash, (select a.hash from facilitator.transaction_attempts a where a.transaction_id = t.id
        order by a.created_at desc limit 1)) as hash
    from (select * from facilitator.approval_grants ${where} order by transaction_id desc limit ${size}) g
    join facilitator.transactions t on t.id = g.transaction_id
    order by g.transaction_id desc`.execute(db)
  return rows
}

/**
 * Reads the largest totals of the present day, which the next grants of the accounts count against their
 * limits.
 */
export async function readDayTotals(db: Store): Promise<DayTotals> {
  const { rows } = await sql<{ day: string; account_id: number | null; chain_id: number; cost: string }>`
    select today.day::text, t.account_id, t.chain_id, t.cost
    from (select (clock_timestamp() at time zone 'UTC')::date as day) today
    left join lateral (select * from facilitator.approval_grant_totals where day = today.day
      order by day desc, cost desc limit ${LISTED_TOTALS}) t on true
    order by t.cost desc, t.account_id, t.chain_id`.execute(db)
  const totals = rows.flatMap(({ account_id: accountId, chain_id: chainId, cost }) =>
    accountId === null ? [] : [{ accountId, chainId, cost }],
  )
  return { day: rows[0]?.day ?? '', totals }
}
