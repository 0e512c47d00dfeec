import type { Database, Logger } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnavailableError, type PaymentChains } from '../../chain/payment-chains.ts'
import type { Tables } from '../../database/tables.ts'
import { openTenant } from '../../database/tenant.ts'
import type { OrderPort } from '../inventory/order-port.ts'
import type { OrderSettings } from '../inventory/order-settings.ts'
import { isReserveMet } from './auctions/auction-rules.ts'
import * as auctions from './auctions/auctions-store.ts'
import { closeUnsold, closeWon } from './auctions/close-auction.ts'
import * as listings from './listings/listings-store.ts'
import * as offers from './offers/offers-store.ts'

export interface EndedSales {
  readonly database: Database<Tables>
  readonly chains: PaymentChains
  readonly orders: OrderPort
  readonly settings: OrderSettings
  readonly log: Logger
}

const BATCH_SIZE = 100

/**
 * Closes the listings, offers and auctions that have ended by the database's clock, and creates the orders of
 * winners. Any number of processes can run it concurrently.
 */
export async function closeEndedSales(sales: EndedSales): Promise<void> {
  await closeBatch(sales, 'ended_listings', 'listing_id', async (project, id) => {
    await openTenant(sales.database, project).transaction((trx) => listings.close(trx, id, 'EXPIRED'))
  })
  await closeEndedAuctions(sales)
  await closeBatch(sales, 'ended_offers', 'offer_id', (project, id) =>
    offers.expire(openTenant(sales.database, project), id),
  )
}

/**
 * Closes ended auctions. One with a winner waits while its chain cannot be read; those that ended after it do
 * not wait.
 */
async function closeEndedAuctions(sales: EndedSales): Promise<void> {
  // One request to each chain per run: a chain that does not respond delays the others once, and not for each
  // of its auctions.
  const blocks = new Map<string, Promise<number>>()
  const getNewestBlock = (chainId: string) => {
    const block = blocks.get(chainId) ?? sales.chains.newestBlock(chainId)
    blocks.set(chainId, block)
    return block
  }
  const unreadable = new Set<string>()
  const close = async (project: number, id: number) => {
    const tenant = openTenant(sales.database, project)
    const auction = await auctions.find(tenant, id)
    if (auction === undefined) return
    if (!isReserveMet(auction)) {
      await tenant.transaction((trx) => closeUnsold(trx, id))
      return
    }
    const { chain_id: chainId } = auction
    // Before the transaction, so that no lock waits for the chain.
    const block = await getNewestBlock(chainId).catch((error: unknown) => {
      unreadable.add(chainId)
      throw error
    })
    await closeWon(tenant, id, { block, orders: sales.orders, settings: sales.settings })
  }
  // The time is a text: a Date would lose its microseconds, and the last auction would be found again.
  let end = '-infinity'
  let last = 0
  for (;;) {
    const { rows } = await sql<{ project: number; id: number; end: string }>`
      select project_id as project, auction_id as id, end_time::text as "end"
      from gateway.ended_auctions(${BATCH_SIZE}, ${end}::timestamptz, ${last}::bigint, ${[...unreadable]}::text[])`.execute(
      sales.database.system,
    )
    await closeAll(sales, rows, 'auction_id', close)
    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < BATCH_SIZE) return
    end = lastRow.end
    last = lastRow.id
  }
}

async function closeBatch(
  sales: EndedSales,
  listFunction: 'ended_listings' | 'ended_offers',
  column: string,
  close: (project: number, id: number) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ project: number; id: number }>`
    select project_id as project, ${sql.ref(column)} as id from gateway.${sql.raw(listFunction)}(${BATCH_SIZE})`.execute(
    sales.database.system,
  )
  await closeAll(sales, rows, column, close)
}

/** Closes each sale. One that cannot be closed is retried in the next run, and does not affect the others. */
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
        log.error({ err: error, projectId: project, [column]: id }, 'an ended sale could not be closed')
    }
  }
}
