import {
  type FirstRows,
  findPage,
  limitToFirst,
  type PageQuery,
  type PageRows,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql, type Updateable } from 'kysely'
import { toContainsPattern } from '../../../http/text-rules.ts'
import type { Tables } from '../../../tables.ts'
import type { NewRow, Tenant } from '../../../tenant.ts'

export type Card = Selectable<Tables['gateway.cards']>
export type NewCard = NewRow<'gateway.cards'>
export type Program = Card['program']
export type CardStatus = 'NOT_YET_VALID' | 'ACTIVE' | 'EXHAUSTED' | 'EXPIRED' | 'REMOVED'

/** The orders of card lists; the first is the default. */
export const CARD_ORDERS: SortColumns = {
  id: 'id',
  createTime: 'id',
  name: 'name',
  startTime: 'start_time',
  endTime: 'end_time',
}

/** The orders of a list of cards that were created within a range of time. */
export const CARD_ORDERS_IN_TIME: SortColumns = { ...CARD_ORDERS, id: 'created_at', createTime: 'created_at' }

/** A card's status at this moment. Checking in exhausts an event card. */
const status = sql<CardStatus>`case
  when deleted then 'REMOVED'
  when validity_period < clock_timestamp() then 'EXPIRED'
  when start_time > clock_timestamp() then 'NOT_YET_VALID'
  when used_count >= total_issued or is_checked_in then 'EXHAUSTED'
  else 'ACTIVE' end`

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

/** Finds a card of any program by its code, with its status. Includes removed cards. */
export async function findWithStatus(
  tenant: Tenant,
  code: string,
): Promise<(Card & { status: CardStatus }) | undefined> {
  return await tenant
    .selectFrom('gateway.cards')
    .selectAll()
    .select(status.as('status'))
    .where('qr_code', '=', code)
    .executeTakeFirst()
}

export interface CardChanges
  extends Omit<Updateable<Tables['gateway.cards']>, 'start_time' | 'end_time' | 'validity_period'> {
  start_time?: Date | undefined
  end_time?: Date | undefined
  validity_period?: Date | undefined
}

/**
 * Changes a card. The table's constraints guard the rules across columns. The validity period follows the end time until it is set to
 * another time.
 */
export async function change(
  tenant: Tenant,
  program: Program,
  id: number,
  { validity_period, ...changes }: CardChanges,
): Promise<Card | undefined> {
  const { end_time } = changes
  const validity =
    validity_period ??
    (end_time && sql<Date>`case when validity_period = end_time then ${end_time} else validity_period end`)
  return await tenant
    .updateTable('gateway.cards')
    .set({
      ...changes,
      ...(validity && { validity_period: validity }),
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
export interface CardFilter {
  creator?: string | undefined
  /** The holder of the card's token. The card's creator if no holder is known. */
  owner?: string | undefined
  nftAddress?: string | undefined
  nftId?: string | undefined
  /** Cards that are valid in this store: they name it, or no store. */
  store?: string | undefined
  keyword?: string | undefined
  /** Default: all except removed cards. */
  status?: CardStatus | undefined
  /** Created at this time or later. */
  from?: Date | undefined
  /** Created before this time. */
  to?: Date | undefined
}

export async function listCards(
  tenant: Tenant,
  program: Program,
  filter: CardFilter,
  query: PageQuery,
): Promise<PageRows<Card>> {
  const { owner } = filter
  if (owner === undefined) {
    const { store, ...others } = filter
    const cards = selectCards(tenant, program).where('deleted', '=', filter.status === 'REMOVED')
    return await findPage(tenant.db, 'gateway.cards', narrowCards(tenant, program, cards, filter), query, {
      isIndexed: hasIndex(filter, query),
      ...(store !== undefined && {
        reduceTo: () => narrowCards(tenant, program, whereInStore(tenant, cards, store), others),
      }),
    })
  }
  const ownersCards = (first?: FirstRows) => selectCardsOfOwner(tenant, program, owner, first)
  const isNarrowed = Object.values({ ...filter, owner: undefined }).some((value) => value !== undefined)
  return await findPage(
    tenant.db,
    'gateway.cards',
    narrowCards(tenant, program, ownersCards(), filter),
    query,
    // The first cards of the owner may not be the first of those that the rest of the filter lets through.
    isNarrowed ? { isIndexed: false } : { reduceTo: ownersCards },
  )
}

/** Selects the cards of a long list in the order of an index, and looks up the stores of each. */
function whereInStore(tenant: Tenant, cards: ReturnType<typeof selectCards>, store: string) {
  return cards.where(sql<boolean>`exists (
    select from gateway.card_stores s
    where s.project_id = ${tenant.project} and s.card_id = gateway.cards.id and s.store in (${store}, ${EVERY_STORE})
    offset 0)`)
}

/** The orders in which an index has the cards of a filter, by the names of its conditions. */
const INDEXED_ORDERS: Readonly<Record<string, readonly string[]>> = {
  '': ['id', 'name', 'start_time', 'end_time', 'created_at'],
  creator: ['id'],
  nftAddress: ['id'],
  'nftAddress nftId': ['id'],
}

/** Whether an index has the cards of a filter in the order of a query. A range of time is a range of the order by time only. */
function hasIndex({ from, to, ...filter }: CardFilter, { column }: PageQuery): boolean {
  if ((from !== undefined || to !== undefined) && column !== 'created_at') return false
  const names = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return INDEXED_ORDERS[names.sort().join(' ')]?.includes(column) ?? false
}

function narrowCards(
  tenant: Tenant,
  program: Program,
  cardsToNarrow: ReturnType<typeof selectCards>,
  filter: CardFilter,
) {
  let cards = cardsToNarrow
  if (filter.creator !== undefined) cards = cards.where('creator', '=', filter.creator)
  if (filter.nftAddress !== undefined) cards = cards.where('nft_address', '=', filter.nftAddress)
  if (filter.nftId !== undefined) cards = cards.where('nft_id', '=', filter.nftId)
  if (filter.store !== undefined) {
    const cardsOfStore = tenant
      .selectFrom('gateway.card_stores')
      .select('card_id')
      .where('program', '=', program)
      .where('store', 'in', [filter.store, EVERY_STORE])
    cards = cards.where('gateway.cards.id', 'in', cardsOfStore)
  }
  if (filter.keyword) {
    cards = cards.where('name', 'ilike', toContainsPattern(filter.keyword))
  }
  if (filter.status !== undefined) cards = cards.where(status, '=', filter.status)
  if (filter.from !== undefined) cards = cards.where('created_at', '>=', filter.from)
  if (filter.to !== undefined) cards = cards.where('created_at', '<', filter.to)
  return cards
}

/** Represents every store in `card_stores`. */
const EVERY_STORE = ''

/**
 * Selects the cards of a wallet, or a superset of its first ones, by their ids alone: with further conditions on the project and the program, the
 * planner may read all cards of the program and compare each with every id.
 */
function selectCardsOfOwner(tenant: Tenant, program: Program, owner: string, first?: FirstRows) {
  const held = idsOfHeldCards(tenant.project, program, owner)
  const unheld = idsOfUnheldCards(tenant.project, program, owner, first)
  return tenant.db
    .selectFrom('gateway.cards')
    .selectAll('gateway.cards')
    .where(sql<boolean>`gateway.cards.id = any(array(${held} union all (${unheld})))`)
}

/**
 * Selects the ids of the cards of the tokens that a wallet holds. `offset 0` is an optimization fence: each token is looked up by index whatever the
 * statistics say. A plain join may compare every token with every card.
 */
const idsOfHeldCards = (project: number, program: Program, owner: string) => sql<{ id: number }>`
  select c.id from gateway.assets a
  cross join lateral (
    select c.id from gateway.cards c
    where c.project_id = ${project} and c.program = ${program} and not c.deleted
      and c.nft_address = a.nft_address and c.nft_id = a.nft_id and ${sameChain}
    offset 0) c
  where a.project_id = ${project} and a.owner = ${owner} and a.quantity > 0`

/** Ids of the cards that a wallet created for tokens without a known holder: all of them, or the first in one direction. */
const idsOfUnheldCards = (project: number, program: Program, owner: string, first?: FirstRows) => sql<{
  id: number
}>`
  select c.id from gateway.cards c
  where c.project_id = ${project} and c.program = ${program} and not c.deleted and c.creator = ${owner}
    and not exists (
      select from gateway.assets a
      where a.project_id = ${project} and a.nft_address = c.nft_address and a.nft_id = c.nft_id and ${sameChain}
        and a.quantity > 0
      offset 0)
    ${first ? limitToFirst('c', first) : sql``}`

/** A card that was created before its contract was registered has no chain. */
const sameChain = sql<boolean>`(c.chain_id = '' or c.chain_id = a.chain_id)`
