import { OrderStatus } from '@mintmark/orders'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

export type OrderRow = Selectable<Tables['gateway.orders']>

/** The order, locked until the transaction ends; `expired` by the database's clock. */
export async function lock(
  db: Db,
  project: number,
  orderNo: string,
): Promise<(OrderRow & { expired: boolean }) | undefined> {
  return await db
    .selectFrom('gateway.orders')
    .selectAll()
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('expired'))
    .where('project_id', '=', project)
    .where('order_no', '=', orderNo)
    .where('deleted', '=', false)
    .forUpdate()
    .executeTakeFirst()
}

/** Notes a hash for an order; false when it belongs to another one. Reporting an earlier hash of the same order again is fine. */
export async function addPayment(db: Db, project: number, orderId: number, hash: string): Promise<boolean> {
  const row = await db
    .insertInto('gateway.order_payments')
    .values({ project_id: project, hash, order_id: orderId })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'hash'])
        .doUpdateSet({ reported_at: sql`clock_timestamp()` })
        .where('gateway.order_payments.order_id', '=', orderId),
    )
    .returning('order_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function markInProgress(db: Db, project: number, id: number, hash: string): Promise<OrderRow> {
  return await db
    .updateTable('gateway.orders')
    .set({ status: OrderStatus.IN_PROGRESS, hash, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('status', 'in', [OrderStatus.PRE, OrderStatus.IN_PROGRESS])
    .returningAll()
    .executeTakeFirstOrThrow()
}
