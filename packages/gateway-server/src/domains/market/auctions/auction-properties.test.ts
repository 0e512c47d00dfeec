import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { isMintmarkError } from '@mintmark/envelope'
import { type Auction, auctions, type Bid } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuction, endIn, waitForEnd } from '../../../testing/auctions.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'auction properties')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

/** What can happen to an auction. */
type Step =
  | { do: 'bid'; bidder: number; amount: number }
  | { do: 'endIn'; milliseconds: number }
  | { do: 'cancel' | 'close' | 'payTimeEnds' }

const bidStep = fc.record({
  do: fc.constant('bid' as const),
  bidder: fc.nat(3),
  // Low ones are frequent, so that an auction has many, and some stay below their reserve; 3000 buys out
  // where that can be.
  amount: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 900, max: 1500 }) },
    { weight: 4, arbitrary: fc.integer({ min: 900, max: 3100 }) },
    { weight: 1, arbitrary: fc.constant(3000) },
  ),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: bidStep },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('endIn' as const),
      milliseconds: fc.constantFrom(-1, 0, 5, 30, 3_600_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'close' as const, 'payTimeEnds' as const),
    }),
  },
)
const terms = fc.record({
  bidBufferBps: fc.constantFrom(0, 500, 3000),
  timeBufferInSeconds: fc.constantFrom(0, 60),
  buyoutBidAmount: fc.constantFrom('0', '3000'),
  reservePrice: fc.constantFrom('0', '2000'),
})
type Terms = Parameters<typeof createAuction>[1] & { bidBufferBps: number; buyoutBidAmount: string }

interface Game {
  readonly auction: Auction
  readonly terms: Terms
  readonly bidders: readonly string[]
  /** Successful bids. */
  readonly accepted: Bid[]
}

/** Refusals are part of the game; anything else is not. */
async function tryTo<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return await work.catch((error: unknown) => {
    if (!isMintmarkError(error) || (error.status ?? 500) >= 500) throw error
    return undefined
  })
}

async function perform(game: Game, each: Step): Promise<void> {
  const { id } = game.auction
  switch (each.do) {
    case 'bid': {
      const bidder = game.bidders[each.bidder] ?? ''
      const call = auctions.bid(project.client, { auctionId: id, bidder, amount: String(each.amount) })
      const placed = await tryTo(call)
      if (placed !== undefined) game.accepted.push(placed)
      return
    }
    case 'endIn':
      await endIn(gateway, game.auction, each.milliseconds / 1000)
      return
    case 'cancel':
      await tryTo(auctions.cancel(project.client, { id }))
      return
    case 'close':
      await orderFixture.verify()
      return
    case 'payTimeEnds': {
      const { orderNo } = await auctions.get(project.client, { id })
      if (orderNo === '') return
      const order = await orders.get(project.client, { orderNo })
      if (order.orderStatus !== 0) return
      await orderFixture.expire(order)
      await orderFixture.verify()
    }
  }
}

async function begin(given: Terms): Promise<Game> {
  const auction = await createAuction(project, given)
  return { auction, terms: given, bidders: Array.from({ length: 4 }, newAddress), accepted: [] }
}

async function stored(auction: Auction) {
  const db = gateway.owner.system
  const bids = await db
    .selectFrom('gateway.bids')
    .select(['id', 'bidder', 'amount'])
    .where('auction_id', '=', auction.id)
    .orderBy('id')
    .execute()
  const made = await db
    .selectFrom('gateway.orders')
    .select(['recipient', 'pay_amount as amount'])
    .where('auction_id', '=', auction.id)
    .execute()
  const row = await db
    .selectFrom('gateway.auctions')
    .selectAll()
    .where('id', '=', auction.id)
    .executeTakeFirstOrThrow()
  const hold = await db
    .selectFrom('gateway.asset_reservations')
    .select('quantity')
    .where('holder', '=', 'auction')
    .where('holder_id', '=', auction.id)
    .executeTakeFirstOrThrow()
  return { bids, made, row, reserved: Number(hold.quantity) }
}

/** What holds of an auction at any time. */
async function expectSound({ auction, terms: given, accepted }: Game): Promise<void> {
  const { bids, made, row, reserved } = await stored(auction)
  // No bid is lost, and none was made up.
  expect(bids.map(({ id }) => id)).toEqual(accepted.map(({ id }) => id).sort((a, b) => a - b))
  // Each is above the one before by the buffer, or buys out; the highest is the top one.
  for (const [at, bid] of bids.entries()) {
    const [amount, before] = [Number(bid.amount), Number(bids[at - 1]?.amount ?? 0)]
    const buysOut = bid.amount === given.buyoutBidAmount
    if (before === 0) expect(amount).toBeGreaterThanOrEqual(1000)
    else if (!buysOut) expect(amount * 10_000).toBeGreaterThanOrEqual(before * (10_000 + given.bidBufferBps))
    expect(amount).toBeGreaterThan(before)
    if (buysOut) expect(at).toBe(bids.length - 1)
  }
  const top = bids.at(-1)
  expect([row.top_bid, row.top_bidder, row.bid_count]).toEqual([
    top?.amount ?? '0',
    top?.bidder ?? '',
    bids.length,
  ])
  // One winner has one order; without a winner there is no order.
  const won = row.status === 'WON' || row.status === 'SOLD' || row.status === 'UNPAID'
  expect(made).toEqual(won ? [{ recipient: row.top_bidder, amount: row.top_bid }] : [])
  if (won) expect(Number(row.top_bid)).toBeGreaterThanOrEqual(Number(row.reserve_price))
  if (row.status === 'CANCELLED') expect(bids).toEqual([])
  expect(reserved).toBe(row.status === 'OPEN' || row.status === 'WON' ? 1 : 0)
}

const runs = Number(process.env.PROPERTY_RUNS ?? 8)

it('keeps every sequential bid, sells to the highest one, and never moves the end back', async () => {
  const reached = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      terms,
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.boolean(),
      async (given, steps, lasts) => {
        const game = await begin(given)
        let end = 0
        for (const each of lasts ? steps.filter((one) => one.do !== 'endIn') : steps) {
          const before = Date.parse((await auctions.get(project.client, { id: game.auction.id })).endTime)
          if (each.do !== 'endIn') expect(before).toBeGreaterThanOrEqual(end)
          await perform(game, each)
          const after = (await stored(game.auction)).row.end_time.getTime()
          if (each.do !== 'endIn') expect(after).toBeGreaterThanOrEqual(before)
          end = after
          await expectSound(game)
        }
        await endIn(gateway, game.auction, 0)
        await orderFixture.verify()
        await expectSound(game)
        reached.add((await stored(game.auction)).row.status)
      },
    ),
    { numRuns: runs, seed: 20260117 },
  )
  // So that the above was seen of all.
  expect([...reached].sort()).toEqual(['CANCELLED', 'UNPAID', 'UNSOLD', 'WON'])
})

it('keeps every concurrent bid while the auction ends and is closed', async () => {
  await fc.assert(
    fc.asyncProperty(
      terms,
      fc.array(fc.array(step, { minLength: 3, maxLength: 8 }), { minLength: 2, maxLength: 5 }),
      async (given, rounds) => {
        const game = await begin(given)
        for (const steps of rounds) {
          await Promise.all(steps.map((each) => perform(game, each)))
          await expectSound(game)
        }
        await endIn(gateway, game.auction, 0)
        await Promise.all([orderFixture.verify(), orderFixture.verify()])
        await expectSound(game)
      },
    ),
    { numRuns: runs, seed: 20260118 },
  )
})

it('refuses all bids that waited for each other past the end', async () => {
  const game = await begin({ bidBufferBps: 500, buyoutBidAmount: '0', timeBufferInSeconds: 0 })
  await perform(game, { do: 'bid', bidder: 0, amount: 1000 })
  await endIn(gateway, game.auction, 1)
  const late = await gateway.owner.system.transaction().execute(async (trx) => {
    await sql`select from gateway.auctions where id = ${game.auction.id} for update`.execute(trx)
    const bids = [1, 2, 3].map((bidder) => perform(game, { do: 'bid', bidder, amount: 1500 + bidder * 500 }))
    await waitForBlockedStatements(gateway.owner.system, bids.length)
    await waitForEnd(trx, game.auction)
    return { bids }
  })
  await Promise.all(late.bids)
  expect(game.accepted).toHaveLength(1)
  await expectSound(game)
})
