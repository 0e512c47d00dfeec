import { auctions } from '@mintmark/market'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuction, endIn } from '../../../testing/auctions.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'shop')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

async function aWonAuction(endedSecondsAgo: number) {
  const auction = await createAuction(project)
  await auctions.bid(project.client, { auctionId: auction.id, bidder: newAddress(), amount: '1000' })
  await endIn(gateway, auction, -endedSecondsAgo)
  return auction
}
const statusOf = async (id: number) =>
  (
    await gateway.owner.system
      .selectFrom('gateway.auctions')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

it('closes the remaining auctions although more than one batch of winners waits for an unresponsive chain', async () => {
  const { id: waits } = await aWonAuction(30)
  // All at one moment, to the microsecond.
  const { rows } = await sql<{ id: number }>`
    with gone as (
      update gateway.auctions set chain_id = '1' where id = ${waits} returning *)
    insert into gateway.auctions (project_id, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity,
      minimum_bid_amount, bid_buffer_bps, time_buffer_seconds, start_time, end_time, top_bid, top_bidder, bid_count)
    select project_id, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, minimum_bid_amount,
      bid_buffer_bps, time_buffer_seconds, start_time, end_time, top_bid, top_bidder, bid_count
    from gone, generate_series(1, 250)
    returning id`.execute(gateway.owner.system)
  expect(rows).toHaveLength(250)
  const { id } = await aWonAuction(10)
  await orderFixture.verify()
  expect([await statusOf(waits), await statusOf(id)]).toEqual(['OPEN', 'WON'])
})

it('closes auctions without a winner without reading the chain', async () => {
  const auction = await createAuction(project)
  await endIn(gateway, auction, -1)
  gateway.chain.down = true
  await orderFixture.verify()
  gateway.chain.down = false
  expect(await statusOf(auction.id)).toBe('UNSOLD')
})
