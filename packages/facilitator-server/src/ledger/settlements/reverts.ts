import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { RevertLimits } from './reserve.ts'

/** A payer or an account whose transactions reverted recently. */
export interface RevertCount {
  readonly kind: 'payer' | 'account'
  /** The payer's wallet, or the account's id. */
  readonly subject: string
  readonly reverts: number
  /** Whether its payments are refused now. */
  readonly refused: boolean
}

/** Lists payers and accounts whose transactions reverted within the window of the limits, most reverts first. */
export async function listReverts(
  db: Kysely<Tables>,
  { perPayer, perAccount, windowSeconds }: RevertLimits,
): Promise<RevertCount[]> {
  const { rows } = await sql<{ kind: 'payer' | 'account'; subject: string; reverts: number }>`
    with reverted as (
      select t.payer, s.account_id from facilitator.transactions t
      join facilitator.settlements s on s.id = t.settlement_id::bigint
      where t.succeeded = false and s.state <> 'settled'
        and t.created_at > clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)
    )
    select 'payer' as kind, payer as subject, count(*)::integer as reverts from reverted group by payer
    union all
    select 'account', account_id::text, count(*)::integer from reverted group by account_id
    order by reverts desc, kind, subject limit 1000`.execute(db)
  return rows.map(({ kind, subject, reverts }) => {
    const limit = kind === 'payer' ? perPayer : perAccount
    return { kind, subject, reverts, refused: limit > 0 && reverts >= limit }
  })
}
