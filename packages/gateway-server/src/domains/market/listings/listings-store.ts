import type { commonSales } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import {
  combineSearches,
  findPage,
  type ListSearch,
  type PageQuery,
  type PageRows,
  parseTimeRange,
  type SortColumns,
  type UnlistedRow,
} from '@mintmark/server-kit'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { hasReference, type References } from '../../../references.ts'
import { searchColumns } from '../../../searches.ts'
import type { Tables } from '../../../tables.ts'
import type { NewRow, Tenant } from '../../../tenant.ts'
import { isCreatedWithin, searchCreated } from '../../../time-range.ts'
import { lockReservation, resize } from '../../inventory/reservations-store.ts'
import { toOrderKey } from '../order-key.ts'

type Listings = Tables['gateway.listings']
/** A listing; `ended` is by the database's clock. */
export type ListingRow = Selectable<Listings> & { ended: boolean }

export const LISTING_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  payPrice: 'price_key',
  endTime: 'end_time',
} as const satisfies SortColumns

const isEnded = sql<boolean>`end_time <= clock_timestamp()`.as('ended')
const isOnShelf = sql<boolean>`status = 'ON' and start_time <= clock_timestamp() and end_time > clock_timestamp()`

export async function find(
  tenant: Tenant,
  id: number,
): Promise<(ListingRow & { started: boolean }) | undefined> {
  return await tenant
    .selectFrom('gateway.listings')
    .selectAll()
    .select([isEnded, sql<boolean>`start_time <= clock_timestamp()`.as('started')])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A price key has two digits for the number of its digits, at most 78. */
const [LOWEST_KEY, HIGHEST_KEY] = ['', '99']

/** The columns of a filter, with their values. */
type FilterColumns = Readonly<Record<string, string>>

/** The filters of a list that are columns, with the orders in which an index has them. */
const INDEXED_ORDERS: Readonly<Record<string, readonly string[]>> = {
  reference: ['created_at'],
  nft_address: ['created_at', 'price_key'],
  seller: ['created_at', 'price_key'],
  pay_token_address: ['price_key'],
}

/** Whether an index has the rows of a filter in an order. */
function isIndexed(columns: FilterColumns, order: string): boolean {
  const [first = ''] = Object.keys(columns)
  return INDEXED_ORDERS[first]?.includes(order) ?? false
}

export interface ListingFilter extends Omit<InputOf<typeof commonSales.list>, 'reference'> {
  /** The caller's own reference. Empty for every listing. */
  readonly references: Partial<References>
}

/** Lists the open listings of a market type. */
export async function listOpen(
  tenant: Tenant,
  marketType: number,
  filter: ListingFilter,
  query: PageQuery,
): Promise<PageRows<ListingRow>> {
  const { minPrice, maxPrice, references } = filter
  let rows = tenant
    .selectFrom('gateway.listings')
    .selectAll()
    .select(isEnded)
    .where(isOnShelf)
    .where(hasReference(references))
  const lowest = minPrice === undefined ? undefined : toOrderKey(minPrice)
  const highest = maxPrice === undefined ? undefined : toOrderKey(maxPrice)
  const inPrice = [
    ...(lowest === undefined ? [] : [sql<boolean>`gateway.listings.price_key >= ${lowest}`]),
    ...(highest === undefined ? [] : [sql<boolean>`gateway.listings.price_key <= ${highest}`]),
  ]
  const isByPrice = query.column === 'price_key'
  const isByTime = query.column === 'created_at'
  const times = parseTimeRange(filter)
  if (isByPrice) for (const condition of inPrice) rows = rows.where(condition)
  if (isByTime) rows = rows.where(isCreatedWithin('gateway.listings', times))
  const filters: FilterColumns[] = [
    ...(references.reference === undefined ? [] : [references]),
    ...(filter.seller === undefined ? [] : [{ seller: filter.seller }]),
    ...(filter.nftAddress === undefined ? [] : [{ nft_address: filter.nftAddress }]),
    ...(filter.payTokenAddress === undefined ? [] : [{ pay_token_address: filter.payTokenAddress }]),
  ]
  const indexed = filters.find((columns) => isIndexed(columns, query.column))
  const isListed = sql<boolean>`project_id = ${tenant.project} and status = 'ON' and ${hasReference(references)}`
  const hasPrice = inPrice.length > 0
  const columns = { market_type: marketType, ...indexed }
  // In another order than price, a price range with at most one filter is counted by an index in the order of
  // price.
  const isCountedByPrice =
    hasPrice &&
    !isByPrice &&
    times.from === undefined &&
    times.to === undefined &&
    filters.length <= 1 &&
    filters.every((each) => isIndexed(each, 'price_key'))
  const counted = isCountedByPrice ? { market_type: marketType, ...filters[0] } : columns
  const prices =
    hasPrice && !isByPrice
      ? [searchPrices(isListed, isCountedByPrice ? counted : { market_type: marketType }, lowest, highest)]
      : []
  const others = filters
    .filter((each) => each !== indexed)
    .map((each) => searchColumns('gateway.listings', isListed, each, { market_type: marketType }))
  return await findPage(tenant.db, 'gateway.listings', rows, query, {
    index: {
      columns,
      ...(isByPrice && { from: lowest, to: highest }),
      ...(isByTime && times),
    },
    search: combineSearches([
      ...(isByTime ? [] : searchCreated('gateway.listings', isListed, { market_type: marketType }, times)),
      // The last search selects the ids. A range of prices has exactly those of the list if it counts the list.
      ...(isCountedByPrice ? [...others, ...prices] : [...prices, ...others]),
    ]),
    countedIn: isCountedByPrice
      ? { column: 'price_key', index: { columns: counted, from: lowest, to: highest } }
      : undefined,
    segments: references.reference === undefined ? counted : undefined,
    selectUnlisted: (limit) => selectOffShelf(tenant.project, counted, limit),
    selectNextChange: (after) => selectNextShelfChange(tenant.project, marketType, after),
  })
}

/** Searches for the listings between two price keys, with the columns of an index before the price. */
function searchPrices(
  isListed: RawBuilder<boolean>,
  columns: { readonly [column: string]: unknown },
  lowest = LOWEST_KEY,
  highest = HIGHEST_KEY,
): ListSearch {
  const row = sql.join([...Object.keys(columns), 'price_key'].map((name) => sql.ref(name)))
  const values = Object.values(columns)
  return {
    matches: sql<boolean>`gateway.listings.price_key between ${lowest} and ${highest}`,
    selectIds: (limit) => sql`
      select id from gateway.listings
      where ${isListed} and (${row}) >= (${sql.join([...values, lowest])}) and (${row}) <= (${sql.join([...values, highest])})
      order by ${row} limit ${limit}`,
  }
}

/**
 * Selects the listings of a market type that have status ON but have not started or have ended, and whether
 * they have the other values.
 */
function selectOffShelf(
  project: number,
  { market_type: marketType, ...others }: { readonly [column: string]: unknown },
  limit: number,
): RawBuilder<UnlistedRow> {
  const equal = Object.entries(others).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const matches = sql.join([sql`true`, ...equal], sql` and `)
  // A subquery is evaluated once, so that it can limit an index.
  const now = sql`(select clock_timestamp())`
  const isOn = sql`project_id = ${project} and status = 'ON'`
  return sql<UnlistedRow>`
    (select id, created_at, pay_price, end_time, ${matches} as matches from gateway.listings
    where ${isOn} and ${startsAfter(marketType, now)} limit ${limit})
    union all
    (select id, created_at, pay_price, end_time, ${matches} from gateway.listings
    where ${isOn} and (market_type, end_time) >= (${marketType}, '-infinity') and (market_type, end_time) <= (${marketType}, ${now})
    order by market_type, end_time limit ${limit})`
}

/** Selects when a listing of a market type starts or ends next after a time. Null: never. */
export function selectNextShelfChange(
  project: number,
  marketType: number,
  after: RawBuilder<unknown>,
): RawBuilder<Date | null> {
  const isOn = sql`project_id = ${project} and status = 'ON'`
  return sql<Date | null>`least(
    (select start_time from gateway.listings
    where ${isOn} and ${startsAfter(marketType, after)} limit 1),
    (select end_time from gateway.listings
    where ${isOn} and (market_type, end_time) > (${marketType}, ${after}) and (market_type, end_time) <= (${marketType}, 'infinity')
    order by market_type, end_time limit 1))`
}

/** Limits listings to those of a market type that start after a time, the first one first. Ends a select. */
const startsAfter = (marketType: unknown, time: RawBuilder<unknown>) => sql`
  start_time > created_at and (market_type, start_time) > (${marketType}, ${time})
  and (market_type, start_time) <= (${marketType}, 'infinity') order by market_type, start_time`

/** Lists the open listings with a coupon, the newest first, at most 100. */
export async function listOpenWithCoupon(tenant: Tenant, coupon: number): Promise<ListingRow[]> {
  return await tenant
    .selectFrom('gateway.listings')
    .selectAll()
    .select(isEnded)
    .where('coupon_id', '=', coupon)
    .where(isOnShelf)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

export async function add(tenant: Tenant, listing: NewRow<'gateway.listings'>): Promise<ListingRow> {
  return await tenant
    .insertInto('gateway.listings')
    .values(listing)
    .returningAll()
    .returning(isEnded)
    .executeTakeFirstOrThrow()
}

/**
 * Closes an open listing. What open orders have reserved stays reserved. Returns undefined if it was not
 * open, or for `EXPIRED` if it has not ended.
 */
export async function close(trx: Tenant, id: number, to: 'OFF' | 'EXPIRED'): Promise<ListingRow | undefined> {
  // Before the listing, as everywhere: see `listing-inventory.ts`.
  await lockReservation(trx, { kind: 'listing', id })
  let update = trx
    .updateTable('gateway.listings')
    .set({ status: to, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['ON', 'INACTIVE'])
  if (to === 'EXPIRED') update = update.where(sql<boolean>`end_time <= clock_timestamp()`)
  const closed = await update.returningAll().returning(isEnded).executeTakeFirst()
  if (closed === undefined) return undefined
  await resize(trx, { kind: 'listing', id }, BigInt(closed.reserved))
  return closed
}

/**
 * Takes a listing out of sale while its seller owns too few tokens, and puts it back on sale when the seller
 * owns enough again.
 */
export async function setBacked(trx: Tenant, id: number, backed: boolean): Promise<void> {
  await trx
    .updateTable('gateway.listings')
    .set({ status: backed ? 'ON' : 'INACTIVE', updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['ON', 'INACTIVE'])
    .execute()
}

/** Closes the listings of an asset that have ended. Returns their number. */
export async function closeEnded(trx: Tenant, asset: number): Promise<number> {
  const endedListings = await trx
    .selectFrom('gateway.listings')
    .select('id')
    .where('asset_id', '=', asset)
    .where('status', 'in', ['ON', 'INACTIVE'])
    .where(sql<boolean>`end_time <= clock_timestamp()`)
    .orderBy('id')
    .execute()
  let closed = 0
  for (const { id } of endedListings) if (await close(trx, id, 'EXPIRED')) closed += 1
  return closed
}
