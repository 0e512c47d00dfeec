import { type Selectable, sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import type { OrderRow } from './orders-store.ts'

/** A reported transaction, with times by the database's clock, in seconds. */
export type PaymentRow = Selectable<Tables['gateway.order_payments']> & {
  /** Since it was reported. */
  age: number
  /** Since it was reported, or a node last knew it. */
  unknown_for: number
}

/**
 * Notes a transaction that was reported for an order; an earlier one may be reported again. `taken` where it was reported for another
 * order, `full` where the order has as many as it may have.
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
  const row = await trx
    .insertInto('gateway.order_payments')
    .values({ project_id: project, hash, order_id: id })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'hash'])
        .doUpdateSet({ reported_at: sql`clock_timestamp()` })
        .where('gateway.order_payments.order_id', '=', id),
    )
    .returning('order_id')
    .executeTakeFirst()
  return row === undefined ? 'taken' : 'noted'
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

/** Keeps what a chain showed of a transaction. */
export async function keepSighting(
  trx: Db,
  project: number,
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
    .where('project_id', '=', project)
    .where('hash', '=', hash)
    .execute()
}

/** Counts a payment for an order, once in the world; false where it counts for another one, of whatever project. */
export async function consume(trx: Db, order: OrderRow, hash: string): Promise<boolean> {
  const { project_id: project, id, chain_id: chain } = order
  const row = await trx
    .insertInto('gateway.consumed_payments')
    .values({ chain_id: chain, hash, project_id: project, order_id: id })
    // Of another project's row nothing is seen but that it is there.
    .onConflict((conflict) => conflict.columns(['chain_id', 'hash']).doNothing())
    .returning('hash')
    .executeTakeFirst()
  if (row !== undefined) return true
  const own = await trx
    .selectFrom('gateway.consumed_payments')
    .select('hash')
    .where('project_id', '=', project)
    .where('order_id', '=', id)
    .where('chain_id', '=', chain)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return own !== undefined
}
