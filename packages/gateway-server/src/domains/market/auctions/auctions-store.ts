import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import { WHOLE_BPS } from './auction-rules.ts'

type Auctions = Tables['gateway.auctions']
/** An auction; `started` and `ended` by the database's clock. */
export type AuctionRow = Selectable<Auctions> & { started: boolean; ended: boolean; order_no: string }
export type BidRow = Selectable<Tables['gateway.bids']>

/*
 * Whoever gives up what an auction holds locks the hold first, then the auction, as with listings. A bid changes the auction alone.
 */

const shown = [
  sql<boolean>`start_time <= clock_timestamp()`.as('started'),
  sql<boolean>`end_time <= clock_timestamp()`.as('ended'),
  sql<string>`coalesce((
    select o.order_no from gateway.orders o
    where o.project_id = gateway.auctions.project_id and o.auction_id = gateway.auctions.id), '')`.as(
    'order_no',
  ),
]

export async function find(db: Db, project: number, id: number): Promise<AuctionRow | undefined> {
  return await db
    .selectFrom('gateway.auctions')
    .selectAll()
    .select(shown)
    .where('project_id', '=', project)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function add(trx: Db, auction: Insertable<Auctions>): Promise<AuctionRow> {
  return await trx
    .insertInto('gateway.auctions')
    .values(auction)
    .returningAll()
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/**
 * Makes a bid the top one, if it is good by then; undefined where it is not. A bid of the buyout amount wins.
 *
 * The row is locked by a statement of its own first: a bid that waits for another one meets the clock when its turn has come, not when it
 * began to wait.
 */
export async function placeBid(
  trx: Db,
  project: number,
  id: number,
  { bidder, amount }: { readonly bidder: string; readonly amount: string },
): Promise<AuctionRow | undefined> {
  await trx
    .selectFrom('gateway.auctions')
    .select('id')
    .where('project_id', '=', project)
    .where('id', '=', id)
    .forUpdate()
    .execute()
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
    .where('project_id', '=', project)
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
    .returning(shown)
    .executeTakeFirst()
}

export async function addBid(
  trx: Db,
  project: number,
  auction: number,
  { bidder, amount }: { readonly bidder: string; readonly amount: string },
): Promise<BidRow> {
  return await trx
    .insertInto('gateway.bids')
    .values({ project_id: project, auction_id: auction, bidder, amount })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An auction's bids, the newest first, the first hundred. */
export async function bidsOf(db: Db, project: number, auction: number): Promise<BidRow[]> {
  return await db
    .selectFrom('gateway.bids')
    .selectAll()
    .where('project_id', '=', project)
    .where('auction_id', '=', auction)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

const won = sql<boolean>`(top_bid > 0 and top_bid >= reserve_price)`

function change(trx: Db, project: number, id: number) {
  return trx
    .updateTable('gateway.auctions')
    .set({ updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .returningAll()
    .returning(shown)
}

/** Cancels an auction that runs, or will, and has no bids. */
export async function cancel(trx: Db, project: number, id: number): Promise<AuctionRow | undefined> {
  return await change(trx, project, id)
    .set({ status: 'CANCELLED' })
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .where('bid_count', '=', 0)
    .where(sql<boolean>`end_time > clock_timestamp()`)
    .executeTakeFirst()
}

/** Suspends an auction while its seller owns too few tokens, and resumes it when the seller owns enough again. */
export async function setBacked(trx: Db, project: number, id: number, backed: boolean): Promise<void> {
  // A bid or a job may have ended the auction meanwhile: they change the auction alone.
  await change(trx, project, id)
    .set({ status: backed ? 'OPEN' : 'INACTIVE' })
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .execute()
}

/** Ends an auction that is INACTIVE: its seller has the token no more. */
export async function endInactive(trx: Db, project: number, id: number): Promise<boolean> {
  const ended = await change(trx, project, id)
    .set({ status: 'CANCELLED' })
    .where('status', '=', 'INACTIVE')
    .executeTakeFirst()
  return ended !== undefined
}

/**
 * Closes an auction that has ended: WON where the top bid reaches the reserve, else UNSOLD. Once, whoever does it. One that is INACTIVE is
 * not won: the chain may have taken the token away.
 */
export async function close(trx: Db, project: number, id: number): Promise<AuctionRow | undefined> {
  return await change(trx, project, id)
    .set({ status: sql`case when ${won} then 'WON' else 'UNSOLD' end` })
    .where(sql<boolean>`(status = 'OPEN' or (status = 'INACTIVE' and not ${won}))`)
    .where(sql<boolean>`end_time <= clock_timestamp()`)
    .executeTakeFirst()
}

/** The auctions of an asset that have ended without a winner, and are not closed yet. */
export async function endedUnsold(trx: Db, project: number, asset: number): Promise<{ id: number }[]> {
  return await trx
    .selectFrom('gateway.auctions')
    .select('id')
    .where('project_id', '=', project)
    .where('asset_id', '=', asset)
    .where('status', 'in', ['OPEN', 'INACTIVE'])
    .where(sql<boolean>`end_time <= clock_timestamp()`)
    .where(sql<boolean>`not ${won}`)
    .orderBy('id')
    .execute()
}

/** Notes what became of the winner's order. */
export async function settle(
  trx: Db,
  project: number,
  id: number,
  status: 'WON' | 'SOLD' | 'UNPAID' | 'CANCELLED',
): Promise<void> {
  await change(trx, project, id).set({ status }).execute()
}
