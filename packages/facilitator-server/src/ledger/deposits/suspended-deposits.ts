import type { OperatorHealth } from '@mintmark/facilitator/operator'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'

type SuspendedDeposit = NonNullable<OperatorHealth['suspendedDeposits']>[number]

/**
 * Lists the wallets without an account whose deposits no account was credited with, the largest sum first:
 * the order of time would let dust of other wallets hide a deposit behind the limit.
 */
export async function listSuspendedDeposits(db: Kysely<Tables>, limit: number): Promise<SuspendedDeposit[]> {
  const { rows } = await sql<Omit<SuspendedDeposit, 'firstTime'> & { firstAt: Date }>`
    select payer, chain_id as "chainId", sum(amount)::text as amount, count(*)::int as deposits, min(created_at) as "firstAt"
    from facilitator.deposits
    where account_id is null and reversed_at is null
    group by payer, chain_id order by sum(amount) desc, min(created_at), payer limit ${limit}`.execute(db)
  return rows.map(({ firstAt, ...deposit }) => ({ ...deposit, firstTime: firstAt.toISOString() }))
}
