import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { TillStore } from '../stores/till-store.ts'

export type Verification = Selectable<Tables['gateway.card_verifications']>
/** The programs whose cards are verified. */
export type VerifiedProgram = Verification['program']

export const VERIFICATION_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
} as const satisfies SortColumns

/**
 * A verification that a scanner requests, by columns. `actor` makes the call. `requested_card` is the card by its
 * id or its code: `id 7` or `code …`.
 */
export type Request = Pick<
  Verification,
  'program' | 'action' | 'nonce' | 'device' | 'store' | 'store_key' | 'verifier' | 'actor' | 'requested_card'
>

/** A card by its id or by the code of its QR image. */
export type CardKey = { readonly id: number } | { readonly code: string }

/**
 * Claims the nonce of a new verification. Returns undefined if the nonce is in use. Waits for a concurrent
 * verification with the same nonce.
 */
export async function claim(tenant: Tenant, request: Request): Promise<Verification | undefined> {
  return await tenant
    .insertInto('gateway.card_verifications')
    .values(request)
    .onConflict((conflict) => conflict.constraint('card_verifications_nonce').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Finds the verification that used the nonce. */
export async function findByNonce(
  tenant: Tenant,
  { program, device, nonce }: Pick<Request, 'program' | 'device' | 'nonce'>,
): Promise<Verification | undefined> {
  return await tenant
    .selectFrom('gateway.card_verifications')
    .selectAll()
    .where('program', '=', program)
    .where('device', '=', device)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
}

/**
 * Decides a claimed verification and uses the card if it is valid, in one statement. The card's row is locked
 * first, so that its state and the clock are those of this moment. Of a membership card's visits in a store
 * on one day, the first insert counts. If no card matches, the verification stays as it was claimed: refused
 * as `unknown`.
 */
export async function decide(
  tenant: Tenant,
  { id, program, action }: Verification,
  card: CardKey,
  { name, keys, visitKey, timeZone }: TillStore,
): Promise<Verification> {
  const isCard = 'id' in card ? sql`id = ${card.id}::bigint` : sql`qr_code = ${card.code}`
  const { rows } = await sql<Verification>`
    with locked as materialized (
      select * from gateway.cards
      where project_id = ${tenant.project}::bigint and program = ${program} and ${isCard}
      for no key update
    ),
    campaign as materialized (
      select campaign.status as campaign_status from gateway.campaigns campaign, locked
      where campaign.project_id = ${tenant.project}::bigint and campaign.id = locked.campaign_id
    ),
    evaluated as materialized (
      select id, used_count, campaign_id, (clock_timestamp() at time zone ${timeZone}::text)::date as day, case
        when deleted then 'removed'
        when campaign_status = 'PAUSED' then 'campaign_paused'
        when campaign_status = 'ENDED' then 'campaign_ended'
        when start_time > clock_timestamp() then 'not_yet_valid'
        when validity_period < clock_timestamp() then 'expired'
        when store_keys <> '{}' and not store_keys && ${keys}::text[] then 'wrong_store'
        when is_checked_in then 'already_checked_in'
        when used_count >= total_issued then
          case when total_issued = 1 then 'already_redeemed' else 'exhausted' end
        else '' end as refusal
      from locked left join campaign on true
    ),
    visit as (
      insert into gateway.card_visits as earlier (project_id, card_id, store, day, action, verification_id)
      select ${tenant.project}::bigint, evaluated.id, ${visitKey}, evaluated.day, ${action}, ${id}::bigint
      from evaluated where refusal = '' and ${program} = 'membership'
      on conflict (project_id, card_id, store, day) do update set action = earlier.action
      returning verification_id, action
    ),
    use as (
      update gateway.cards as card set
        used_count = card.used_count + (card.program = 'promo_code')::int,
        is_checked_in = card.is_checked_in or card.program = 'event',
        check_in_id = case when card.program = 'event' then ${id}::bigint end,
        updated_at = clock_timestamp()
      from evaluated
      where card.project_id = ${tenant.project}::bigint and card.id = evaluated.id and evaluated.refusal = ''
        and card.program <> 'membership'
    ),
    outcome as (
      select evaluated.id, evaluated.used_count, evaluated.campaign_id, evaluated.day, case
        when refusal <> '' or visit.verification_id is null or visit.verification_id = ${id}::bigint then refusal
        when visit.action = 'CHECK_IN' then 'already_checked_in'
        else 'already_redeemed' end as reason
      from evaluated left join visit on true
    ),
    counted as (
      insert into gateway.card_counts as today (project_id, campaign_id, day, store, outcome, count)
      select ${tenant.project}::bigint, campaign_id, day, ${name},
        case when reason = '' then 'OK' else reason end, 1
      from outcome where campaign_id is not null
      on conflict (project_id, campaign_id, day, actor, store, outcome) do update set count = today.count + 1
    )
    update gateway.card_verifications as verification set
      card_id = outcome.id,
      day = outcome.day,
      reason = outcome.reason,
      result = case when outcome.reason = '' then 'OK' else 'REFUSED' end,
      used_count = case when ${program} = 'promo_code' then outcome.used_count + (outcome.reason = '')::int else 0 end
    from outcome
    where verification.project_id = ${tenant.project}::bigint and verification.id = ${id}::bigint
    returning verification.*`.execute(tenant)
  const row = rows[0] ?? (await findById(tenant, id))
  if (row === undefined) throw new Error(`Verification ${id} was not claimed`)
  return row
}

export async function findById(tenant: Tenant, id: number): Promise<Verification | undefined> {
  return await tenant
    .selectFrom('gateway.card_verifications')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface VerificationFilter extends TimeRange {
  cardId?: number | undefined
  store?: string | undefined
  verifier?: string | undefined
}

export async function listVerifications(
  tenant: Tenant,
  program: VerifiedProgram,
  { cardId, store, verifier, from, to }: VerificationFilter,
  query: PageQuery,
): Promise<PageRows<Verification>> {
  let rows = tenant.selectFrom('gateway.card_verifications').selectAll()
  if (verifier !== undefined) rows = rows.where(sql<boolean>`verifier = ${verifier}`)
  // An index has the verifications of a card, or of a store. The other filters are compared.
  const [first, ...others] = Object.entries({ card_id: cardId, store }).filter(
    ([, value]) => value !== undefined,
  )
  for (const [column, value] of others) rows = rows.where(sql<boolean>`${sql.ref(column)} = ${value}`)
  const columns = { program, ...(first && Object.fromEntries([first])) }
  return await findPage(tenant.db, 'gateway.card_verifications', rows, query, {
    index: { columns },
    created: { from, to },
  })
}
