import { parseCardCode } from '@mintmark/cards'
import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'
import { toContainsPattern } from '../../../database/text-rules.ts'
import { type Card, type CardSearchFilter, type Program, searchCards } from './cards-store.ts'

const PROGRAMS: readonly Program[] = ['promo_code', 'event', 'commemorative', 'membership']
/** How many cards a part of a name or a holder may find, before the newest of them are chosen. */
const MAX_MATCHES = 1000
/** How many of the newest cards of each program are compared before the index of names is searched. */
const NEWEST = 1000
const CARD_ID = /^[1-9]\d{0,14}$/

/** A card that a search has found. */
export interface FoundCard extends Pick<Card, 'id' | 'program' | 'name' | 'creator' | 'created_at'> {
  readonly found_by: 'ID' | 'CODE' | 'REFERENCE' | 'NAME' | 'WALLET'
}

/** What cards are searched by. */
export interface CardSearch {
  /** An id, a code, the address of a card's page, a reference, or a part of a name. */
  readonly text: string
  /** The wallets that may hold the cards. */
  readonly holders: readonly string[]
  /** The wallet whose references are searched. Undefined: all references of the project. */
  readonly referenceOwner: string | undefined
}

/** Finds cards of all programs, newest first. */
export async function findCards(
  tenant: Tenant,
  { text, holders, referenceOwner }: CardSearch,
  limit: number,
): Promise<FoundCard[]> {
  const listed = sql`project_id = ${tenant.project} and not deleted`
  const ofOwner = referenceOwner === undefined ? sql`true` : sql`reference_owner = ${referenceOwner}`
  const isSearchable = searchCards(tenant.project, 'promo_code', { keyword: text }).some(
    (each) => each.selectIds,
  )
  const newest = isSearchable ? await findNewestByName(tenant, text, limit) : []
  // A word that most names have would be found a million times in their index.
  const isCommon = newest.length === limit
  const found = PROGRAMS.flatMap((program) => {
    const selectIds = (filter: CardSearchFilter) =>
      searchCards(tenant.project, program, filter).flatMap((search) => search.selectIds?.(MAX_MATCHES) ?? [])
    return [
      sql`(select id, 'REFERENCE' as found_by from gateway.cards
        where ${listed} and program = ${program} and reference = ${text} and reference <> '' and ${ofOwner}
        order by created_at desc limit ${limit})`,
      ...(isCommon ? [] : selectIds({ keyword: text })).map(
        (ids) => sql`(select id, 'NAME' from (${ids}) as named)`,
      ),
      // For all holders at once: planning a part for each would take longer than reading it.
      ...selectIds({ owner: sql`holder.owner` }).map(
        (ids) =>
          sql`(select id, 'WALLET' from unnest(${holders}::text[]) as holder (owner) cross join lateral (${ids}) as held)`,
      ),
    ]
  })
  const { rows } = await sql<FoundCard>`
    with found as (
      (select id, 'CODE' as found_by from gateway.cards where ${listed} and qr_code = ${parseCardCode(text)})
      union all
      (select id, 'ID' from gateway.cards where ${listed} and id = ${CARD_ID.test(text) ? Number(text) : 0})
      union all
      (select id, 'NAME' from unnest(${newest}::bigint[]) as newest (id))
      union all ${sql.join(found, sql` union all `)}
    )
    select c.id, c.program, c.name, c.creator, c.created_at, f.found_by
    from (select id, min(found_by) as found_by from found group by id) f
    join gateway.cards c on c.project_id = ${tenant.project} and c.id = f.id and not c.deleted
    order by c.created_at desc, c.id desc limit ${limit}`.execute(tenant)
  return rows
}

/** Finds cards by a part of their names among the newest ones, newest first. */
async function findNewestByName(tenant: Tenant, text: string, limit: number): Promise<number[]> {
  const newest = PROGRAMS.map(
    (program) => sql`
      (select id, name, created_at from gateway.cards
      where project_id = ${tenant.project} and not deleted and program = ${program}
      order by created_at desc, id desc limit ${NEWEST})`,
  )
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(newest, sql` union all `)}) as newest where name ilike ${toContainsPattern(text)}
    order by created_at desc, id desc limit ${limit}`.execute(tenant)
  return rows.map(({ id }) => id)
}
