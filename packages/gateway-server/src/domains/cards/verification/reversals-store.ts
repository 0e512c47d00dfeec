import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'
import { DEFAULT_SETTINGS } from '../settings/settings-store.ts'
import type { Verification } from './verifications-store.ts'

/** The most counts that `listReversalCounts` returns. */
const MAX_COUNTS = 1000

/** A reversal that a caller requests. */
export interface Reversal {
  /** The verification. */
  readonly id: number
  readonly nonce: string
  readonly device: string
  readonly verifier: string
  readonly reason: string
  readonly actor: string
  /** Whether the caller may reverse any verification at any time. */
  readonly isManager: boolean
}

/** The reversal, or the reason why it is refused. */
interface Outcome {
  readonly refusal: string
  readonly reversal: number | null
}

/**
 * Reverses a verification in one statement, which locks it first: it gives the use back, counts and records
 * the reversal. A check-in that was already ended by hand is only recorded. Returns undefined if there is no
 * such verification, or the reason of the rule that refuses.
 */
export async function reverse(
  tenant: Tenant,
  { id, nonce, device, verifier, reason, actor, isManager }: Reversal,
  timeZone: string,
): Promise<Outcome | undefined> {
  const { rows } = await sql<Outcome>`
    with original as materialized (
      select * from gateway.card_verifications
      where project_id = ${tenant.project}::bigint and id = ${id}::bigint
      for no key update
    ),
    settings as materialized (
      select coalesce(max(reversal_minutes), ${DEFAULT_SETTINGS.reversal_minutes}::integer) as minutes,
        coalesce(max(reversals_per_day), ${DEFAULT_SETTINGS.reversals_per_day}::integer) as per_day
      from gateway.card_settings where project_id = ${tenant.project}::bigint
    ),
    evaluated as materialized (
      select original.*, case
        when result <> 'OK' then 'NOT_REVERSIBLE'
        when reversed_by is not null then 'ALREADY_REVERSED'
        when ${isManager}::boolean then ''
        when actor <> ${actor} or created_at + make_interval(mins => minutes) < clock_timestamp() then 'REVERSAL_NOT_ALLOWED'
        when per_day = 0 then 'TOO_MANY_REVERSALS'
        else '' end as refusal, per_day
      from original, settings
    ),
    counted as (
      insert into gateway.card_counts as today (project_id, day, actor, outcome, count)
      select project_id, (clock_timestamp() at time zone ${timeZone}::text)::date, ${actor}, 'REVERSED', 1
      from evaluated where refusal = ''
      on conflict (project_id, campaign_id, day, actor, store, outcome) do update set count = today.count + 1
      where ${isManager}::boolean or today.count < (select per_day from evaluated)
      returning project_id
    ),
    given_back as (
      update gateway.cards as card set
        used_count = card.used_count - (card.program = 'promo_code')::int,
        is_checked_in = card.is_checked_in and card.program <> 'event',
        check_in_id = null,
        updated_at = clock_timestamp()
      from evaluated, counted
      where card.project_id = ${tenant.project}::bigint and card.id = evaluated.card_id
        and (card.program = 'promo_code' or card.program = 'event' and card.check_in_id = evaluated.id)
      returning card.used_count, card.program
    ),
    forgotten as (
      delete from gateway.card_visits as visit using evaluated, counted
      where visit.project_id = ${tenant.project}::bigint and visit.card_id = evaluated.card_id
        and visit.verification_id = evaluated.id
      returning visit.verification_id
    ),
    campaign_counted as (
      insert into gateway.card_counts as today (project_id, campaign_id, day, store, outcome, count)
      -- The day of the use, so that no day has fewer uses than reversals.
      select card.project_id, card.campaign_id, evaluated.day, evaluated.store, 'REVERSED', 1
      from evaluated, counted, gateway.cards card
      where card.project_id = ${tenant.project}::bigint and card.id = evaluated.card_id and card.campaign_id is not null
        -- After the card and its visit, in the order in which verifications lock them.
        and (select count(*) from given_back) >= 0 and (select count(*) from forgotten) >= 0
      on conflict (project_id, campaign_id, day, actor, store, outcome) do update set count = today.count + 1
    ),
    recorded as (
      insert into gateway.card_verifications
        (project_id, program, card_id, action, nonce, device, store, store_key, day, verifier, actor, requested_card, used_count,
          result, reason, reverses)
      select evaluated.project_id, evaluated.program, card_id, action, ${nonce}, ${device}, store, store_key, day,
        ${verifier}, ${actor},
        'verification ' || evaluated.id,
        coalesce((select used_count from given_back where program = 'promo_code'), 0), 'REVERSED', ${reason}, evaluated.id
      from evaluated, counted
      returning id, reverses
    ),
    marked as (
      update gateway.card_verifications as verification set reversed_by = recorded.id
      from recorded
      where verification.project_id = ${tenant.project}::bigint and verification.id = recorded.reverses
    )
    select recorded.id as reversal, case
      when refusal = '' and recorded.id is null then 'TOO_MANY_REVERSALS' else refusal end as refusal
    from evaluated left join recorded on true`.execute(tenant)
  return rows[0]
}

/** Finds the verification that checked an event card in. */
export async function findCheckIn(trx: Tenant, cardId: number): Promise<number | undefined> {
  const card = await trx
    .selectFrom('gateway.cards')
    .select('check_in_id')
    .where('program', '=', 'event')
    .where('id', '=', cardId)
    .where('deleted', '=', false)
    .executeTakeFirst()
  return card?.check_in_id ?? undefined
}

/** Finds the latest use of the card of a verification that still counts. A membership card's is of the same store. */
export async function findPreviousUse(
  tenant: Tenant,
  { program, card_id, store_key }: Verification,
): Promise<Verification | undefined> {
  let uses = tenant
    .selectFrom('gateway.card_verifications')
    .selectAll()
    .where('program', '=', program)
    .where('card_id', '=', card_id)
    .where('result', '=', 'OK')
    .where('reversed_by', 'is', null)
  if (program === 'membership')
    uses = uses.where(sql<boolean>`id in (
      select verification_id from gateway.card_visits visit
      where visit.project_id = ${tenant.project} and visit.card_id = ${card_id} and visit.store = ${store_key})`)
  return await uses.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** Lists the counts of reversals of the last 31 days. */
export async function listReversalCounts(
  tenant: Tenant,
): Promise<{ actor: string; day: string; count: number }[]> {
  return await tenant
    .selectFrom('gateway.card_counts')
    .select(['actor', sql<string>`day::text`.as('day'), 'count'])
    .where('campaign_id', '=', 0)
    .where('outcome', '=', 'REVERSED')
    .where('day', '>', sql<string>`current_date - 31`)
    .orderBy('gateway.card_counts.day', 'desc')
    .orderBy('count', 'desc')
    .limit(MAX_COUNTS)
    .execute()
}
