import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'

/*
 * What orders have of coupons: a use is reserved with the order, and redeemed or released with it. Who changes a use has locked its order;
 * the coupon comes before the wallet's counter.
 */

type Coupon = Selectable<Tables['gateway.coupons']>

export interface CouponOfOrder {
  readonly project_id: number
  readonly id: number
}

const running = sql<boolean>`start_time <= clock_timestamp() and (end_time is null or end_time > clock_timestamp())`

/** A coupon, and whether now is within its time. */
export async function find(
  db: Db,
  project: number,
  id: number,
): Promise<(Coupon & { running: boolean }) | undefined> {
  return await db
    .selectFrom('gateway.coupons')
    .selectAll()
    .select(running.as('running'))
    .where('project_id', '=', project)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function hasCode(db: Db, project: number, coupon: number, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('gateway.coupon_codes')
    .select('coupon_id')
    .where('project_id', '=', project)
    .where('code', '=', code)
    .executeTakeFirst()
  return row?.coupon_id === coupon
}

function countUp(trx: Db, project: number, id: number) {
  return trx
    .updateTable('gateway.coupons')
    .set({ used: sql`used + 1`, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where(sql<boolean>`(max_redemptions = 0 or used < max_redemptions)`)
}

/** Takes one use of a coupon for an order of so much; undefined where it has none left, or is not good for that now. */
export async function reserve(
  trx: Db,
  project: number,
  id: number,
  total: bigint,
): Promise<Coupon | undefined> {
  return await countUp(trx, project, id)
    .where('minimum_amount', '<=', total.toString())
    .where(running)
    .returningAll()
    .executeTakeFirst()
}

/** Counts one more use of a wallet; false where it has as many as it may. */
export async function countWallet(
  trx: Db,
  coupon: Pick<Coupon, 'project_id' | 'id' | 'max_per_wallet'>,
  wallet: string,
): Promise<boolean> {
  const row = await trx
    .insertInto('gateway.coupon_wallets')
    .values({ project_id: coupon.project_id, coupon_id: coupon.id, wallet, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'coupon_id', 'wallet'])
        .doUpdateSet({ used: sql`gateway.coupon_wallets.used + 1` })
        .where(
          sql<boolean>`(${coupon.max_per_wallet}::bigint = 0 or gateway.coupon_wallets.used < ${coupon.max_per_wallet}::bigint)`,
        ),
    )
    .returning('used')
    .executeTakeFirst()
  return row !== undefined
}

export async function add(
  trx: Db,
  order: CouponOfOrder,
  use: { readonly coupon: number; readonly wallet: string },
): Promise<void> {
  await trx
    .insertInto('gateway.coupon_uses')
    .values({ project_id: order.project_id, order_id: order.id, coupon_id: use.coupon, wallet: use.wallet })
    .execute()
}

type Status = 'RESERVED' | 'REDEEMED' | 'RELEASED'

async function change(trx: Db, order: CouponOfOrder, from: Status, to: Status) {
  return await trx
    .updateTable('gateway.coupon_uses')
    .set({ status: to, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', order.project_id)
    .where('order_id', '=', order.id)
    .where('status', '=', from)
    .returning(['coupon_id as coupon', 'wallet'])
    .executeTakeFirst()
}

/** The order has ended without being paid: its use comes back. */
export async function release(trx: Db, order: CouponOfOrder): Promise<void> {
  const use = await change(trx, order, 'RESERVED', 'RELEASED')
  if (use === undefined) return
  await trx
    .updateTable('gateway.coupons')
    .set({ used: sql`used - 1`, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', order.project_id)
    .where('id', '=', use.coupon)
    .execute()
  await trx
    .updateTable('gateway.coupon_wallets')
    .set({ used: sql`used - 1` })
    .where('project_id', '=', order.project_id)
    .where('coupon_id', '=', use.coupon)
    .where('wallet', '=', use.wallet)
    .execute()
}

/**
 * Takes again what the order had given back, also past the coupon's time: it was ordered before. False where others have it by now; the
 * caller then undoes what was done.
 */
export async function reserveAgain(trx: Db, order: CouponOfOrder): Promise<boolean> {
  const use = await change(trx, order, 'RELEASED', 'RESERVED')
  if (use === undefined) return true
  const coupon = await countUp(trx, order.project_id, use.coupon).returningAll().executeTakeFirst()
  return coupon !== undefined && (await countWallet(trx, coupon, use.wallet))
}

/** The order was paid. */
export async function redeem(trx: Db, order: CouponOfOrder): Promise<void> {
  const use = await change(trx, order, 'RESERVED', 'REDEEMED')
  if (use === undefined) return
  await trx
    .updateTable('gateway.coupons')
    .set({ redeemed: sql`redeemed + 1`, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', order.project_id)
    .where('id', '=', use.coupon)
    .execute()
}
