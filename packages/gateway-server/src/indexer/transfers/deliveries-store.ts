import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import type { DomainOperations } from '../domain-operations.ts'

/** Identifies an order of a project. */
export interface OrderKey {
  readonly project: number
  readonly order: number
}

/**
 * The quantity of transfer `t` that is not yet counted for orders of the project of order `o`. Orders of other
 * projects do not matter: nobody can use up a delivery by an order in a project of their own.
 */
const uncounted = sql`
  t.quantity - (
    select coalesce(sum(d.quantity), 0) from gateway.deliveries d
    where d.transfer_id = t.id and d.project_id = o.project_id)`

/**
 * Condition: transfer `t` delivers order `o`. It went from the seller to the buyer after the order was
 * placed, and part of its quantity is not yet counted for an order. Orders of mints have no such transfer.
 */
export const isDelivery = sql`
  o.phase_id is null and t.chain_id = o.chain_id and t.nft_address = o.nft_address and t.nft_id = o.nft_id
  and t.from_address = o.sender and t.to_address = o.recipient and t.block_number > o.placed_at_block
  and ${uncounted} > 0`

/** Lists orders of a chain that wait for a delivery of which a transfer has been read. */
export async function listDeliverableOrders(db: Db, chainId: string): Promise<OrderKey[]> {
  const { rows } = await sql<OrderKey>`
    select o.project_id as project, o.id as "order" from gateway.orders o
    where o.chain_id = ${chainId} and o.delivery = 'pending'
      and exists (select from gateway.chain_transfers t where ${isDelivery})
    order by o.id limit 100`.execute(db)
  return rows
}

/**
 * Counts transfers from the seller to the buyer for an order, each for one order of the project only. The
 * order is delivered when none is missing.
 */
export async function deliver(
  trx: Db,
  domains: DomainOperations,
  { project, order }: OrderKey,
): Promise<void> {
  const locked = await lockOrder(trx, { project, order })
  if (locked?.delivery !== 'pending') return
  const ordered = BigInt(locked.quantity) - BigInt(locked.delivered)
  const { counted, last } = await countTransfers(trx, { project, order }, ordered)
  const missing = ordered - counted
  const event = missing === 0n ? ({ name: 'delivered', hash: last } as const) : undefined
  await domains.recordDelivery(new Tenant(trx, project), { order, missing, event })
}

/**
 * Counts the earliest transfers that deliver an order, up to a quantity. Returns how many units that are, and
 * the hash of the last transfer. One statement, because any number of transfers can carry one unit each.
 */
async function countTransfers(
  trx: Db,
  { project, order }: OrderKey,
  quantity: bigint,
): Promise<{ counted: bigint; last: string }> {
  const { rows } = await sql<{ counted: string; last: string }>`
    with transfer as (
      select w.id, w.tx_hash, w.available,
        sum(w.available) over (order by w.block_number, w.log_index, w.batch_index) - w.available as earlier
      from (
        select t.id, t.tx_hash, t.block_number, t.log_index, t.batch_index, ${uncounted} as available
        from gateway.orders o join gateway.chain_transfers t on ${isDelivery}
        where o.project_id = ${project} and o.id = ${order}) w
    ), counted as (
      insert into gateway.deliveries (project_id, order_id, transfer_id, quantity)
      select ${project}::bigint, ${order}::bigint, id, least(available, ${quantity.toString()}::numeric - earlier)
      from transfer where earlier < ${quantity.toString()}::numeric
      returning transfer_id, quantity
    )
    select coalesce(sum(c.quantity), 0)::text as counted,
      coalesce((array_agg(t.tx_hash order by t.earlier desc))[1], '') as last
    from counted c join transfer t on t.id = c.transfer_id`.execute(trx)
  const [row] = rows
  return { counted: BigInt(row?.counted ?? 0), last: row?.last ?? '' }
}

/**
 * Lists the orders that transfers after a block have delivered. Call it before these transfers are deleted.
 */
export async function listOrdersDeliveredAfter(trx: Db, chainId: string, block: number): Promise<OrderKey[]> {
  const { rows } = await sql<OrderKey>`
    select distinct d.project_id as project, d.order_id as "order"
    from gateway.chain_transfers t join gateway.deliveries d on d.transfer_id = t.id
    where t.chain_id = ${chainId} and t.block_number > ${block}
    order by 1, 2`.execute(trx)
  return rows
}

/** Reverts the delivery of an order whose transfers were deleted. */
export async function revertDelivery(trx: Db, domains: DomainOperations, key: OrderKey): Promise<void> {
  const locked = await lockOrder(trx, key)
  if (locked === undefined) return
  const missing = BigInt(locked.quantity) - BigInt(locked.delivered)
  const isUndone = locked.delivery === 'done' && missing > 0n
  const event = isUndone ? ({ name: 'delivery_undone', hash: '' } as const) : undefined
  await domains.recordDelivery(new Tenant(trx, key.project), { order: key.order, missing, event })
}

async function lockOrder(
  trx: Db,
  { project, order }: OrderKey,
): Promise<{ delivery: string; quantity: number; delivered: string } | undefined> {
  const locked = await trx
    .selectFrom('gateway.orders')
    .select(['delivery', 'quantity'])
    .where('project_id', '=', project)
    .where('id', '=', order)
    .forUpdate()
    .executeTakeFirst()
  if (locked === undefined) return undefined
  const { rows } = await sql<{ delivered: string }>`
    select coalesce(sum(quantity), 0) as delivered from gateway.deliveries
    where project_id = ${project} and order_id = ${order}`.execute(trx)
  return { ...locked, delivered: rows[0]?.delivered ?? '0' }
}
