import type { auctions } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { toColumns } from '../../../http/record-mapping.ts'
import { WHOLE_BPS } from './auction-rules.ts'

type Auctions = Tables['gateway.auctions']
/** An auction; `started` and `ended` are by the database's clock. */
export type AuctionRow = Selectable<Auctions> & { started: boolean; ended: boolean; order_no: string }
export type BidRow = Selectable<Tables['gateway.bids']>

/*
 * Lock order: the auction's reservation, then the auction, as with listings. A bid changes the auction only.
 */

const computedColumns = [
  sql<boolean>`start_time <= clock_timestamp()`.as('started'),
  sql<boolean>`end_time <= clock_timestamp()`.as('ended'),
  sql<string>`coalesce((
    select o.order_no from gateway.orders o
    where o.project_id = gateway.auctions.project_id and o.auction_id = gateway.auctions.id), '')`.as(
    'order_no',
  ),
]

export async function find(tenant: Tenant, id: number): Promise<AuctionRow | undefined> {
  return await tenant
    .selectFrom('gateway.auctions')
    .selectAll()
    .select(computedColumns)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function add(trx: Tenant, auction: NewRow<'gateway.auctions'>): Promise<AuctionRow> {
  return await trx
    .insertInto('gateway.auctions')
    .values(auction)
    .returningAll()
    .returning(computedColumns)
    .executeTakeFirstOrThrow()
}

/**
 * Makes a bid the top bid. Returns undefined if the auction does not accept it. A bid of the buyout amount
 * wins.
 *
 * A statement of its own locks the row first: a bid that waits for another one is evaluated by the clock
 * after the wait.
 */
export async function placeBid(
  trx: Tenant,
  id: number,
  { bidder, amount }: { readonly bidder: string; readonly amount: string },
): Promise<AuctionRow | undefined> {
  await trx.selectFrom('gateway.auctions').select('id').where('id', '=', id).forUpdate().execute()
  const bid = sql<string>`${amount}::numeric`
  const buysOut = sql<boolean>`(buyout_bid_amount > 0 and ${bid} = buyout_bid_amount)`
  const buffer = sql`make_interval(secs => time_buffer_seconds)`
  return await trx
    .updateTable('gateway.auctions')
    .set({
      top_bid: amount,
      top_bidder: bidder,
      bid_count: sql`bid_count + 1`,
      status: sql`case when ${buysOut} then 'WON' else status end`,
      end_time: sql`case when not ${buysOut} and end_time - clock_timestamp() <= ${buffer} then end_time + ${buffer} else end_time end`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'OPEN')
    .where('seller', '<>', bidder)
    .where(sql<boolean>`start_time <= clock_timestamp() and end_time > clock_timestamp()`)
    .where(sql<boolean>`(buyout_bid_amount = 0 or ${bid} <= buyout_bid_amount)`)
    .where(
      sql<boolean>`case
        when top_bid = 0 then ${bid} >= minimum_bid_amount
        else ${buysOut} or (${bid} > top_bid and ${bid} * ${WHOLE_BPS} >= top_bid * (${WHOLE_BPS} + bid_buffer_bps)) end`,
    )
    .returningAll()
    .returning(computedColumns)
    .executeTakeFirst()
}

export async function addBid(trx: Tenant, bid: InputOf<typeof auctions.bid>): Promise<BidRow> {
  return await trx.insertInto('gateway.bids').values(toColumns(bid)).returningAll().executeTakeFirstOrThrow()
}

/** Lists an auction's bids, the newest first, at most 100. */
export async function listBids(tenant: Tenant, auction: number): Promise<BidRow[]> {
  return await tenant
    .selectFrom('gateway.bids')
    .selectAll()
    .where('auction_id', '=', auction)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

const hasWinner = sql<boolean>`(top_bid > 0 and top_bid >= reserve_price)`

function change(trx: Tenant, id: number) {
  return trx
    .updateTable('gateway.auctions')
    .set({ updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .returning(computedColumns)
}

/** Cancels an auction that has not ended and has no bids. */
export async function cancel(trx: Tenant, id: number): Promise<AuctionRow | undefined> {
  return await change(trx, id)
    .set({ status: 'CANCELLED' })
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .where('bid_count', '=', 0)
    .where(sql<boolean>`end_time > clock_timestamp()`)
    .executeTakeFirst()
}

/**
 * Suspends an auction while its seller owns too few tokens, and resumes it when the seller owns enough again.
 */
export async function setBacked(trx: Tenant, id: number, backed: boolean): Promise<void> {
  // A bid or a job may have ended the auction meanwhile: they change the auction alone.
  await change(trx, id)
    .set({ status: backed ? 'OPEN' : 'INACTIVE' })
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .execute()
}

/** Cancels an INACTIVE auction: its seller no longer owns the token. */
export async function endInactive(trx: Tenant, id: number): Promise<boolean> {
  const row = await change(trx, id)
    .set({ status: 'CANCELLED' })
    .where('status', '=', 'INACTIVE')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Closes an auction that has ended with a top bid that reaches the reserve price. Returns undefined if it
 * has no such bid or was already closed. An INACTIVE auction is not won: its seller may no longer own the
 * token.
 */
export async function closeWon(trx: Tenant, id: number): Promise<AuctionRow | undefined> {
  return await change(trx, id)
    .set({ status: 'WON' })
    .where('status', '=', 'OPEN')
    .where(sql<boolean>`end_time <= clock_timestamp()`)
    .where(hasWinner)
    .executeTakeFirst()
}

/**
 * Closes an auction that has ended without a winner. Returns false if it has a winner or was already closed.
 */
export async function closeUnsold(trx: Tenant, id: number): Promise<boolean> {
  const row = await change(trx, id)
    .set({ status: 'UNSOLD' })
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .where(sql<boolean>`end_time <= clock_timestamp()`)
    .where(sql<boolean>`not ${hasWinner}`)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the auctions of an asset that have ended without a winner and are not closed. */
export async function listEndedUnsold(trx: Tenant, asset: number): Promise<{ id: number }[]> {
  return await trx
    .selectFrom('gateway.auctions')
    .select('id')
    .where('asset_id', '=', asset)
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .where(sql<boolean>`end_time <= clock_timestamp()`)
    .where(sql<boolean>`not ${hasWinner}`)
    .orderBy('id')
    .execute()
}

/** Records the outcome of the winner's order. */
export async function settle(
  trx: Tenant,
  id: number,
  status: 'WON' | 'SOLD' | 'UNPAID' | 'CANCELLED',
): Promise<void> {
  await change(trx, id).set({ status }).execute()
}
