import { contracts } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { TestChain } from '@mintmark/devkit/chain/testing'
import { isMintmarkError } from '@mintmark/envelope'
import { type Auction, auctions, commonSales, offers } from '@mintmark/market'
import { OrderStatus, orders } from '@mintmark/orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { endIn } from '../../testing/auctions.ts'
import { type IndexedMarket, indexedMarket } from '../../testing/indexed-market-fixture.ts'
import { deployEdition } from '../../testing/indexer-fixture.ts'
import { newHash, type OrderFixture } from '../../testing/order-fixture.ts'
import { addFinalPayment } from '../../testing/presales.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import type { Indexer } from '../indexer.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const [SELLER, BUYER, THIRD] = [1, 2, 3]
const addressOf = (account: number) => devAccount(account).address
/** Blocks on top of one after which it stays, for the indexer. */
const DEPTH = 2
const OWNED = 6n

let market: IndexedMarket
let chain: TestChain
let gateway: IndexedMarket['gateway']
let project: SampleProject
let orderFixture: OrderFixture
let indexer: Indexer
beforeAll(async () => {
  // This is about who owns what.
  market = await indexedMarket(DEPTH, 'quiet')
  ;({ chain, gateway, project, orderFixture, indexer } = market)
})
afterAll(() => market?.close())

type Action =
  | { do: 'list' | 'auction' | 'offer'; quantity: number }
  | { do: 'bid' | 'end' | 'pay' | 'cancel'; which: number }
  | { do: 'give' | 'giveBack'; quantity: number }
  | { do: 'snapshot' | 'reorganise' | 'index' | 'settle' | 'verify' }

const quantity = fc.integer({ min: 1, max: 3 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('list', 'auction', 'offer'), quantity }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('bid', 'end', 'pay', 'cancel'), which: fc.nat(5) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('give', 'give', 'giveBack'), quantity }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('index', 'settle', 'verify', 'snapshot', 'reorganise') }),
  },
)

async function begin() {
  const edition = await deployEdition(chain)
  const token = { nftAddress: edition.lowerCase, nftId: '1' }
  const registered = { nftType: 'ERC1155', chainId: String(chain.chainId), name: 'Run', index: true }
  await contracts.add(project.client, { ...registered, nftAddress: token.nftAddress })
  await edition.call(0, 'mint', [addressOf(SELLER), 1n, OWNED])
  await indexer.run()
  const running: Auction[] = []
  const orderNos: string[] = []
  return { edition, token, running, orderNos, snapshot: undefined as `0x${string}` | undefined }
}
type World = Awaited<ReturnType<typeof begin>>

async function perform(world: World, step: Action): Promise<void> {
  const { client } = project
  const { edition, token, running, orderNos } = world
  const [seller, buyer] = [addressOf(SELLER), addressOf(BUYER)]
  const [now, day] = [Date.now(), 86_400_000]
  const endTime = new Date(now + day).toISOString()
  const move = async (from: number, to: number, amount: number) =>
    // More than it has is the contract's to refuse.
    await edition
      .call(from, 'safeTransferFrom', [addressOf(from), addressOf(to), 1n, BigInt(amount), '0x'])
      .catch(() => {})
  switch (step.do) {
    case 'list':
      await commonSales.putOnShelf(client, { ...token, seller, quantity: step.quantity, payPrice: '10' })
      return
    case 'auction': {
      const startTime = new Date(now - day).toISOString()
      const terms = { minimumBidAmount: '10', startTime, endTime, quantity: step.quantity }
      running.push(await auctions.create(client, { ...token, seller, ...terms }))
      return
    }
    case 'offer': {
      const terms = { quantity: step.quantity, totalPrice: '10', expireTime: endTime }
      const { id } = await offers.create(client, { ...token, ...terms, offerer: buyer })
      orderNos.push((await offers.accept(client, { id, owner: seller })).orderNo)
      return
    }
    case 'bid': {
      const auction = running[step.which % Math.max(1, running.length)]
      if (auction) await auctions.bid(client, { auctionId: auction.id, bidder: buyer, amount: '10' })
      return
    }
    case 'end': {
      const auction = running[step.which % Math.max(1, running.length)]
      if (auction === undefined) return
      await endIn(gateway, auction, -1)
      await orderFixture.verify()
      const { orderNo } = await auctions.get(client, { id: auction.id })
      if (orderNo !== '') orderNos.push(orderNo)
      return
    }
    case 'pay':
    case 'cancel': {
      const orderNo = orderNos[step.which % Math.max(1, orderNos.length)]
      if (orderNo === undefined) return
      if (step.do === 'cancel') return void (await orders.cancel(client, { orderNo }))
      const hash = newHash()
      addFinalPayment(gateway, hash)
      await orders.payOrder(client, { orderNo, recipient: buyer, hash })
      return
    }
    case 'give':
      return await move(SELLER, THIRD, step.quantity).then(() => {})
    case 'giveBack':
      return await move(THIRD, SELLER, step.quantity).then(() => {})
    case 'snapshot':
      world.snapshot = await chain.client.snapshot()
      return
    case 'reorganise':
      if (world.snapshot !== undefined) {
        await chain.client.revert({ id: world.snapshot })
        // A block of its own in place of those that were there.
        await chain.client.mine({ blocks: 1, interval: 7 })
      }
      world.snapshot = undefined
      return
    case 'verify':
      return await orderFixture.verify()
    case 'index':
      return await indexer.run()
    case 'settle':
      return await settle()
  }
}

async function settle(): Promise<void> {
  await indexer.run()
  await chain.client.mine({ blocks: DEPTH + 1 })
  await indexer.run()
  // What let go of something may let something else stand.
  await indexer.run()
}

/** That nothing is found by a query of what is wrong. */
async function expectNone(what: string, wrong: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await wrong.execute(gateway.owner.system)
  expect(rows, what).toEqual([])
}

/** Holds with what they are for. */
const promises = sql`
  select a.id as asset, a.quantity as owned, h.quantity as holds,
    case
      when l.status in ('ON', 'OFF', 'SOLD', 'EXPIRED') then lower(l.status)
      when u.status = 'OPEN' then 'on'
      when l.status = 'INACTIVE' or u.status = 'INACTIVE' then 'inactive'
      when o.status = ${OrderStatus.PRE} then 'awarded'
      else 'paid' end as claim
  from gateway.assets a
  join gateway.asset_reservations h on h.project_id = a.project_id and h.asset_id = a.id and h.quantity > 0
  left join gateway.listings l on h.holder = 'listing' and l.project_id = h.project_id and l.id = h.holder_id
  left join gateway.auctions u on h.holder = 'auction' and u.project_id = h.project_id and u.id = h.holder_id
  left join gateway.orders o on o.project_id = h.project_id
    and (h.holder = 'auction' and o.auction_id = h.holder_id or h.holder = 'offer' and o.offer_id = h.holder_id)
  where a.indexed`

/** After the indexer has read all there is. */
async function expectSound(): Promise<void> {
  await expectNone(
    'an asset counts its holds',
    sql`select id from gateway.assets a where held <> (
      select coalesce(sum(quantity), 0) from gateway.asset_reservations h where h.project_id = a.project_id and h.asset_id = a.id)`,
  )
  await expectNone(
    'what can be bought is there, with all that is promised more firmly',
    sql`select asset, owned, sum(holds) as promised from (${promises}) p where claim <> 'inactive'
      group by asset, owned having bool_or(claim = 'on') and sum(holds) > owned`,
  )
}

/** After all that happened stays. */
async function expectSettled(): Promise<void> {
  await expectSound()
  await expectNone(
    'nobody is asked to pay for what is not there',
    sql`select asset, owned, sum(holds) as promised from (${promises}) p where claim <> 'inactive'
      group by asset, owned having bool_or(claim = 'awarded') and sum(holds) > owned`,
  )
  await expectNone('no auction waits', sql`select id from gateway.auctions where status = 'INACTIVE'`)
  await expectNone(
    'what ended has let go, and what runs has not',
    sql`select u.id, u.status, h.quantity from gateway.auctions u
      join gateway.asset_reservations h on h.project_id = u.project_id and h.holder = 'auction' and h.holder_id = u.id
      where (h.quantity > 0) <> (u.status in ('OPEN', 'WON'))`,
  )
}

/** Refusals are part of the game; anything else is not. */
async function tryTo(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isMintmarkError(error) || (error.status ?? 500) >= 500) throw error
  })
}

const runs = Number(process.env.PROPERTY_RUNS ?? 6)

it('no more is promised than there is, whatever is sold, transferred and reorganised', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 35 }), async (steps) => {
      const world = await begin()
      for (const step of steps) {
        await tryTo(perform(world, step))
        if (step.do === 'index') await expectSound()
        if (step.do === 'settle') await expectSettled()
      }
      await settle()
      await expectSettled()
    }),
    { numRuns: runs, seed: 20260119 },
  )
})

it('and when it happens at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 3, maxLength: 6 }), { minLength: 3, maxLength: 6 }),
      async (rounds) => {
        const world = await begin()
        for (const steps of rounds) {
          // The chain itself is one: what changes it comes in its turn.
          const [onChain, others] = [steps.filter(changesChain), steps.filter((step) => !changesChain(step))]
          await Promise.all([
            ...others.map((step) => tryTo(perform(world, step))),
            onChain.reduce<Promise<void>>(
              (before, step) => before.then(() => tryTo(perform(world, step))),
              Promise.resolve(),
            ),
          ])
          await settle()
          await expectSettled()
        }
      },
    ),
    { numRuns: runs, seed: 20260120 },
  )
})

const changesChain = ({ do: what }: Action) =>
  ['give', 'giveBack', 'snapshot', 'reorganise', 'settle', 'index'].includes(what)

it('the sequences led to auctions and orders that lost their token, so that the above was seen of them', async () => {
  const db = gateway.owner.system
  const cancelled = await db
    .selectFrom('gateway.auctions')
    .select('id')
    .where('status', '=', 'CANCELLED')
    .where('bid_count', '>', 0)
    .execute()
  const withdrawn = await db
    .selectFrom('gateway.orders')
    .select('id')
    .where('reason', '=', 'not_owned')
    .execute()
  expect([cancelled.length > 0, withdrawn.length > 0]).toEqual([true, true])
})
