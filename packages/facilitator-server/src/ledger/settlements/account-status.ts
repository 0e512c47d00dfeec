import { type Kysely, sql } from 'kysely'
import type { PayerFunds, Payment } from '../../payments/payment.ts'
import type { Tables } from '../../tables.ts'
import type { RevertLimits, Shortage } from './reserve.ts'

export interface AccountStatus {
  readonly shortage: Shortage | undefined
  /** Whether the payer, or the account, has had too many reverted transactions recently. */
  readonly reverted: boolean
  /** Upper bound of what the payer has in flight, in base units of the asset. Includes payments that the balance already reflects. */
  readonly maxInFlight: bigint
}

/** Reads whether the account can pay for a settle, and what the payer has in flight. */
export async function readAccountStatus(
  db: Kysely<Tables>,
  account: number,
  price: bigint,
  { network, asset, payer }: Payment,
  { perPayer, perAccount, windowSeconds }: RevertLimits,
): Promise<AccountStatus> {
  const { rows } = await sql<{
    frozen: boolean
    funded: boolean
    allowed: boolean
    reverted: boolean
    in_flight: string
  }>`
    select a.frozen_at is not null as frozen, a.available >= ${price.toString()}::numeric as funded,
      exists (select from facilitator.payer_quotas q
        where q.account_id = a.id and q.ended_at is null and q.limit_amount - q.used >= ${price.toString()}::numeric
          and extract(epoch from clock_timestamp()) >= q.valid_after
          and extract(epoch from clock_timestamp()) < q.valid_before) as allowed,
      (${perPayer}::bigint > 0 and facilitator.payer_reverts(${payer},
          clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)) >= ${perPayer}::bigint)
        or (${perAccount}::bigint > 0 and facilitator.account_reverts(a.id,
          clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)) >= ${perAccount}::bigint) as reverted,
      facilitator.amount_in_flight(${network}, ${asset}, ${payer}, null, interval '1 day') as in_flight
    from facilitator.accounts a where a.id = ${account}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`Account ${account} does not exist`)
  return { shortage: toShortage(row), reverted: row.reverted, maxInFlight: BigInt(row.in_flight) }
}

function toShortage(row: { frozen: boolean; funded: boolean; allowed: boolean }): Shortage | undefined {
  if (row.frozen) return 'frozen'
  if (!row.funded) return 'balance'
  return row.allowed ? undefined : 'quota'
}

/** Reads the base units of the asset that payments in flight may still take from the balance. */
export async function readInFlight(
  db: Kysely<Tables>,
  { network, asset, payer }: Payment,
  { block, readAt }: PayerFunds,
): Promise<bigint> {
  const ageSeconds = (performance.now() - readAt) / 1000
  const { rows } = await sql<{ in_flight: string }>`
    select facilitator.amount_in_flight(${network}, ${asset}, ${payer}, ${block?.toString() ?? null}::numeric,
      make_interval(secs => ${ageSeconds}::float8)) as in_flight`.execute(db)
  return BigInt(rows[0]?.in_flight ?? 0)
}
