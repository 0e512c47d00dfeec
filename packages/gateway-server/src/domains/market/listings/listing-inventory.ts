import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import { addOwned, hold } from '../../inventory/assets-store.ts'
import type { OrderRow } from '../../orders/orders-store.ts'

/*
 * What an order takes of its listing. Locks are taken in one order: the listing's hold, assets, the listing, its coupon, the wallet's counters. Whoever
 * changes a listing that an order is of locks the hold first (`lockHold`), so that its state stays what it was found in; a new order
 * changes the listing and the counter alone.
 */

export type StockedListing = Selectable<Tables['gateway.listings']>

/** The order's listing; an order without one has no stock. */
export interface OfListing {
  readonly project: number
  readonly listing: number
  readonly quantity: number
}

/** Reserves what is left of a listing that is on the shelf; undefined where that is not so much, or it is not. */
export async function reserveNew(trx: Db, of: OfListing): Promise<StockedListing | undefined> {
  return await trx
    .updateTable('gateway.listings')
    .set({
      remaining: sql`remaining - ${of.quantity}`,
      reserved: sql`reserved + ${of.quantity}`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('project_id', '=', of.project)
    .where('id', '=', of.listing)
    .where('remaining', '>=', of.quantity)
    .where('status', '=', 'ON')
    .where(sql<boolean>`start_time <= clock_timestamp() and end_time > clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
}

/** Reserves again what an order had given back, also past the listing's end: it was ordered before. */
export async function reserveAgain(trx: Db, of: OfListing): Promise<boolean> {
  const row = await trx
    .updateTable('gateway.listings')
    .set({
      remaining: sql`remaining - ${of.quantity}`,
      reserved: sql`reserved + ${of.quantity}`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('project_id', '=', of.project)
    .where('id', '=', of.listing)
    .where('remaining', '>=', of.quantity)
    .where('status', '=', 'ON')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts one more open order of a wallet; false where it has as many as it may. */
export async function countOpen(
  trx: Db,
  { project, listing }: OfListing,
  wallet: string,
  limit: number,
): Promise<boolean> {
  const row = await trx
    .insertInto('gateway.open_orders')
    .values({ project_id: project, wallet, listing_id: listing, open: 1 })
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

/** An open order has ended: its wallet may order anew. */
export async function uncountOpen(trx: Db, { project, listing }: OfListing, wallet: string): Promise<void> {
  await trx
    .updateTable('gateway.open_orders')
    .set({ open: sql`open - 1` })
    .where('project_id', '=', project)
    .where('wallet', '=', wallet)
    .where('listing_id', '=', listing)
    .execute()
}

async function shrinkHold(trx: Db, of: OfListing): Promise<{ asset: number }> {
  const row = await trx
    .updateTable('gateway.asset_holds')
    .set({ quantity: sql`quantity - ${of.quantity}` })
    .where('project_id', '=', of.project)
    .where('holder', '=', 'listing')
    .where('holder_id', '=', of.listing)
    .returning('asset_id as asset')
    .executeTakeFirstOrThrow()
  return row
}

/** Gives back what an order had reserved: to the shelf, or, where the listing is closed, to its owner. */
export async function release(trx: Db, of: OfListing): Promise<void> {
  const { status } = await trx
    .selectFrom('gateway.listings')
    .select('status')
    .where('project_id', '=', of.project)
    .where('id', '=', of.listing)
    .executeTakeFirstOrThrow()
  if (status !== 'ON' && status !== 'INACTIVE') await shrinkHold(trx, of)
  await trx
    .updateTable('gateway.listings')
    .set({
      remaining: sql`remaining + ${of.quantity}`,
      reserved: sql`reserved - ${of.quantity}`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('project_id', '=', of.project)
    .where('id', '=', of.listing)
    .execute()
}

/** Sells what an order has reserved. Answers how it stands with delivery. */
export async function take(trx: Db, of: OfListing, order: OrderRow): Promise<'done' | 'pending'> {
  const { asset } = await shrinkHold(trx, of)
  const delivery = await deliver(trx, asset, order)
  await trx
    .updateTable('gateway.listings')
    .set({
      reserved: sql`reserved - ${of.quantity}`,
      sold: sql`sold + ${of.quantity}`,
      status: sql`case when remaining + reserved - ${of.quantity} = 0 and status in ('ON', 'INACTIVE') then 'SOLD' else status end`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('project_id', '=', of.project)
    .where('id', '=', of.listing)
    .execute()
  return delivery
}

/**
 * Gives what was sold, and is held no more, to the buyer: ownership moves, or, where the chain alone writes it, the order holds what is to
 * be delivered.
 */
export async function deliver(trx: Db, asset: number, order: OrderRow): Promise<'done' | 'pending'> {
  const { project_id: project, quantity } = order
  const owned = await trx
    .updateTable('gateway.assets')
    .set({ quantity: sql`quantity - ${quantity}`, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', asset)
    .where('indexed', '=', false)
    .returning('id')
    .executeTakeFirst()
  if (owned !== undefined) {
    const token = { chainId: order.chain_id, nftAddress: order.nft_address, nftId: order.nft_id }
    await addOwned(trx, project, { ...token, nftType: order.nft_type, owner: order.recipient }, quantity)
    return 'done'
  }
  // Where the chain took it meanwhile there is nothing left to hold; what the order waits for is its Transfer all the same.
  await hold(trx, project, asset, { kind: 'order', id: order.id, quantity })
  return 'pending'
}

/** Notes what was sold. */
export async function addSale(trx: Db, order: OrderRow, hash: string): Promise<void> {
  await trx
    .insertInto('gateway.sales')
    .values({
      project_id: order.project_id,
      order_id: order.id,
      market_type: order.market_type,
      chain_id: order.chain_id,
      nft_address: order.nft_address,
      nft_id: order.nft_id,
      seller: order.sender,
      buyer: order.recipient,
      quantity: order.quantity,
      amount: order.pay_amount,
      pay_token_address: order.pay_token_address,
      hash,
    })
    .execute()
}

/** What was noted as sold is not to be. */
export async function removeSale(trx: Db, { project_id, id }: OrderRow): Promise<void> {
  await trx
    .deleteFrom('gateway.sales')
    .where('project_id', '=', project_id)
    .where('order_id', '=', id)
    .execute()
}

/** What was sold before there was a token is that token by now. */
export async function deliverSale(trx: Db, { project_id, id }: OrderRow, nftId: string): Promise<void> {
  await trx
    .updateTable('gateway.sales')
    .set({ nft_id: nftId })
    .where('project_id', '=', project_id)
    .where('order_id', '=', id)
    .execute()
}
