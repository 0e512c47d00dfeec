import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { AccountNotFoundError } from './balance.ts'

/** What an account can spend. Amounts are in wei, as decimal digits. */
export interface Spendable {
  readonly balance: string
  /** What the active quota still allows. Null without one. */
  readonly quota: string | null
  readonly isFrozen: boolean
}

/** Reads what an account can spend. @throws AccountNotFoundError */
export async function readSpendable(db: Kysely<Tables>, account: number): Promise<Spendable> {
  const { rows } = await sql<Spendable>`
    select a.available::text as balance, (q.limit_amount - q.used)::text as quota, a.frozen_at is not null as "isFrozen"
    from facilitator.accounts a
    left join facilitator.payer_quotas q on q.account_id = a.id and q.ended_at is null
      and extract(epoch from clock_timestamp()) >= q.valid_after and extract(epoch from clock_timestamp()) < q.valid_before
    where a.id = ${account}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new AccountNotFoundError(account)
  return row
}
