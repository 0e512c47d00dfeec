import type { commonSales } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type ListSearch,
  type PageQuery,
  type PageRows,
  parseTimeRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { hasReference, type References } from '../../../database/references.ts'
import { searchColumns } from '../../../database/searches.ts'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
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
const isOn = sql<boolean>`status = 'ON'`
const isOpenNow = sql<boolean>`start_time <= clock_timestamp() and end_time > clock_timestamp()`

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
  nft_address: ['created_at', 'price_key'],
  seller: ['created_at'],
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
  const { seller, nftAddress, payTokenAddress, references } = filter
  const prices = {
    from: filter.minPrice === undefined ? undefined : toOrderKey(filter.minPrice),
    to: filter.maxPrice === undefined ? undefined : toOrderKey(filter.maxPrice),
  }
  const isByPrice = query.column === 'price_key'
  let listed = tenant
    .selectFrom('gateway.listings')
    .selectAll()
    .select(isEnded)
    .where(isOn)
    .where(hasReference(references))
  if (isByPrice) listed = listed.where(isPricedWithin(prices))
  if (payTokenAddress !== undefined) listed = listed.where('pay_token_address', '=', payTokenAddress)
  const filters: FilterColumns[] = [
    ...(references.reference === undefined ? [] : [references]),
    ...(seller === undefined ? [] : [{ seller }]),
    ...(nftAddress === undefined ? [] : [{ nft_address: nftAddress }]),
  ]
  const indexed = filters.find((columns) => isIndexed(columns, query.column))
  const ofType = { market_type: marketType }
  const condition = sql<boolean>`project_id = ${tenant.project} and ${isOn} and ${hasReference(references)}`
  const hasPrices = prices.from !== undefined || prices.to !== undefined
  return await findPage(tenant.db, 'gateway.listings', listed, query, {
    index: { columns: { ...ofType, ...indexed }, ...(isByPrice && prices) },
    created: { ...parseTimeRange(filter), listed: condition },
    isCurrent: isOpenNow,
    searches: [
      ...(hasPrices && !isByPrice ? [searchPrices(condition, ofType, prices)] : []),
      ...filters
        .filter((each) => each !== indexed)
        .map((each) => searchColumns('gateway.listings', condition, each, ofType)),
    ],
  })
}

/** A range of price keys. */
interface PriceRange {
  readonly from: string | undefined
  readonly to: string | undefined
}

const isPricedWithin = ({ from = LOWEST_KEY, to = HIGHEST_KEY }: PriceRange) =>
  sql<boolean>`gateway.listings.price_key between ${from} and ${to}`

/** Searches for the listings between two price keys, with the columns of an index before the price. */
function searchPrices(
  condition: RawBuilder<boolean>,
  columns: { readonly [column: string]: unknown },
  prices: PriceRange,
): ListSearch {
  const { from = LOWEST_KEY, to = HIGHEST_KEY } = prices
  const row = sql.join([...Object.keys(columns), 'price_key'].map((name) => sql.ref(name)))
  const values = Object.values(columns)
  return {
    matches: isPricedWithin(prices),
    selectIds: (limit) => sql`
      select id from gateway.listings
      where ${condition} and (${row}) >= (${sql.join([...values, from])}) and (${row}) <= (${sql.join([...values, to])})
      order by ${row} limit ${limit}`,
  }
}

/** Lists the open listings with a coupon, the newest first, at most 100. */
export async function listOpenWithCoupon(tenant: Tenant, coupon: number): Promise<ListingRow[]> {
  return await tenant
    .selectFrom('gateway.listings')
    .selectAll()
    .select(isEnded)
    .where('coupon_id', '=', coupon)
    .where(isOn)
    .where(isOpenNow)
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
