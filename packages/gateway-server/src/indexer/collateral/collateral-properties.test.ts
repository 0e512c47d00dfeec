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

vi.setConfig({ testTimeout: 240_000 })

const [SELLER, BUYER, THIRD] = [1, 2, 3]
const addressOf = (account: number) => devAccount(account).address
/** Number of later blocks after which a block is final for the indexer. */
const DEPTH = 2
const OWNED = 6n

let market: IndexedMarket
let chain: TestChain
let gateway: IndexedMarket['gateway']
let project: SampleProject
let orderFixture: OrderFixture
let indexer: Indexer
beforeAll(async () => {
  market = await indexedMarket(DEPTH, 'fake')
  ;({ chain, gateway, project, orderFixture, indexer } = market)
})
afterAll(() => market?.close())

type Action =
  | { do: 'list' | 'auction' | 'offer'; quantity: number }
  | { do: 'bid' | 'end' | 'pay' | 'cancel'; which: number }
  | { do: 'give' | 'giveBack'; quantity: number }
  | { do: 'snapshot' | 'reorganize' | 'index' | 'finalize' | 'verify' }

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
    arbitrary: fc.record({ do: fc.constantFrom('index', 'finalize', 'verify', 'snapshot', 'reorganize') }),
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
type Environment = Awaited<ReturnType<typeof begin>>

async function perform(environment: Environment, step: Action): Promise<void> {
  switch (step.do) {
    case 'list':
    case 'auction':
    case 'offer':
      return await sell(environment, step.do, step.quantity)
    case 'bid':
    case 'end':
      return await continueAuction(environment, step.do, step.which)
    case 'pay':
    case 'cancel':
      return await finishOrder(environment, step.do, step.which)
    case 'give':
      return await transfer(environment, SELLER, THIRD, step.quantity)
    case 'giveBack':
      return await transfer(environment, THIRD, SELLER, step.quantity)
    case 'snapshot':
      environment.snapshot = await chain.client.snapshot()
      return
    case 'reorganize':
      return await reorganize(environment)
    case 'verify':
      return await orderFixture.verify()
    case 'index':
      return await indexer.run()
    case 'finalize':
      return await finalize()
  }
}

const DAY_MS = 86_400_000
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const select = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(1, items.length)]

async function sell(
  { token, running, orderNos }: Environment,
  kind: 'list' | 'auction' | 'offer',
  quantity: number,
): Promise<void> {
  const { client } = project
  const seller = addressOf(SELLER)
  if (kind === 'list') {
    await commonSales.putOnShelf(client, { ...token, seller, quantity, payPrice: '10' })
    return
  }
  const endTime = daysFromNow(1)
  if (kind === 'auction') {
    const terms = { minimumBidAmount: '10', startTime: daysFromNow(-1), endTime, quantity }
    running.push(await auctions.create(client, { ...token, seller, ...terms }))
    return
  }
  const terms = { quantity, totalPrice: '10', expireTime: endTime }
  const { id } = await offers.create(client, { ...token, ...terms, offerer: addressOf(BUYER) })
  orderNos.push((await offers.accept(client, { id, owner: seller })).orderNo)
}

async function continueAuction(
  { running, orderNos }: Environment,
  kind: 'bid' | 'end',
  which: number,
): Promise<void> {
  const { client } = project
  const auction = select(running, which)
  if (auction === undefined) return
  if (kind === 'bid') {
    await auctions.bid(client, { auctionId: auction.id, bidder: addressOf(BUYER), amount: '10' })
    return
  }
  await endIn(gateway, auction, -1)
  await orderFixture.verify()
  const { orderNo } = await auctions.get(client, { id: auction.id })
  if (orderNo !== '') orderNos.push(orderNo)
}

async function finishOrder({ orderNos }: Environment, kind: 'pay' | 'cancel', which: number): Promise<void> {
  const { client } = project
  const orderNo = select(orderNos, which)
  if (orderNo === undefined) return
  if (kind === 'cancel') {
    await orders.cancel(client, { orderNo })
    return
  }
  const hash = newHash()
  addFinalPayment(gateway, hash)
  await orders.payOrder(client, { orderNo, recipient: addressOf(BUYER), hash })
}

async function transfer({ edition }: Environment, from: number, to: number, quantity: number): Promise<void> {
  const args = [addressOf(from), addressOf(to), 1n, BigInt(quantity), '0x'] as const
  // The contract refuses to move more than the account owns.
  await edition.call(from, 'safeTransferFrom', args).catch(() => {})
}

async function reorganize(environment: Environment): Promise<void> {
  if (environment.snapshot !== undefined) {
    await chain.client.revert({ id: environment.snapshot })
    // A different block replaces the previous ones.
    await chain.client.mine({ blocks: 1, interval: 7 })
  }
  environment.snapshot = undefined
}

async function finalize(): Promise<void> {
  await indexer.run()
  await chain.client.mine({ blocks: DEPTH + 1 })
  await indexer.run()
  // Released reservations can reactivate other listings.
  await indexer.run()
}

/** Expects that a query for violations returns no rows. */
async function expectNone(rule: string, violations: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await violations.execute(gateway.owner.system)
  expect(rows, rule).toEqual([])
}

/** Reservations with what they are for. */
const reservations = sql`
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

/** Holds after the indexer has reached the head. */
async function expectInvariants(): Promise<void> {
  await expectNone(
    'an asset counts its reservations',
    sql`select id from gateway.assets a where reserved <> (
      select coalesce(sum(quantity), 0) from gateway.asset_reservations h where h.project_id = a.project_id and h.asset_id = a.id)`,
  )
  await expectNone(
    'active listings are covered, together with all reservations of higher priority',
    sql`select asset, owned, sum(holds) as reserved from (${reservations}) p where claim <> 'inactive'
      group by asset, owned having bool_or(claim = 'on') and sum(holds) > owned`,
  )
}

/** Holds after all transfers are final. */
async function expectFinalInvariants(): Promise<void> {
  await expectInvariants()
  await expectNone(
    'no unpaid order awaits a payment for tokens that are not owned',
    sql`select asset, owned, sum(holds) as reserved from (${reservations}) p where claim <> 'inactive'
      group by asset, owned having bool_or(claim = 'awarded') and sum(holds) > owned`,
  )
  await expectNone(
    'no auction stays inactive',
    sql`select id from gateway.auctions where status = 'INACTIVE'`,
  )
  await expectNone(
    'ended auctions have released their reservations, and running ones have not',
    sql`select u.id, u.status, h.quantity from gateway.auctions u
      join gateway.asset_reservations h on h.project_id = u.project_id and h.holder = 'auction' and h.holder_id = u.id
      where (h.quantity > 0) <> (u.status in ('OPEN', 'WON'))`,
  )
}

/** Ignores refusals and throws all other errors. */
async function ignoreRefusal(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isMintmarkError(error) || (error.status ?? 500) >= 500) throw error
  })
}

const runs = Number(process.env.PROPERTY_RUNS ?? 3)

it('never reserves more than is owned, whatever is sold, transferred and reorganized', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 35 }), async (steps) => {
      const environment = await begin()
      for (const step of steps) {
        await ignoreRefusal(perform(environment, step))
        if (step.do === 'index') await expectInvariants()
        if (step.do === 'finalize') await expectFinalInvariants()
      }
      await finalize()
      await expectFinalInvariants()
    }),
    { numRuns: runs, seed: 20260119 },
  )
})

it('never reserves more than is owned when sales, transfers and reorganizations are concurrent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 3, maxLength: 6 }), { minLength: 3, maxLength: 6 }),
      async (rounds) => {
        const environment = await begin()
        for (const steps of rounds) {
          // Changes of the chain run one after the other.
          const [onChain, others] = [steps.filter(changesChain), steps.filter((step) => !changesChain(step))]
          await Promise.all([
            ...others.map((step) => ignoreRefusal(perform(environment, step))),
            onChain.reduce<Promise<void>>(
              (before, step) => before.then(() => ignoreRefusal(perform(environment, step))),
              Promise.resolve(),
            ),
          ])
          await finalize()
          await expectFinalInvariants()
        }
      },
    ),
    { numRuns: runs, seed: 20260120 },
  )
})

const changesChain = ({ do: what }: Action) =>
  ['give', 'giveBack', 'snapshot', 'reorganize', 'finalize', 'index'].includes(what)

it('has generated auctions and orders that lost their token', async () => {
  const db = gateway.owner.system
  const cancelled = await db
    .selectFrom('gateway.auctions')
    .select('id')
    .where('status', '=', 'CANCELLED')
    .where('bid_count', '>', 0)
    .execute()
  const cancelledOrders = await db
    .selectFrom('gateway.orders')
    .select('id')
    .where('reason', '=', 'not_owned')
    .execute()
  expect([cancelled.length > 0, cancelledOrders.length > 0]).toEqual([true, true])
})
