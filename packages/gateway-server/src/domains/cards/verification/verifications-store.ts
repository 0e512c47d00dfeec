import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'

export type Verification = Selectable<Tables['gateway.card_verifications']>
/** The programs whose cards are verified. */
export type VerifiedProgram = Verification['program']

export const VERIFICATION_ORDERS: Orders = { id: 'id', createTime: 'id' }

/** What a scanner asks. */
export interface Asked {
  program: VerifiedProgram
  action: string
  nonce: string
  device: string
  store: string
  verifier: string
  /** The card by its id or its code: `id 7` or `code …`. */
  asked: string
}

/** Takes the nonce for a new verification; undefined where it is taken. Waits for one that is being made under the same nonce. */
export async function claim(db: Db, project: number, asked: Asked): Promise<Verification | undefined> {
  return await db
    .insertInto('gateway.card_verifications')
    .values({ project_id: project, ...asked })
    .onConflict((conflict) => conflict.constraint('card_verifications_nonce').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The verification that has the nonce. */
export async function findByNonce(
  db: Db,
  project: number,
  { program, device, nonce }: Asked,
): Promise<Verification> {
  return await db
    .selectFrom('gateway.card_verifications')
    .selectAll()
    .where('project_id', '=', project)
    .where('program', '=', program)
    .where('device', '=', device)
    .where('nonce', '=', nonce)
    .executeTakeFirstOrThrow()
}

/**
 * Judges a verification that was claimed, and uses the card where it is good, in one statement. The card's row is locked first and judged
 * as it then is, by the clock of that moment; a membership's visit is had by whoever inserts it. A card that is not found leaves the record
 * as it was claimed: refused, `unknown`.
 */
export async function decide(
  db: Db,
  { id, project_id, program, action, store }: Verification,
  card: { id: number } | { code: string },
  timeZone: string,
): Promise<Verification> {
  const asked = 'id' in card ? sql`id = ${card.id}::bigint` : sql`qr_code = ${card.code}`
  const { rows } = await sql<Verification>`
    with held as materialized (
      select * from gateway.cards
      where project_id = ${project_id}::bigint and program = ${program} and ${asked}
      for no key update
    ),
    judged as materialized (
      select id, case
        when deleted then 'removed'
        when start_time > clock_timestamp() then 'not_yet_valid'
        when validity_period < clock_timestamp() then 'expired'
        when applicable_stores <> '{}' and ${store} <> all (applicable_stores) then 'wrong_store'
        when is_checked_in then 'already_checked_in'
        when used_count >= total_issued then
          case when total_issued = 1 then 'already_redeemed' else 'exhausted' end
        else '' end as refusal
      from held
    ),
    visit as (
      insert into gateway.card_visits as known (project_id, card_id, store, day, action, verification_id)
      select ${project_id}::bigint, judged.id, ${store}, (clock_timestamp() at time zone ${timeZone}::text)::date,
        ${action}, ${id}::bigint
      from judged where refusal = '' and ${program} = 'membership'
      on conflict (project_id, card_id, store, day) do update set action = known.action
      returning verification_id, action
    ),
    used as (
      update gateway.cards as card set
        used_count = card.used_count + (card.program = 'promo_code')::int,
        is_checked_in = card.is_checked_in or card.program = 'event',
        updated_at = clock_timestamp()
      from judged
      where card.project_id = ${project_id}::bigint and card.id = judged.id and judged.refusal = ''
        and card.program <> 'membership'
    ),
    verdict as (
      select judged.id, case
        when refusal <> '' or visit.verification_id is null or visit.verification_id = ${id}::bigint then refusal
        when visit.action = 'CHECK_IN' then 'already_checked_in'
        else 'already_redeemed' end as reason
      from judged left join visit on true
    )
    update gateway.card_verifications as verification set
      card_id = verdict.id,
      reason = verdict.reason,
      result = case when verdict.reason = '' then 'OK' else 'REFUSED' end
    from verdict
    where verification.project_id = ${project_id}::bigint and verification.id = ${id}::bigint
    returning verification.*`.execute(db)
  return rows[0] ?? (await find(db, project_id, id))
}

async function find(db: Db, project: number, id: number): Promise<Verification> {
  return await db
    .selectFrom('gateway.card_verifications')
    .selectAll()
    .where('project_id', '=', project)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export interface VerificationFilter {
  cardId?: number | undefined
  store?: string | undefined
  verifier?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export async function pageOfVerifications(
  db: Db,
  project: number,
  program: VerifiedProgram,
  { cardId, store, verifier, from, to }: VerificationFilter,
  query: PageQuery,
): Promise<FoundPage<Verification>> {
  let found = db
    .selectFrom('gateway.card_verifications')
    .selectAll()
    .where('project_id', '=', project)
    .where('program', '=', program)
  if (cardId !== undefined) found = found.where('card_id', '=', cardId)
  if (store !== undefined) found = found.where('store', '=', store)
  if (verifier !== undefined) found = found.where('verifier', '=', verifier)
  if (from !== undefined) found = found.where('created_at', '>=', from)
  if (to !== undefined) found = found.where('created_at', '<', to)
  return await findPage(db, 'gateway.card_verifications', found, query)
}
