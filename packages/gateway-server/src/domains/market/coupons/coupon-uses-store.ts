import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'

/*
 * The uses of coupons by orders: a use is reserved with its order, and redeemed or released with it. Lock order: the order, the coupon, the
 * wallet's counter.
 */

type Coupon = Selectable<Tables['gateway.coupons']>

export interface CouponOfOrder {
  readonly project_id: number
  readonly id: number
}

const isRunning = sql<boolean>`start_time <= clock_timestamp() and (end_time is null or end_time > clock_timestamp())`

/** Finds a coupon, with whether it is valid now. */
export async function find(tenant: Tenant, id: number): Promise<(Coupon & { running: boolean }) | undefined> {
  return await tenant
    .selectFrom('gateway.coupons')
    .selectAll()
    .select(isRunning.as('running'))
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function hasCode(tenant: Tenant, coupon: number, code: string): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.coupon_codes')
    .select('coupon_id')
    .where('code', '=', code)
    .executeTakeFirst()
  return row?.coupon_id === coupon
}

function updateCoupon(trx: Tenant, id: number) {
  return trx.updateTable('gateway.coupons').set({ updated_at: sql`clock_timestamp()` }).where('id', '=', id)
}

function incrementUses(trx: Tenant, id: number) {
  return updateCoupon(trx, id)
    .set({ used: sql`used + 1` })
    .where(sql<boolean>`(max_redemptions = 0 or used < max_redemptions)`)
}

/**
 * Reserves a use of a coupon for an order of `total`. Returns undefined if no use is left, or if the coupon
 * is not valid for the order.
 */
export async function reserve(trx: Tenant, id: number, total: bigint): Promise<Coupon | undefined> {
  return await incrementUses(trx, id)
    .where('minimum_amount', '<=', total.toString())
    .where(isRunning)
    .returningAll()
    .executeTakeFirst()
}

/** Increments a wallet's uses of a coupon. Returns false if the wallet has reached its limit. */
export async function countWallet(
  trx: Tenant,
  coupon: Pick<Coupon, 'project_id' | 'id' | 'max_per_wallet'>,
  wallet: string,
): Promise<boolean> {
  const row = await trx
    .insertInto('gateway.coupon_wallets')
    .values({ coupon_id: coupon.id, wallet, used: 1 })
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
  trx: Tenant,
  order: CouponOfOrder,
  use: { readonly coupon: number; readonly wallet: string },
): Promise<void> {
  await trx
    .insertInto('gateway.coupon_uses')
    .values({ order_id: order.id, coupon_id: use.coupon, wallet: use.wallet })
    .execute()
}

type Status = 'RESERVED' | 'REDEEMED' | 'RELEASED'

async function change(trx: Tenant, order: CouponOfOrder, from: Status, to: Status) {
  return await trx
    .updateTable('gateway.coupon_uses')
    .set({ status: to, updated_at: sql`clock_timestamp()` })
    .where('order_id', '=', order.id)
    .where('status', '=', from)
    .returning(['coupon_id as coupon', 'wallet'])
    .executeTakeFirst()
}

/** Releases the use of an order that ended without payment. */
export async function release(trx: Tenant, order: CouponOfOrder): Promise<void> {
  const use = await change(trx, order, 'RESERVED', 'RELEASED')
  if (use === undefined) return
  await updateCoupon(trx, use.coupon).set({ used: sql`used - 1` }).execute()
  await trx
    .updateTable('gateway.coupon_wallets')
    .set({ used: sql`used - 1` })
    .where('coupon_id', '=', use.coupon)
    .where('wallet', '=', use.wallet)
    .execute()
}

/**
 * Reserves the released use of an order again, also after the coupon's end. Returns false if no use is left:
 * the caller must roll the transaction back.
 */
export async function reserveAgain(trx: Tenant, order: CouponOfOrder): Promise<boolean> {
  const use = await change(trx, order, 'RELEASED', 'RESERVED')
  if (use === undefined) return true
  const coupon = await incrementUses(trx, use.coupon).returningAll().executeTakeFirst()
  return coupon !== undefined && (await countWallet(trx, coupon, use.wallet))
}

/** Redeems the use of a paid order. */
export async function redeem(trx: Tenant, order: CouponOfOrder): Promise<void> {
  const use = await change(trx, order, 'RESERVED', 'REDEEMED')
  if (use === undefined) return
  await updateCoupon(trx, use.coupon).set({ redeemed: sql`redeemed + 1` }).execute()
}
