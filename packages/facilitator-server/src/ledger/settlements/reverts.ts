import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Operator } from '../accounts/accounts.ts'
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

/** Whose reverts count: a payer's or an account's. */
export type RevertSubject = Pick<RevertCount, 'kind' | 'subject'>

/**
 * The condition that an operator cleared the reverts of a subject, `payer/<wallet>` or `account/<id>`, after
 * the time of the row `r` of `selectReverted`.
 */
const isCleared = (subject: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from facilitator.revert_clearances c where c.subject = ${subject} and c.cleared_at >= r.created_at)`

/**
 * Selects the transactions within the window that count as reverts: those that reverted without their payment
 * being settled by another one, and those of settlements that count for the account and changed nothing. These
 * count from the block in which they were mined, although their settlements are unknown until it is final:
 * otherwise many could be sent before the first one counts.
 */
const selectReverted = (windowSeconds: number): RawBuilder<unknown> => {
  const since = sql`clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)`
  return sql`
    select t.payer, s.reverts_count_for, s.account_id, t.created_at
    from facilitator.transactions t join facilitator.settlements s on s.id = t.settlement_id
    where t.succeeded = false and s.state <> 'settled' and t.created_at > ${since}
    union all
    select t.payer, s.reverts_count_for, s.account_id, t.mined_at
    from (
      select id, account_id, reverts_count_for from facilitator.settlements
      where state = 'failed' and reverts_count_for = 'account' and ended_at > ${since}
      union all
      select id, account_id, reverts_count_for from facilitator.settlements
      where state = 'unknown' and reverts_count_for = 'account'
    ) s join facilitator.transactions t on t.settlement_id = s.id
    where t.succeeded and t.mined_at > ${since}`
}

/**
 * Records an operator's decision that the reverts of a payer or an account so far no longer count, so that
 * its payments are accepted again. Of several decisions the last one is stored.
 */
export async function clearReverts(
  db: Kysely<Tables>,
  { kind, subject }: RevertSubject,
  { actor, reason }: Operator,
): Promise<void> {
  await sql`
    insert into facilitator.revert_clearances (subject, cleared_at, actor, reason)
    values (${`${kind}/${subject}`}, clock_timestamp(), ${actor}, ${reason})
    on conflict (subject) do update set
      cleared_at = excluded.cleared_at, actor = excluded.actor, reason = excluded.reason`.execute(db)
}

/**
 * Lists payers and accounts whose transactions reverted within the window of the limits, most reverts first.
 */
export async function listReverts(
  db: Kysely<Tables>,
  { perPayer, perAccount, windowSeconds }: RevertLimits,
): Promise<RevertCount[]> {
  const { rows } = await sql<{ kind: 'payer' | 'account'; subject: string; reverts: number }>`
    with reverted as (${selectReverted(windowSeconds)})
    select 'payer' as kind, r.payer as subject, count(*)::integer as reverts from reverted r
      where r.reverts_count_for = 'payer'
        and not ${isCleared(sql`'payer/' || r.payer`)} group by r.payer
    union all
    select 'account', r.account_id::text, count(*)::integer from reverted r
      where not ${isCleared(sql`'account/' || r.account_id`)} group by r.account_id
    order by reverts desc, kind, subject limit 1000`.execute(db)
  return rows.map(({ kind, subject, reverts }) => {
    const limit = kind === 'payer' ? perPayer : perAccount
    return { kind, subject, reverts, refused: limit > 0 && reverts >= limit }
  })
}
