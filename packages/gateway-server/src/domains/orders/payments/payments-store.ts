import { OrderStatus } from '@mintmark/orders'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import type { OrderRow } from '../orders-store.ts'

/** Why a transaction does not count for an order: it counts for another one of the project, or of another project. */
export type Used = 'payment_used' | 'payment_elsewhere'

/** Verdicts by which a transaction never becomes this order's payment, whatever the chain shows of it later. */
export const LASTING_VERDICTS = ['payment_used', 'paid_elsewhere', 'refunded'] as const
export type LastingVerdict = (typeof LASTING_VERDICTS)[number]

/** A reported transaction, with times by the database's clock, in seconds. */
export type PaymentRow = Selectable<Tables['gateway.order_payments']> & {
  /** Since it was first reported. */
  age: number
  /** Since it was reported, or a node last knew it. */
  unknown_for: number
}

/**
 * Notes a transaction that an order claims as its payment; other orders may claim it as well, and the chain decides for each. Reporting it
 * again changes nothing, so that it does not prolong what is waited for. `taken` where it counts for another order of the project, `full`
 * where the order has as many as it may have.
 */
export async function note(
  trx: Db,
  order: OrderRow,
  hash: string,
  limit: number,
): Promise<'noted' | 'taken' | 'full'> {
  const { project_id: project, id } = order
  const known = await ofOrder(trx, order)
  if (known.length >= limit && !known.some((payment) => payment.hash === hash)) return 'full'
  if (await countsForAnother(trx, order, hash)) return 'taken'
  await trx
    .insertInto('gateway.order_payments')
    .values({ project_id: project, hash, order_id: id })
    .onConflict((conflict) => conflict.columns(['project_id', 'order_id', 'hash']).doNothing())
    .execute()
  return 'noted'
}

async function countsForAnother(trx: Db, order: OrderRow, hash: string): Promise<boolean> {
  const row = await trx
    .selectFrom('gateway.consumed_payments')
    .select('order_id')
    .where('project_id', '=', order.project_id)
    .where('chain_id', '=', order.chain_id)
    .where('hash', '=', hash)
    .where('order_id', '<>', order.id)
    .executeTakeFirst()
  return row !== undefined
}

/** What was reported for an order, in the order of its hashes. */
export async function ofOrder(db: Db, order: { project_id: number; id: number }): Promise<PaymentRow[]> {
  return await db
    .selectFrom('gateway.order_payments')
    .selectAll()
    .select([
      sql<number>`extract(epoch from clock_timestamp() - reported_at)::float8`.as('age'),
      sql<number>`extract(epoch from clock_timestamp() - greatest(reported_at, seen_at))::float8`.as(
        'unknown_for',
      ),
    ])
    .where('project_id', '=', order.project_id)
    .where('order_id', '=', order.id)
    .orderBy('hash')
    .execute()
}

/** Keeps what a chain showed of a transaction to the order that claims it. */
export async function keepSighting(
  trx: Db,
  order: { project_id: number; id: number },
  hash: string,
  shown: { minedBlock: number; seen: boolean; verdict: string },
): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({
      mined_block: shown.minedBlock,
      verdict: shown.verdict,
      ...(shown.seen && { seen_at: sql<Date>`clock_timestamp()` }),
    })
    .where('project_id', '=', order.project_id)
    .where('order_id', '=', order.id)
    .where('hash', '=', hash)
    .execute()
}

/**
 * Whether an order of the project that waits for its payment claims the same transaction and fits it better: the dearest order that the
 * amount covers comes first, then the earliest. So nobody takes a buyer's payment away with a cheap order in the buyer's name.
 */
export async function fitsAnotherBetter(
  trx: Db,
  order: OrderRow,
  payment: { readonly hash: string; readonly block: number; readonly paid: bigint },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from gateway.order_payments p
    join gateway.orders o on o.project_id = p.project_id and o.id = p.order_id
    where p.project_id = ${order.project_id} and p.hash = ${payment.hash} and p.order_id <> ${order.id}
      and p.verdict <> all(${LASTING_VERDICTS}::text[])
      and o.status = ${OrderStatus.IN_PROGRESS} and o.chain_id = ${order.chain_id}
      and o.recipient = ${order.recipient} and o.sender = ${order.sender}
      and o.pay_token_address = ${order.pay_token_address} and o.placed_at_block < ${payment.block}
      and o.pay_amount <= ${payment.paid.toString()}::numeric
      and (o.pay_amount > ${order.pay_amount}::numeric or (o.pay_amount = ${order.pay_amount}::numeric and o.id < ${order.id}))
    limit 1`.execute(trx)
  return rows.length > 0
}

/** Counts a payment for an order, once in the world, or answers whose it is. */
export async function consume(trx: Db, order: OrderRow, hash: string): Promise<'counted' | Used> {
  const { project_id: project, id, chain_id: chain } = order
  const row = await trx
    .insertInto('gateway.consumed_payments')
    .values({ chain_id: chain, hash, project_id: project, order_id: id })
    // Of another project's row nothing is seen but that it is there.
    .onConflict((conflict) => conflict.columns(['chain_id', 'hash']).doNothing())
    .returning('hash')
    .executeTakeFirst()
  if (row !== undefined) return 'counted'
  const counted = await trx
    .selectFrom('gateway.consumed_payments')
    .select('order_id as order')
    .where('project_id', '=', project)
    .where('chain_id', '=', chain)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (counted === undefined) return 'payment_elsewhere'
  return counted.order === id ? 'counted' : 'payment_used'
}

/**
 * Lets a transaction keep the stock of an UNRESOLVED order reserved; false where it counts for another order of the project, or keeps that
 * one's stock.
 */
export async function dispute(trx: Db, order: OrderRow, hash: string): Promise<boolean> {
  const { project_id: project, id, chain_id: chain } = order
  const { rows } = await sql`
    insert into gateway.disputed_payments (project_id, hash, order_id)
    select ${project}::bigint, ${hash}, ${id}::bigint where not exists (
      select 1 from gateway.consumed_payments
      where project_id = ${project} and chain_id = ${chain} and hash = ${hash} and order_id <> ${id})
    on conflict (project_id, hash) do nothing
    returning hash`.execute(trx)
  return rows.length > 0
}

/** The order is resolved: its transaction may keep another order's stock. */
export async function endDispute(trx: Db, order: OrderRow): Promise<void> {
  await trx
    .deleteFrom('gateway.disputed_payments')
    .where('project_id', '=', order.project_id)
    .where('order_id', '=', order.id)
    .execute()
}
