import { type Auction, auctions } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { createOwnedToken } from './create-listing.ts'
import type { TestGateway } from './gateway.ts'

/** Creates an auction of a new token, with a minimum bid of 1000 and a duration of a day. */
export async function createAuction(
  { gateway, projectId, client }: { gateway: TestGateway; projectId: number; client: GatewayClient },
  more: Partial<Parameters<typeof auctions.create>[1]> = {},
): Promise<Auction> {
  const token = await createOwnedToken(gateway, projectId)
  const [startTime, endTime] = [-1, 24].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
  const when = { startTime: startTime ?? '', endTime: endTime ?? '' }
  return await auctions.create(client, { ...token, quantity: 1, minimumBidAmount: '1000', ...when, ...more })
}

/** Waits until the auction's end has passed by the database's clock. */
export async function waitForEnd(db: Kysely<Tables>, { id }: Auction): Promise<void> {
  await sql`select pg_sleep_until(end_time) from gateway.auctions where id = ${id}`.execute(db)
}

/** Moves an auction's end to `seconds` from now, by the database's clock. */
export async function endIn(gateway: TestGateway, { id }: Auction, seconds: number): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.auctions')
    .set({ end_time: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .execute()
}
