import type { CampaignStatus } from '@mintmark/cards'
import {
  findPage,
  type ListSearch,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { hasReference, type References } from '../../../database/references.ts'
import { inRange, type KeywordIndex, searchColumns, searchKeyword } from '../../../database/searches.ts'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { toCampaignKey } from './card-rules.ts'
import { type CardStatus, cardStatus, searchStatus } from './card-status.ts'

export type Card = Selectable<Tables['gateway.cards']>
export type NewCard = NewRow<'gateway.cards'>
export type Program = Card['program']

/** The orders of card lists; the first is the default. */
export const CARD_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  name: 'name',
  startTime: 'start_time',
  endTime: 'end_time',
} as const satisfies SortColumns

/** Adds all cards or none, in one statement. Returns them in the order of the input. */
export async function addAll(tenant: Tenant, cards: readonly NewCard[]): Promise<Card[]> {
  const added = await tenant.insertInto('gateway.cards').values(cards).returningAll().execute()
  const byCode = new Map(added.map((card) => [card.qr_code, card]))
  return cards.flatMap(({ qr_code }) => byCode.get(qr_code) ?? [])
}

function selectCards(tenant: Tenant, program: Program) {
  return tenant.db
    .selectFrom('gateway.cards')
    .selectAll('gateway.cards')
    .where('gateway.cards.project_id', '=', tenant.project)
    .where('program', '=', program)
}

export async function find(tenant: Tenant, program: Program, id: number): Promise<Card | undefined> {
  return await selectCards(tenant, program)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst()
}

export async function findByCode(tenant: Tenant, program: Program, code: string): Promise<Card | undefined> {
  return await selectCards(tenant, program)
    .where('qr_code', '=', code)
    .where('deleted', '=', false)
    .executeTakeFirst()
}

/** Whether a card of any program has this code. */
export async function hasQrCode(tenant: Tenant, code: string): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.cards')
    .select('id')
    .where('qr_code', '=', code)
    .where('deleted', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/** A card with its status, and that of its campaign. */
export interface CardWithStatus extends Card {
  readonly status: CardStatus
  readonly campaign_status: CampaignStatus | null
}

/** Finds a card of any program by its code. Includes removed cards. */
export async function findWithStatus(tenant: Tenant, code: string): Promise<CardWithStatus | undefined> {
  return await tenant
    .selectFrom('gateway.cards')
    .selectAll()
    .select(cardStatus.as('status'))
    .select(
      sql<CampaignStatus | null>`(select c.status from gateway.campaigns c
        where c.project_id = ${tenant.project} and c.id = cards.campaign_id)`.as('campaign_status'),
    )
    .where('qr_code', '=', code)
    .executeTakeFirst()
}

export interface CardChanges
  extends Omit<
    Updateable<Tables['gateway.cards']>,
    'campaign_id' | 'check_in_id' | 'start_time' | 'end_time' | 'validity_period'
  > {
  start_time?: Date | undefined
  end_time?: Date | undefined
  validity_period?: Date | undefined
}

/**
 * Changes a card. The table's constraints guard the rules across columns. The validity period follows the end
 * time until it is set to another time.
 */
export async function change(
  tenant: Tenant,
  program: Program,
  id: number,
  { validity_period, ...changes }: CardChanges,
): Promise<Card | undefined> {
  const { end_time, is_checked_in } = changes
  const validity =
    validity_period ??
    (end_time && sql<Date>`case when validity_period = end_time then ${end_time} else validity_period end`)
  return await tenant
    .updateTable('gateway.cards')
    .set({
      ...changes,
      ...(validity && { validity_period: validity }),
      // An update reverses the check-in that it ends. Another one is later than the update.
      ...(is_checked_in === false && {
        is_checked_in: sql<boolean>`is_checked_in and check_in_id is not null`,
      }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('program', '=', program)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .returningAll()
    .executeTakeFirst()
}

/** Removes a card. Returns false if it never existed. */
export async function remove(tenant: Tenant, program: Program, id: number): Promise<boolean> {
  const row = await tenant
    .updateTable('gateway.cards')
    .set({
      deleted: true,
      updated_at: sql<Date>`case when deleted then updated_at else clock_timestamp() end`,
    })
    .where('program', '=', program)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The conditions of a list. */
export interface CardFilter extends TimeRange {
  creator?: string | undefined
  /** The holder of the card's token. The card's creator if no holder is known. */
  owner?: string | undefined
  nftAddress?: string | undefined
  nftId?: string | undefined
  /** Cards that are valid in the store with these keys: they name it, or no store. */
  storeKeys?: readonly string[] | undefined
  campaignId?: number | undefined
  keyword?: string | undefined
  /** Default: all except removed cards. */
  status?: CardStatus | undefined
  /** The caller's own reference. Default: every card. */
  references?: Partial<References>
}

/** The columns that are filters and have an index in the order of creation. Of other combinations, one is searched. */
const INDEXED_FILTERS = ['', 'creator', 'nft_address nft_id', 'reference reference_owner']

export async function listCards(
  tenant: Tenant,
  program: Program,
  filter: CardFilter,
  query: PageQuery,
): Promise<PageRows<Card>> {
  const { creator, nftAddress, nftId, status, references = {}, from, to } = filter
  const isRemoved = status === 'REMOVED'
  const columns = Object.fromEntries(
    Object.entries({ creator, nft_address: nftAddress, nft_id: nftId, ...references }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const table = 'gateway.cards'
  const rows = tenant
    .selectFrom(table)
    .selectAll(table)
    .where('deleted', '=', isRemoved)
    .where(hasReference(references))
  const isIndexed = query.column === 'created_at' && INDEXED_FILTERS.includes(Object.keys(columns).join(' '))
  const isIndexCondition = sql<boolean>`${isListed(tenant.project)} and ${hasReference(references)}`
  const searches = [
    ...(status === undefined || isRemoved ? [] : [searchStatus(isListed(tenant.project), program, status)]),
    ...(isIndexed || Object.keys(columns).length === 0
      ? []
      : [searchColumns(table, isIndexCondition, columns, { program })]),
    ...searchCards(tenant.project, program, filter),
    // No index has removed cards.
    ...(isRemoved
      ? [searchColumns(table, sql`project_id = ${tenant.project} and deleted`, { program })]
      : []),
  ]
  return await findPage(tenant.db, table, rows, query, {
    index: { columns: { program, ...(isIndexed && columns) } },
    created: { from, to, listed: isListed(tenant.project) },
    searches,
  })
}

const isListed = (project: number) => sql<boolean>`project_id = ${project} and not deleted`

/** A filter of cards, whose owner may be a column. */
export interface CardSearchFilter extends Omit<CardFilter, 'owner'> {
  readonly owner?: string | RawBuilder<unknown> | undefined
}

/** The searches of a filter for cards that are not removed. */
export function searchCards(
  project: number,
  program: Program,
  { owner, storeKeys, campaignId, keyword }: CardSearchFilter,
): ListSearch[] {
  const keywordIndex: KeywordIndex<'gateway.cards'> = {
    table: 'gateway.cards',
    columns: ['name'],
    selectIds: (pattern, limit) => sql`select gateway.search_cards(${program}, ${pattern}, ${limit}) as id`,
  }
  return [
    ...searchKeyword(keywordIndex, keyword),
    ...(storeKeys === undefined ? [] : [searchStore(project, program, storeKeys)]),
    ...(campaignId === undefined ? [] : [searchCampaign(project, program, campaignId)]),
    ...(owner === undefined ? [] : [searchOwner(project, program, owner)]),
  ]
}

/** Selects the cards with a key in `card_stores`. */
const selectByKey = (project: number, program: Program, store: string, limit: number) => sql`
  (select s.card_id as id from gateway.card_stores s
  where s.project_id = ${project} and ${inRange('s', undefined, ['program', 'store'], { program, store })}
  limit ${limit})`

/** Searches for the cards of a campaign. */
function searchCampaign(project: number, program: Program, id: number): ListSearch {
  return {
    matches: sql<boolean>`gateway.cards.campaign_id = ${id}`,
    selectIds: (limit) => selectByKey(project, program, toCampaignKey(id), limit),
  }
}

/** Represents every store in `card_stores`. */
const EVERY_STORE = ''

/** Searches for the cards that are valid in a store. */
function searchStore(project: number, program: Program, keys: readonly string[]): ListSearch {
  return {
    matches: sql<boolean>`(gateway.cards.store_keys = '{}' or gateway.cards.store_keys && ${keys}::text[])`,
    selectIds: (limit) =>
      sql.join(
        [...keys, EVERY_STORE].map((key) => selectByKey(project, program, key, limit)),
        sql` union `,
      ),
  }
}

/**
 * Searches for the cards of the tokens that a wallet holds, and of those that it created for tokens without a
 * known holder.
 */
function searchOwner(project: number, program: Program, owner: string | RawBuilder<unknown>): ListSearch {
  const selectHolders = (isHolder: RawBuilder<boolean>) => sql`
    select from gateway.assets a
    where a.project_id = ${project} and ${SAME_CHAIN} and a.quantity > 0 and ${isHolder}
      and ${inRange('a', 'c', ['nft_address', 'nft_id'])}`
  const isUnheld = sql`not exists (${selectHolders(sql`true`)})`
  return {
    matches: sql<boolean>`exists (
      select from (select gateway.cards.nft_address, gateway.cards.nft_id, gateway.cards.chain_id, gateway.cards.creator) as c
      where exists (${selectHolders(sql`a.owner = ${owner}`)}) or c.creator = ${owner} and ${isUnheld})`,
    selectIds: (limit) => sql`
      (select c.id from (
        select o.chain_id, o.nft_address, o.nft_id from gateway.assets o
        where o.project_id = ${project} and o.quantity > 0 and ${inRange('o', undefined, ['owner'], { owner })}) a
      cross join lateral (
        select c.id from gateway.cards c
        where c.project_id = ${project} and not c.deleted and ${SAME_CHAIN}
          and ${inRange('c', 'a', ['program', 'nft_address', 'nft_id'], { program })}) c
      limit ${limit})
      union all
      (select c.id from (
        ${selectIdsOfCreator(project, program, owner)}) c
      where ${isUnheld} limit ${limit})`,
  }
}

/** Selects the cards of a creator by their index. */
const selectIdsOfCreator = (project: number, program: Program, creator: string | RawBuilder<unknown>) => sql`
  select id, nft_address, nft_id, chain_id from gateway.cards
  where ${isListed(project)} and (program, creator) >= (${program}, ${creator}) and (program, creator) <= (${program}, ${creator})
  order by program, creator`

/** A card that was created before its contract was registered has no chain. */
const SAME_CHAIN = sql<boolean>`(c.chain_id = '' or c.chain_id = a.chain_id)`
