import { OrderStatus } from '@mintmark/orders'
import {
  findPage,
  type ListSearch,
  type PageQuery,
  type PageRows,
  type SortColumns,
  selectIdsInRange,
  type TimeRange,
} from '@mintmark/server-kit'
import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { hasReference, type References } from '../../database/references.ts'
import type { Tables } from '../../database/tables.ts'
import type { NewRow, Tenant } from '../../database/tenant.ts'

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
  return await selectById(trx, id).forUpdate().executeTakeFirst()
}

export async function findById(tenant: Tenant, id: number): Promise<OrderRow | undefined> {
  return await selectById(tenant, id).executeTakeFirst()
}

function selectById(tenant: Tenant, id: number) {
  return tenant.selectFrom('gateway.orders').selectAll().select(expired).where('id', '=', id)
}

/** Orders that are past their expiry and not locked by another transaction. */
function overdueOrders(trx: Tenant) {
  return (
    trx
      .selectFrom('gateway.orders')
      .selectAll()
      .select(expired)
      .where('status', '=', sql.lit(OrderStatus.PRE))
      .where(sql<boolean>`expires_at <= clock_timestamp()`)
      // A listing's orders have no phase. An index has them in this order.
      .orderBy('phase_id')
      .orderBy('expires_at')
      .limit(100)
      .forUpdate()
      .skipLocked()
  )
}

/** Locks the overdue orders of a listing. */
export async function lockExpired(trx: Tenant, listing: number): Promise<OrderRow[]> {
  return await overdueOrders(trx).where('listing_id', '=', listing).execute()
}

/** Locks the overdue orders of a collection's mints. */
export async function lockExpiredOfMints(trx: Tenant, collection: number): Promise<OrderRow[]> {
  return await overdueOrders(trx)
    .where('listing_id', 'is', null)
    .where(
      sql<boolean>`phase_id in (
        select p.id from gateway.mint_phases p where p.project_id = ${trx.project} and p.collection_id = ${collection})`,
    )
    .execute()
}

export async function add(
  trx: Tenant,
  order: Omit<NewRow<'gateway.orders'>, 'expires_at'>,
  expirySeconds: number,
): Promise<OrderRow> {
  const end = sql<Date>`clock_timestamp() + make_interval(secs => ${expirySeconds})`
  const added = await trx
    .insertInto('gateway.orders')
    .values({ ...order, expires_at: end })
    .returningAll()
    .returning(expired)
    .executeTakeFirstOrThrow()
  await scheduleCheck(trx, added, expirySeconds)
  return added
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
  await insertCheck(trx, order, seconds)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'order_id'])
        .doUpdateSet((check) => ({ due_at: check.ref('excluded.due_at') })),
    )
    .execute()
}

/** Schedules a check now, unless the order has a time for the next one. */
export async function ensureCheck(trx: Tenant, order: { id: number }): Promise<void> {
  await insertCheck(trx, order, 0)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function insertCheck(trx: Tenant, { id }: { id: number }, seconds: number) {
  const due = sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
  return trx.insertInto('gateway.order_checks').values({ order_id: id, due_at: due })
}

/** Ends the checks of an order: nothing can change any more. */
export async function unscheduleCheck(trx: Tenant, { id }: { id: number }): Promise<void> {
  await trx.deleteFrom('gateway.order_checks').where('order_id', '=', id).execute()
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
export async function hasEvent(
  tenant: Tenant,
  order: { readonly id: number },
  event: string,
): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.order_events')
    .select('id')
    .where('order_id', '=', order.id)
    .where('event', '=', event)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds when an order that was SUCCESS until a time had become that. */
export async function findPaidTime(
  tenant: Tenant,
  order: { readonly id: number },
  until: string,
): Promise<Date | undefined> {
  // `max` instead of `order by id desc limit 1`, for which PostgreSQL may read the events of all orders in the
  // order of their ids.
  const { rows } = await sql<{ time: Date | null }>`
    select max(created_at) as time from gateway.order_events
    where project_id = ${tenant.project} and order_id = ${order.id} and created_at <= ${until}::timestamptz
      and to_status = ${OrderStatus.SUCCESS} and from_status <> ${OrderStatus.SUCCESS}`.execute(tenant)
  return rows[0]?.time ?? undefined
}

/** Condition: an order was paid in part, and has not been declined. */
const hasPartialPayment = sql`exists (
  select from gateway.order_payments p
  where p.project_id = gateway.orders.project_id and p.order_id = gateway.orders.id
    and p.outcome in ('not_enough', 'part') and p.paid_amount > 0 and not exists (
      select from gateway.consumed_payments c
      where c.project_id = p.project_id and c.chain_id = gateway.orders.chain_id and c.hash = p.hash
        and c.order_id <> p.order_id))`

/** Removes a buyer's orders that failed, were cancelled or expired, and returns how many. */
export async function removeUnsuccessful(tenant: Tenant, recipient: string): Promise<number> {
  const result = await tenant
    .updateTable('gateway.orders')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('recipient', '=', recipient)
    .where('deleted', '=', false)
    .where('refund_due', '=', false)
    .where(sql<boolean>`not ${hasPartialPayment}`)
    .where((or) => or.or([or('status', 'in', UNSUCCESSFUL), isOverdue(or)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

const UNSUCCESSFUL = [OrderStatus.FAILED, OrderStatus.CANCELLED, OrderStatus.EXPIRED]

type Conditions = ExpressionBuilder<Tables, 'gateway.orders'>

/** An overdue order counts as EXPIRED when it is read, before the job has written that. */
const isOverdue = (or: Conditions) =>
  or.and([or('status', '=', OrderStatus.PRE), sql<boolean>`expires_at <= clock_timestamp()`])

export const ORDER_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

export interface OrderFilter extends TimeRange {
  recipient?: string | undefined
  orderStatus?: number | undefined
  marketType?: number | undefined
  refundDue?: boolean | undefined
  searchKey?: string | undefined
  /** The caller's own reference. Empty for every order. */
  references: Partial<References>
}

export async function pageOfOrders(
  tenant: Tenant,
  filter: OrderFilter,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const {
    recipient,
    orderStatus: status,
    marketType,
    refundDue,
    searchKey = '',
    references,
    from,
    to,
  } = filter
  let rows = ofProject(tenant).where(hasReference(references))
  // An index has the orders of a reference, of a recipient, or of a status. The other filters are compared.
  const storedStatus = status === OrderStatus.EXPIRED ? undefined : status
  const [columns = {}, ...compared] = [
    references,
    toDefined({ recipient }),
    toDefined({ status: storedStatus }),
  ].filter((each) => Object.keys(each).length > 0)
  if (marketType !== undefined) compared.push({ market_type: marketType })
  if (refundDue === false) compared.push({ refund_due: false })
  for (const [column, value] of compared.flatMap(Object.entries))
    rows = rows.where(sql<boolean>`${sql.ref(`gateway.orders.${column}`)} = ${value}`)
  return await findPage(tenant.db, 'gateway.orders', rows, query, {
    index: { columns },
    created: { from, to },
    isCurrent: status === OrderStatus.PRE ? sql<boolean>`expires_at > clock_timestamp()` : undefined,
    searches: [
      ...(status === OrderStatus.EXPIRED ? [searchExpired(tenant.project, recipient)] : []),
      ...(refundDue === true ? [searchRefundDue(tenant.project)] : []),
      ...(searchKey === '' ? [] : [searchByKey(tenant.project, searchKey)]),
    ],
  })
}

/** Returns the fields that are not undefined. */
function toDefined(fields: { readonly [column: string]: unknown }): { readonly [column: string]: unknown } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Searches for orders that have expired, whether or not the job has written that. */
function searchExpired(project: number, recipient: string | undefined): ListSearch {
  const ofRecipient = recipient === undefined ? {} : { recipient }
  const selectOfStatus = (status: number, limit: number) =>
    selectIdsInRange('gateway.orders', isListed(project), { ...ofRecipient, status }, limit)
  return {
    matches: sql<boolean>`(gateway.orders.status = ${OrderStatus.EXPIRED}
      or gateway.orders.status = ${OrderStatus.PRE} and gateway.orders.expires_at <= clock_timestamp())`,
    selectIds: (limit) =>
      sql`(${selectOfStatus(OrderStatus.EXPIRED, limit)}) union all (${selectOfStatus(OrderStatus.PRE, limit)})`,
  }
}

/** Searches for orders with a refund due, of which there are few. */
const searchRefundDue = (project: number): ListSearch => ({
  matches: sql<boolean>`gateway.orders.refund_due`,
  selectIds: (limit) =>
    sql`select id from gateway.orders where ${isListed(project)} and refund_due order by updated_at limit ${limit}`,
})

const isListed = (project: number) => sql<boolean>`project_id = ${project} and not deleted`

/** The format of an order number. */
const ORDER_NO = /^[0-9a-f]{32}$/

/** Searches for orders whose search key begins with a text, and for the order with this number. */
function searchByKey(project: number, searchKey: string): ListSearch {
  const key = searchKey.toLowerCase()
  const end = `${key}\u{10ffff}`
  // A range instead of `like`: row-level security keeps `like` from using an index.
  const matches = sql<boolean>`gateway.orders.search_key >= ${key} and gateway.orders.search_key < ${end}`
  const selectMatching = (limit: number) => sql`
    select id from gateway.orders where ${isListed(project)} and search_key >= ${key} and search_key < ${end}
    order by search_key limit ${limit}`
  if (!ORDER_NO.test(searchKey)) return { matches, selectIds: selectMatching }
  return {
    matches: sql<boolean>`(gateway.orders.order_no = ${searchKey} or ${matches})`,
    selectIds: (
      limit,
    ) => sql`(select id from gateway.orders where project_id = ${project} and order_no = ${searchKey})
      union all (${selectMatching(limit)})`,
  }
}

/** Lists the orders by which an NFT was sold. */
export async function pageOfNft(
  tenant: Tenant,
  { nftAddress, nftId, from, to }: { nftAddress: string; nftId: string } & TimeRange,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const rows = ofProject(tenant)
    .where('status', '=', OrderStatus.SUCCESS)
    // Before it is minted, an NFT has a provisional id.
    .where((or) => or.or([or('phase_id', 'is', null), or('delivery', '=', 'done')]))
  const index = { columns: { nft_address: nftAddress, nft_id: nftId } }
  return await findPage(tenant.db, 'gateway.orders', rows, query, { index, created: { from, to } })
}

/** Lists the orders by which a wallet sold something. */
export async function pageOfSold(
  tenant: Tenant,
  { sender, from, to }: { sender: string } & TimeRange,
  query: PageQuery,
): Promise<PageRows<OrderRow>> {
  const rows = ofProject(tenant).where('status', '=', OrderStatus.SUCCESS)
  const index = { columns: { sender } }
  return await findPage(tenant.db, 'gateway.orders', rows, query, { index, created: { from, to } })
}
