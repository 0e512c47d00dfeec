import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { commit } from '../../inventory/commit.ts'
import type { Inventory, OrderItem } from '../../inventory/order-inventory.ts'
import { lockReservation, reduce } from '../../inventory/reservations-store.ts'
import * as uses from '../coupons/coupon-uses-store.ts'

/*
 * What an order takes from its listing. Locks are taken in one order: the listing's asset reservation, the asset, the listing, its coupon, the
 * wallet's counters. A transaction that changes a listing with orders locks the reservation first, so that the listing's status stays as it was
 * read. A new order changes the listing and the counters only.
 */

/** An order's part of a listing. */
export interface ListingItem {
  readonly listing: number
  readonly quantity: number
}

function updateListing(trx: Tenant, { listing }: ListingItem) {
  return trx
    .updateTable('gateway.listings')
    .set({ updated_at: sql`clock_timestamp()` })
    .where('id', '=', listing)
}

function takeRemaining(trx: Tenant, item: ListingItem) {
  return updateListing(trx, item)
    .set({ remaining: sql`remaining - ${item.quantity}`, reserved: sql`reserved + ${item.quantity}` })
    .where('remaining', '>=', item.quantity)
    .where('status', '=', 'ON')
}

/** Reserves units of a listing that is on sale. Returns undefined if it is not, or if fewer remain. */
export async function reserveListing(
  trx: Tenant,
  item: ListingItem,
): Promise<Selectable<Tables['gateway.listings']> | undefined> {
  return await takeRemaining(trx, item)
    .where(sql<boolean>`start_time <= clock_timestamp() and end_time > clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
}

/** Reserves again what an order had released, even after the listing's end: the order was placed before. */
async function reReserveListing(trx: Tenant, item: ListingItem): Promise<boolean> {
  return (await takeRemaining(trx, item).returning('id').executeTakeFirst()) !== undefined
}

/**
 * Counts one more open order of a wallet. Returns false if the wallet has `limit` open orders of the listing
 * already.
 */
export async function countOpenOrder(
  trx: Tenant,
  { listing }: ListingItem,
  wallet: string,
  limit: number,
): Promise<boolean> {
  const row = await trx
    .insertInto('gateway.open_orders')
    .values({ wallet, listing_id: listing, open: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'wallet', 'listing_id'])
        .doUpdateSet({ open: sql`gateway.open_orders.open + 1` })
        .where('gateway.open_orders.open', '<', limit),
    )
    .returning('open')
    .executeTakeFirst()
  return row !== undefined
}

async function uncountOpenOrder(trx: Tenant, { listing }: ListingItem, wallet: string): Promise<void> {
  await trx
    .updateTable('gateway.open_orders')
    .set({ open: sql`open - 1` })
    .where('wallet', '=', wallet)
    .where('listing_id', '=', listing)
    .execute()
}

/** Returns reserved units to the listing, or, if the listing is closed, to the seller. */
async function releaseListing(trx: Tenant, item: ListingItem): Promise<void> {
  const { status } = await trx
    .selectFrom('gateway.listings')
    .select('status')
    .where('id', '=', item.listing)
    .executeTakeFirstOrThrow()
  if (status !== 'ON' && status !== 'INACTIVE')
    await reduce(trx, { kind: 'listing', id: item.listing }, item.quantity)
  await updateListing(trx, item)
    .set({ remaining: sql`remaining + ${item.quantity}`, reserved: sql`reserved - ${item.quantity}` })
    .execute()
}

/** Counts reserved units as sold. A listing with nothing left is SOLD. */
async function countSold(trx: Tenant, item: ListingItem): Promise<void> {
  await updateListing(trx, item)
    .set({
      reserved: sql`reserved - ${item.quantity}`,
      sold: sql`sold + ${item.quantity}`,
      status: sql`case when remaining + reserved - ${item.quantity} = 0 and status in ('ON', 'INACTIVE') then 'SOLD' else status end`,
    })
    .execute()
}

/** The inventory of an order of a listing. */
export function listingInventory(trx: Tenant, order: OrderItem, listing: number): Inventory {
  const { quantity, recipient } = order
  const item = { listing, quantity }
  const hasCoupon = order.coupon_type !== 0
  return {
    lock: () => lockReservation(trx, { kind: 'listing', id: listing }),
    async reserve() {
      if (!(await reReserveListing(trx, item))) return false
      return !hasCoupon || (await uses.reserveAgain(trx, order))
    },
    async commit(hash) {
      const delivery = await commit(trx, { kind: 'listing', id: listing }, order, hash)
      await countSold(trx, item)
      if (hasCoupon) await uses.redeem(trx, order)
      if (order.stock === 'reserved') await uncountOpenOrder(trx, item, recipient)
      return delivery
    },
    async release() {
      await releaseListing(trx, item)
      if (hasCoupon) await uses.release(trx, order)
      await uncountOpenOrder(trx, item, recipient)
    },
    revert: () => Promise.resolve(false),
  }
}
