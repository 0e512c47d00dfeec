import { OrderStatus } from '@mintmark/orders'
import { findPage, type PageQuery, type PageRows, type SortColumns } from '@mintmark/server-kit'
import {
  type ExpressionBuilder,
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import type { Db, Tables } from '../../tables.ts'

type OrderTable = Tables['gateway.orders']
/** An order. `expired` is by the database's clock: the status may not have followed yet. */
export type OrderRow = Selectable<OrderTable> & { expired: boolean }
export type OrderChanges = Updateable<OrderTable>

const expired = sql<boolean>`expires_at <= clock_timestamp()`.as('expired')

function ofProject(db: Db, project: number) {
  return db
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('project_id', '=', project)
    .where('deleted', '=', false)
}

export async function find(db: Db, project: number, orderNo: string): Promise<OrderRow | undefined> {
  return await ofProject(db, project).where('order_no', '=', orderNo).executeTakeFirst()
}

/** Finds an order and locks it until the transaction ends. */
export async function lock(trx: Db, project: number, orderNo: string): Promise<OrderRow | undefined> {
  return await ofProject(trx, project).where('order_no', '=', orderNo).forUpdate().executeTakeFirst()
}

/** Finds an order by its id and locks it. Finds removed orders as well: their payment can still be mined. */
export async function lockById(trx: Db, project: number, id: number): Promise<OrderRow | undefined> {
  return await trx
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('project_id', '=', project)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function findById(db: Db, project: number, id: number): Promise<OrderRow | undefined> {
  return await db
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('project_id', '=', project)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Orders that are past their expiry and not locked by another transaction. */
function overdueOrders(trx: Db, project: number) {
  return trx
    .selectFrom('gateway.orders')
    .selectAll()
    .select(expired)
    .where('project_id', '=', project)
    .where('status', '=', sql.lit(OrderStatus.PRE))
    .where(sql<boolean>`expires_at <= clock_timestamp()`)
    .orderBy('expires_at')
    .limit(100)
    .forUpdate()
    .skipLocked()
}

/** Locks the overdue orders of a listing. */
export async function lockExpired(trx: Db, project: number, listing: number): Promise<OrderRow[]> {
  return await overdueOrders(trx, project).where('listing_id', '=', listing).execute()
}

/** Locks the overdue orders of a collection's mints. */
export async function lockExpiredOfMints(trx: Db, project: number, collection: number): Promise<OrderRow[]> {
  return await overdueOrders(trx, project)
    .where(
      sql<boolean>`phase_id in (
        select p.id from gateway.mint_phases p where p.project_id = ${project} and p.collection_id = ${collection})`,
    )
    .execute()
}

export async function add(
  trx: Db,
  order: Omit<Insertable<OrderTable>, 'expires_at' | 'due_at'>,
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

export async function change(
  trx: Db,
  order: { project_id: number; id: number },
  changes: OrderChanges,
): Promise<OrderRow> {
  return await trx
    .updateTable('gateway.orders')
    .set({ ...changes, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', order.project_id)
    .where('id', '=', order.id)
    .returningAll()
    .returning(expired)
    .executeTakeFirstOrThrow()
}

/** Schedules the next check by the verifier. */
export async function scheduleCheck(
  trx: Db,
  order: { project_id: number; id: number },
  seconds: number,
): Promise<void> {
  await setDue(trx, order, sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`)
}

/** Ends the checks of an order: nothing can change any more. */
export async function unscheduleCheck(trx: Db, order: { project_id: number; id: number }): Promise<void> {
  await setDue(trx, order, null)
}

async function setDue(
  trx: Db,
  order: { project_id: number; id: number },
  due: RawBuilder<Date> | null,
): Promise<void> {
  await trx
    .updateTable('gateway.orders')
    .set({ due_at: due })
    .where('project_id', '=', order.project_id)
    .where('id', '=', order.id)
    .execute()
}

/** Appends an event to the history of an order. */
export async function addEvent(
  trx: Db,
  order: OrderRow,
  { to, ...event }: { event: string; to: number; actor: string; reason: string; hash: string },
): Promise<void> {
  await trx
    .insertInto('gateway.order_events')
    .values({
      project_id: order.project_id,
      order_id: order.id,
      from_status: order.status,
      to_status: to,
      ...event,
    })
    .execute()
}

/** Whether the history of an order has an event. */
export async function hasEvent(db: Db, order: OrderRow, event: string): Promise<boolean> {
  const row = await db
    .selectFrom('gateway.order_events')
    .select('id')
    .where('project_id', '=', order.project_id)
    .where('order_id', '=', order.id)
    .where('event', '=', event)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a buyer's orders that failed, were cancelled or expired, and returns how many. */
export async function removeUnsuccessful(db: Db, project: number, recipient: string): Promise<number> {
  const result = await db
    .updateTable('gateway.orders')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
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
  db: Db,
  project: number,
  filter: OrderFilter,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const { recipient, orderStatus: status, marketType, searchKey = '' } = filter
  let rows = ofProject(db, project)
  if (recipient !== undefined) rows = rows.where('recipient', '=', recipient)
  if (marketType !== undefined) rows = rows.where('market_type', '=', marketType)
  if (status === OrderStatus.EXPIRED) {
    rows = rows.where((or) => or.or([or('status', '=', status), isOverdue(or)]))
  } else if (status !== undefined) {
    rows = rows.where('status', '=', status)
    if (status === OrderStatus.PRE) rows = rows.where(sql<boolean>`expires_at > clock_timestamp()`)
  }
  if (searchKey !== '') {
    const key = searchKey.toLowerCase()
    // A range instead of `like`: row-level security keeps `like` from using an index.
    rows = rows.where((or) =>
      or.or([
        or('order_no', '=', searchKey),
        or.and([or('search_key', '>=', key), or('search_key', '<', `${key}\u{10ffff}`)]),
      ]),
    )
  }
  return await findPage(db, 'gateway.orders', rows, query)
}

/** Lists the orders by which an NFT was sold. */
export async function pageOfNft(
  db: Db,
  project: number,
  nft: { nftAddress: string; nftId: string },
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const rows = ofProject(db, project)
    .where('nft_address', '=', nft.nftAddress)
    .where('nft_id', '=', nft.nftId)
    .where('status', '=', OrderStatus.SUCCESS)
    // Before it is minted, an NFT has a provisional id.
    .where((or) => or.or([or('phase_id', 'is', null), or('delivery', '=', 'done')]))
  return await findPage(db, 'gateway.orders', rows, query)
}

/** Lists the orders by which a wallet sold something. */
export async function pageOfSold(
  db: Db,
  project: number,
  sender: string,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const rows = ofProject(db, project).where('sender', '=', sender).where('status', '=', OrderStatus.SUCCESS)
  return await findPage(db, 'gateway.orders', rows, query)
}
