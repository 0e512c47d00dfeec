import { OrderStatus } from '@mintmark/orders'
import { findPage, type PageQuery, type PageRows, type SortColumns } from '@mintmark/server-kit'
import { type ExpressionBuilder, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { NewRow, Tenant } from '../../tenant.ts'

type OrderTable = Tables['gateway.orders']
/** An order. `expired` is by the database's clock: the status may not have followed yet. */
export type OrderRow = Selectable<OrderTable> & { expired: boolean }
export type OrderChanges = Updateable<OrderTable>

const expired = sql<boolean>`expires_at <= clock_timestamp()`.as('expired')

function ofProject(tenant: Tenant) {
  return tenant.selectFrom('gateway.orders').selectAll().select(expired).where('deleted', '=', false)
}

export async function find(tenant: Tenant, orderNo: string): Promise<OrderRow | undefined> {
  return await ofProject(tenant).where('order_no', '=', orderNo).executeTakeFirst()
}

/** Finds an order and locks it until the transaction ends. */
export async function lock(trx: Tenant, orderNo: string): Promise<OrderRow | undefined> {
  return await ofProject(trx).where('order_no', '=', orderNo).forUpdate().executeTakeFirst()
}

/** Finds an order by its id and locks it. Finds removed orders as well: their payment can still be mined. */
export async function lockById(trx: Tenant, id: number): Promise<OrderRow | undefined> {
  return await trx
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function findById(tenant: Tenant, id: number): Promise<OrderRow | undefined> {
  return await tenant
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Orders that are past their expiry and not locked by another transaction. */
function overdueOrders(trx: Tenant) {
  return trx
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('status', '=', sql.lit(OrderStatus.PRE))
    .where(sql<boolean>`expires_at <= clock_timestamp()`)
    .orderBy('expires_at')
    .limit(100)
    .forUpdate()
    .skipLocked()
}

/** Locks the overdue orders of a listing. */
export async function lockExpired(trx: Tenant, listing: number): Promise<OrderRow[]> {
  return await overdueOrders(trx).where('listing_id', '=', listing).execute()
}

/** Locks the overdue orders of a collection's mints. */
export async function lockExpiredOfMints(trx: Tenant, collection: number): Promise<OrderRow[]> {
  return await overdueOrders(trx)
    .where(
      sql<boolean>`phase_id in (
        select p.id from gateway.mint_phases p where p.project_id = ${trx.project} and p.collection_id = ${collection})`,
    )
    .execute()
}

export async function add(
  trx: Tenant,
  order: Omit<NewRow<'gateway.orders'>, 'expires_at' | 'due_at'>,
  expirySeconds: number,
): Promise<OrderRow> {
  const end = sql<Date>`clock_timestamp() + make_interval(secs => ${expirySeconds})`
  return await trx
    .insertInto('gateway.orders')
    .values({ ...order, expires_at: end, due_at: end })
    .returningAll()
    .returning(expired)
    .executeTakeFirstOrThrow()
}

export async function change(trx: Tenant, order: { id: number }, changes: OrderChanges): Promise<OrderRow> {
  return await trx
    .updateTable('gateway.orders')
    .set({ ...changes, updated_at: sql`clock_timestamp()` })
    .where('id', '=', order.id)
    .returningAll()
    .returning(expired)
    .executeTakeFirstOrThrow()
}

/** Schedules the next check by the verifier. */
export async function scheduleCheck(trx: Tenant, order: { id: number }, seconds: number): Promise<void> {
  await setDue(trx, order, sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`)
}

/** Ends the checks of an order: nothing can change any more. */
export async function unscheduleCheck(trx: Tenant, order: { id: number }): Promise<void> {
  await setDue(trx, order, null)
}

async function setDue(trx: Tenant, order: { id: number }, due: RawBuilder<Date> | null): Promise<void> {
  await trx.updateTable('gateway.orders').set({ due_at: due }).where('id', '=', order.id).execute()
}

/** Appends an event to the history of an order. */
export async function addEvent(
  trx: Tenant,
  order: OrderRow,
  { to, ...event }: { event: string; to: number; actor: string; reason: string; hash: string },
): Promise<void> {
  await trx
    .insertInto('gateway.order_events')
    .values({
      order_id: order.id,
      from_status: order.status,
      to_status: to,
      ...event,
    })
    .execute()
}

/** Whether the history of an order has an event. */
export async function hasEvent(tenant: Tenant, order: OrderRow, event: string): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.order_events')
    .select('id')
    .where('order_id', '=', order.id)
    .where('event', '=', event)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a buyer's orders that failed, were cancelled or expired, and returns how many. */
export async function removeUnsuccessful(tenant: Tenant, recipient: string): Promise<number> {
  const result = await tenant
    .updateTable('gateway.orders')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('recipient', '=', recipient)
    .where('deleted', '=', false)
    .where((or) => or.or([or('status', 'in', UNSUCCESSFUL), isOverdue(or)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

const UNSUCCESSFUL = [OrderStatus.FAILED, OrderStatus.CANCELLED, OrderStatus.EXPIRED]

type Conditions = ExpressionBuilder<Tables, 'gateway.orders'>

/** An overdue order counts as EXPIRED when it is read, before the job has written that. */
const isOverdue = (or: Conditions) =>
  or.and([or('status', '=', OrderStatus.PRE), sql<boolean>`expires_at <= clock_timestamp()`])

export const ORDER_ORDERS: SortColumns = { id: 'id', createTime: 'id' }

export interface OrderFilter {
  recipient?: string | undefined
  orderStatus?: number | undefined
  marketType?: number | undefined
  searchKey?: string | undefined
}

export async function pageOfOrders(
  tenant: Tenant,
  filter: OrderFilter,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const { recipient, orderStatus: status, marketType, searchKey = '' } = filter
  let rows = ofProject(tenant)
  if (recipient !== undefined) rows = rows.where('recipient', '=', recipient)
  if (marketType !== undefined) rows = rows.where('market_type', '=', marketType)
  if (status === OrderStatus.EXPIRED) {
    // The index of statuses finds both, and the condition selects those of PRE.
    rows = rows
      .where('status', 'in', [status, OrderStatus.PRE])
      .where((or) => or.or([or('status', '=', status), isOverdue(or)]))
  } else if (status !== undefined) {
    rows = rows.where('status', '=', status)
    if (status === OrderStatus.PRE) rows = rows.where(sql<boolean>`expires_at > clock_timestamp()`)
  }
  if (searchKey !== '') rows = whereFound(rows, tenant.project, searchKey)
  const isIndexed =
    searchKey === '' &&
    status !== OrderStatus.EXPIRED &&
    (marketType === undefined || (recipient === undefined && status === undefined))
  return await findPage(tenant.db, 'gateway.orders', rows, query, { isIndexed })
}

/** The format of an order number. */
const ORDER_NO = /^[0-9a-f]{32}$/

/** Adds the condition that the search key of an order begins with a text, or that the text is its number. */
function whereFound(orders: ReturnType<typeof ofProject>, project: number, searchKey: string) {
  const key = searchKey.toLowerCase()
  const end = `${key}\u{10ffff}`
  // A range instead of `like`: row-level security keeps `like` from using an index.
  if (!ORDER_NO.test(searchKey)) return orders.where('search_key', '>=', key).where('search_key', '<', end)
  // Each side uses its index: an `or` over both would read all orders.
  return orders.where(sql<boolean>`gateway.orders.id = any(array(
    select id from gateway.orders where project_id = ${project} and order_no = ${searchKey}
    union all
    select id from gateway.orders where project_id = ${project} and search_key >= ${key} and search_key < ${end}))`)
}

/** Lists the orders by which an NFT was sold. */
export async function pageOfNft(
  tenant: Tenant,
  nft: { nftAddress: string; nftId: string },
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const rows = ofProject(tenant)
    .where('nft_address', '=', nft.nftAddress)
    .where('nft_id', '=', nft.nftId)
    .where('status', '=', OrderStatus.SUCCESS)
    // Before it is minted, an NFT has a provisional id.
    .where((or) => or.or([or('phase_id', 'is', null), or('delivery', '=', 'done')]))
  return await findPage(tenant.db, 'gateway.orders', rows, query)
}

/** Lists the orders by which a wallet sold something. */
export async function pageOfSold(
  tenant: Tenant,
  sender: string,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const rows = ofProject(tenant).where('sender', '=', sender).where('status', '=', OrderStatus.SUCCESS)
  return await findPage(tenant.db, 'gateway.orders', rows, query)
}
