import { type Database, type Logger, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnavailableError, type PaymentChains } from '../../../chain/payment-chains.ts'
import type { OrderSettings } from '../../../order-settings.ts'
import type { Tables } from '../../../tables.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import { reserveMet } from '../auctions/auction-rules.ts'
import * as auctions from '../auctions/auctions-store.ts'
import { closeAuction } from '../auctions/close-auction.ts'
import * as offers from '../offers/offers-store.ts'
import * as listings from './listings-store.ts'

export interface EndedSales {
  readonly database: Database<Tables>
  readonly chains: PaymentChains
  readonly orders: OrderPort
  readonly settings: OrderSettings
  readonly log: Logger
}

const AT_ONCE = 100

/** Closes what has ended by the database's clock: listings, offers, and auctions with an order for who won. Any number of processes may do so at once. */
export async function closeEndedSales(sales: EndedSales): Promise<void> {
  await each(sales, 'ended_listings', 'listing_id', async (project, id) => {
    await transaction(sales.database.forProject(project), (trx) =>
      listings.close(trx, project, id, 'EXPIRED'),
    )
  })
  await closeEndedAuctions(sales)
  await each(sales, 'ended_offers', 'offer_id', (project, id) =>
    offers.expire(sales.database.forProject(project), project, id),
  )
}

/** An auction that somebody has won waits where its chain cannot be read; those that ended after it do not. */
async function closeEndedAuctions(sales: EndedSales): Promise<void> {
  // Each chain is asked once a run: one that does not answer holds up the rest once, and not for each of its auctions.
  const blocks = new Map<string, Promise<number>>()
  const newest = (chainId: string) => {
    const asked = blocks.get(chainId) ?? sales.chains.newestBlock(chainId)
    blocks.set(chainId, asked)
    return asked
  }
  const unreadable = new Set<string>()
  const close = async (project: number, id: number) => {
    const db = sales.database.forProject(project)
    const auction = await auctions.find(db, project, id)
    if (auction === undefined) return
    const { chain_id: chainId } = auction
    // Outside of the transaction: nothing in the database waits for the chain.
    const block = reserveMet(auction)
      ? await newest(chainId).catch((error: unknown) => {
          unreadable.add(chainId)
          throw error
        })
      : 0
    await closeAuction(db, project, id, { block, orders: sales.orders, settings: sales.settings })
  }
  // A time as a text: as a Date it would lose its microseconds, and the last one would be found again.
  for (let [end, last] = ['-infinity', 0]; ; ) {
    const { rows } = await sql<{ project: number; id: number; end: string }>`
      select project_id as project, auction_id as id, end_time::text as "end"
      from gateway.ended_auctions(${AT_ONCE}, ${end}::timestamptz, ${last}::bigint, ${[...unreadable]}::text[])`.execute(
      sales.database.system,
    )
    await closeAll(sales, rows, 'auction_id', close)
    const furthest = rows.at(-1)
    if (furthest === undefined || rows.length < AT_ONCE) return
    ;[end, last] = [furthest.end, furthest.id]
  }
}

async function each(
  sales: EndedSales,
  found: 'ended_listings' | 'ended_offers',
  column: string,
  close: (project: number, id: number) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ project: number; id: number }>`
    select project_id as project, ${sql.ref(column)} as id from gateway.${sql.raw(found)}(${AT_ONCE})`.execute(
    sales.database.system,
  )
  await closeAll(sales, rows, column, close)
}

/** One that cannot be closed stays for the next time, and is not in the way of the others. */
async function closeAll(
  { log }: EndedSales,
  rows: readonly { readonly project: number; readonly id: number }[],
  column: string,
  close: (project: number, id: number) => Promise<void>,
): Promise<void> {
  for (const { project, id } of rows) {
    try {
      await close(project, id)
    } catch (error) {
      if (!(error instanceof ChainUnavailableError))
        log.error(
          { err: error, projectId: project, [column]: id },
          'a sale that has ended could not be closed',
        )
    }
  }
}
