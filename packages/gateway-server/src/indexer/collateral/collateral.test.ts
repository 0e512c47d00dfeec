import { assets, contracts } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { TestChain } from '@mintmark/devkit/chain/testing'
import { type Auction, auctions, commonSales, type Listing, type Offer, offers } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTenant } from '../../database/tenant.ts'
import { DEFAULT_ORDER_SETTINGS } from '../../domains/inventory/order-settings.ts'
import { closeWon } from '../../domains/market/auctions/close-auction.ts'
import { orderPort } from '../../main/composition.ts'
import { endIn } from '../../testing/auctions.ts'
import { type IndexedMarket, indexedMarket } from '../../testing/indexed-market-fixture.ts'
import { deployEdition, testIndexer } from '../../testing/indexer-fixture.ts'
import type { OrderFixture } from '../../testing/order-fixture.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import type { Indexer } from '../indexer.ts'

const [SELLER, BUYER, THIRD] = [1, 2, 3]
const [seller, buyer, third] = [1, 2, 3].map((account) => devAccount(account).address) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
/** Number of later blocks after which a block is final for the indexer. */
const DEPTH = 3
const PRICE = 1_000n

let market: IndexedMarket
let chain: TestChain
let gateway: IndexedMarket['gateway']
let project: SampleProject
let orderFixture: OrderFixture
let indexer: Indexer
beforeAll(async () => {
  market = await indexedMarket(DEPTH, 'chain')
  ;({ chain, gateway, project, orderFixture, indexer } = market)
})
afterAll(() => market?.close())

/** Creates an indexed contract with a token of which the seller owns a quantity. */
async function aToken(owned: bigint) {
  const edition = await deployEdition(chain)
  const nftAddress = edition.lowerCase
  const chainId = String(chain.chainId)
  await contracts.add(project.client, { nftAddress, nftType: 'ERC1155', chainId, name: 'Run', index: true })
  await edition.call(0, 'mint', [seller, 1n, owned])
  await indexer.run()
  const token = { nftAddress, nftId: '1' }
  const [startTime, endTime] = [-1, 24].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
  const when = { startTime: startTime ?? '', endTime: endTime ?? '' }
  const move = (from: number, to: `0x${string}`, quantity: bigint) =>
    edition.call(from, 'safeTransferFrom', [devAccount(from).address, to, 1n, quantity, '0x'])
  return {
    auction: (quantity = 1) =>
      auctions.create(project.client, {
        ...token,
        ...when,
        seller,
        quantity,
        minimumBidAmount: PRICE.toString(),
      }),
    list: (quantity: number) =>
      commonSales.putOnShelf(project.client, { ...token, seller, quantity, payPrice: PRICE.toString() }),
    async accepted(quantity = 1) {
      const offer = await offers.create(project.client, {
        ...token,
        quantity,
        offerer: buyer,
        totalPrice: PRICE.toString(),
        expireTime: when.endTime,
      })
      const order = await offers.accept(project.client, { id: offer.id, owner: seller })
      return { offer, orderNo: order.orderNo }
    },
    /** The seller gives some away. */
    give: (to: `0x${string}`, quantity: bigint) => move(SELLER, to, quantity),
    giveBack: (quantity: bigint) => move(THIRD, seller, quantity),
    async readReserved() {
      const { list } = await assets.list(project.client, { nftAddress, owner: seller })
      return list[0]?.reserved ?? '0'
    },
  }
}

/** Has the indexer see what happened, and then that it stays. */
async function settle() {
  await indexer.run()
  await chain.client.mine({ blocks: DEPTH + 1 })
  await indexer.run()
}
const bid = ({ id }: Auction, amount = PRICE) =>
  auctions.bid(project.client, { auctionId: id, bidder: buyer, amount: amount.toString() })
const see = ({ id }: Auction) => auctions.get(project.client, { id })
const stateOf = async (auction: Auction) => (await see(auction)).status
const offerOf = async ({ id }: Offer) =>
  (await offers.mine(project.client, { address: buyer })).list.find((each) => each.id === id)
const orderOf = (orderNo: string) => orders.get(project.client, { orderNo })

it('an auction of a token that left its seller accepts no bids and ends without a winner after the transfer is final, and its bids stay listed', async () => {
  const token = await aToken(1n)
  const auction = await token.auction()
  await bid(auction)
  await token.give(third, 1n)
  await indexer.run()
  expect(await stateOf(auction)).toBe('INACTIVE')
  await expect(bid(auction, 2n * PRICE)).rejects.toMatchObject({
    code: 40934,
    message: expect.stringContaining('own'),
  })
  await settle()
  expect(await see(auction)).toMatchObject({
    status: 'CANCELLED',
    orderNo: '',
    bidCount: 1,
    topBid: '1000',
  })
  expect(await token.readReserved()).toBe('0')
  // The new owner can sell it, and the seller nothing.
  await expect(token.auction()).rejects.toMatchObject({ code: 40931 })
})

it('an auction of a token that left its seller continues after a reorganization returns the token, and the bidder wins', async () => {
  const token = await aToken(1n)
  const auction = await token.auction()
  await bid(auction)
  const snapshot = await chain.client.snapshot()
  await token.give(third, 1n)
  await indexer.run()
  expect(await stateOf(auction)).toBe('INACTIVE')
  // After its end it has no winner while the chain can reorganize.
  await endIn(gateway, auction, -1)
  await orderFixture.verify()
  const award = { orders: orderPort, block: 0, settings: DEFAULT_ORDER_SETTINGS }
  await closeWon(openTenant(gateway.database, project.projectId), auction.id, award)
  expect(await stateOf(auction)).toBe('INACTIVE')
  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: 2 })
  await indexer.run()
  await orderFixture.verify()
  const { orderNo } = await see(auction)
  expect(await orderOf(orderNo)).toMatchObject({
    orderStatus: OrderStatus.PRE,
    recipient: buyer.toLowerCase(),
  })
})

it('an auction of a token that left its seller continues when the token returns, and closes at its end without a winner', async () => {
  const token = await aToken(2n)
  const [back, unsold] = [await token.auction(), await token.auction()]
  await token.give(third, 2n)
  await indexer.run()
  expect([await stateOf(back), await stateOf(unsold)]).toEqual(['INACTIVE', 'INACTIVE'])
  await endIn(gateway, unsold, -1)
  await orderFixture.verify()
  expect(await stateOf(unsold)).toBe('UNSOLD')
  await token.giveBack(1n)
  await indexer.run()
  expect([await stateOf(back), await token.readReserved()]).toEqual(['OPEN', '1'])
  await bid(back)
})

describe('what was promised of a token of which too few are left', () => {
  it('what was promised of a token of which too few are left keeps its reservation by priority: listings lose it first, then auctions, then awarded orders', async () => {
    const token = await aToken(6n)
    const listing = await token.list(2)
    const auction = await token.auction(2)
    const { offer, orderNo } = await token.accepted(2)
    const states = async () => [
      (await commonSales.get(project.client, { id: listing.id })).status,
      await stateOf(auction),
      (await orderOf(orderNo)).orderStatus,
    ]
    await token.give(third, 1n)
    await settle()
    expect(await states()).toEqual(['INACTIVE', 'OPEN', OrderStatus.PRE])
    await token.give(third, 2n)
    await settle()
    expect(await states()).toEqual(['INACTIVE', 'CANCELLED', OrderStatus.PRE])
    await token.give(third, 2n)
    await settle()
    expect(await states()).toEqual(['INACTIVE', 'CANCELLED', OrderStatus.CANCELLED])
    expect(await offerOf(offer)).toMatchObject({ status: 'CANCELLED' })
    await token.give(third, 1n)
    await settle()
    expect([await states(), await token.readReserved()]).toEqual([
      ['OFF', 'CANCELLED', OrderStatus.CANCELLED],
      '0',
    ])
  })
})

it('an order of an auction or an offer, whose token left its seller is cancelled with the reason once the transfer stays, and not before', async () => {
  const token = await aToken(2n)
  const auction = await token.auction()
  await bid(auction)
  await endIn(gateway, auction, -1)
  await orderFixture.verify()
  const { orderNo: won } = await see(auction)
  const { offer, orderNo: accepted } = await token.accepted()
  const snapshot = await chain.client.snapshot()
  await token.give(third, 2n)
  await indexer.run()
  const states = async () => [(await orderOf(won)).orderStatus, (await orderOf(accepted)).orderStatus]
  expect(await states()).toEqual([OrderStatus.PRE, OrderStatus.PRE])
  // A reorganization gives them back: nothing has happened.
  await chain.client.revert({ id: snapshot })
  await settle()
  expect(await states()).toEqual([OrderStatus.PRE, OrderStatus.PRE])

  await token.give(third, 2n)
  await settle()
  expect(await states()).toEqual([OrderStatus.CANCELLED, OrderStatus.CANCELLED])
  expect(await orderOf(won)).toMatchObject({ reason: 'not_owned' })
  expect([await stateOf(auction), (await offerOf(offer))?.status]).toEqual(['CANCELLED', 'CANCELLED'])
  expect(await token.readReserved()).toBe('0')
})

it('an order of an auction or an offer, whose token left its seller is left to be paid where the token went to its buyer, and is delivered by that', async () => {
  const token = await aToken(1n)
  const { orderNo } = await token.accepted()
  await token.give(buyer, 1n)
  await settle()
  const order = await orderOf(orderNo)
  expect(order.orderStatus).toBe(OrderStatus.PRE)
  await pay(order)
  await indexer.run()
  expect(await orderOf(orderNo)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, delivery: 'done' })
})

it('an order of an auction or an offer, whose token left its seller stays once a payment was reported, and once it is paid', async () => {
  const token = await aToken(2n)
  const [reported, paid] = [await token.accepted(), await token.accepted()]
  await pay(await orderOf(paid.orderNo))
  const { orderNo } = reported
  await orders.payOrder(project.client, { orderNo, recipient: buyer, hash: `0x${'12'.repeat(32)}` })
  await token.give(third, 2n)
  await settle()
  expect(await orderOf(orderNo)).toMatchObject({ orderStatus: OrderStatus.IN_PROGRESS })
  expect(await orderOf(paid.orderNo)).toMatchObject({
    orderStatus: OrderStatus.SUCCESS,
    delivery: 'pending',
  })
  // What comes back delivers what was paid.
  await token.giveBack(1n)
  await token.give(buyer, 1n)
  await settle()
  expect(await orderOf(paid.orderNo)).toMatchObject({ delivery: 'done' })
})

it('an order of an auction or an offer, whose token left its seller counts when it is paid after all and the token is back, and needs a person when it is not', async () => {
  const token = await aToken(2n)
  const [one, two] = [await token.accepted(), await token.accepted()]
  await token.give(third, 2n)
  await settle()
  await token.giveBack(1n)
  await settle()
  await pay(await orderOf(one.orderNo))
  expect(await orderOf(one.orderNo)).toMatchObject({ orderStatus: OrderStatus.SUCCESS })
  await pay(await orderOf(two.orderNo))
  expect(await orderOf(two.orderNo)).toMatchObject({
    orderStatus: OrderStatus.UNRESOLVED,
    reason: 'no_stock',
  })
})

it('a listing of a token that a reorganization took from its seller is open again when a later block gives the token back, and closed when that stays out', async () => {
  const token = await aToken(2n)
  await token.give(third, 2n)
  await settle()
  const snapshot = await chain.client.snapshot()
  await token.giveBack(2n)
  await chain.client.mine({ blocks: DEPTH - 1 })
  await indexer.run()
  const [listing, other] = [await token.list(1), await token.list(1)]
  const statuses = async () => {
    const read = ({ id }: Listing) => commonSales.get(project.client, { id })
    return [(await read(listing)).status, (await read(other)).status]
  }

  // The last block that both branches have is final.
  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: DEPTH })
  await indexer.run()
  expect(await statuses()).toEqual(['INACTIVE', 'INACTIVE'])
  await token.giveBack(1n)
  await indexer.run()
  expect(await statuses()).toEqual(['ON', 'INACTIVE'])
  await token.give(third, 1n)
  await settle()
  expect(await statuses()).toEqual(['OFF', 'OFF'])
})

it('a listing of a token that a reorganization took from its seller stays open when all stored blocks were replaced, while the chain is read again in several steps', async () => {
  const token = await aToken(2n)
  const listing = await token.list(2)
  await settle()
  const { indexer: stepping, database } = testIndexer(
    { url: gateway.url, rpcUrl: chain.rpcUrl, chainId: chain.chainId, depth: DEPTH },
    { rangeBlocks: 4 },
  )
  await sql`delete from gateway.chain_blocks where number < (select max(number) from gateway.chain_blocks)`.execute(
    gateway.owner.system,
  )
  await sql`update gateway.chain_blocks set hash = ${`0x${'ab'.repeat(32)}`}`.execute(gateway.owner.system)
  await chain.client.mine({ blocks: DEPTH + 1 })
  await sql`update gateway.chain_cursors set lease_until = clock_timestamp()`.execute(gateway.owner.system)
  await stepping.run()
  await database.close()
  expect((await commonSales.get(project.client, { id: listing.id })).status).toBe('ON')
})

it('ends an auction although a hundred earlier tokens lack units for an order that their transfer delivers', async () => {
  const edition = await deployEdition(chain)
  const nftAddress = edition.lowerCase
  const chainId = String(chain.chainId)
  await contracts.add(project.client, { nftAddress, nftType: 'ERC1155', chainId, name: 'Many', index: true })
  const ids = Array.from({ length: 100 }, (_, index) => BigInt(index + 1))
  const all = (quantity: bigint) => ids.map(() => quantity)
  await edition.call(0, 'mintBatch', [seller, ids, all(2n)])
  await indexer.run()
  const expireTime = new Date(Date.now() + 3_600_000).toISOString()
  const acceptTwo = async (id: bigint) => {
    for (const offerer of [third, buyer]) {
      const offer = {
        nftAddress,
        nftId: String(id),
        quantity: 1,
        offerer,
        totalPrice: PRICE.toString(),
        expireTime,
      }
      const { id: offerId } = await offers.create(project.client, offer)
      await offers.accept(project.client, { id: offerId, owner: seller })
    }
  }
  await Promise.all(ids.map(acceptTwo))
  // The later orders can still be paid, and the units that are left are for the earlier ones.
  await edition.call(SELLER, 'safeBatchTransferFrom', [seller, buyer, ids, all(1n), '0x'])
  await settle()
  const token = await aToken(1n)
  const auction = await token.auction()
  await token.give(third, 1n)
  await settle()
  for (let runs = 0; runs < 5; runs += 1) await indexer.run()
  expect(await stateOf(auction)).toBe('CANCELLED')
})

/** Pays an order in the native token and runs the verifier. */
async function pay({ orderNo, payAmount }: Order): Promise<void> {
  const hash = await chain.as(BUYER).sendTransaction({ to: seller, value: BigInt(payAmount) })
  await chain.client.waitForTransactionReceipt({ hash })
  await orders
    .payOrder(project.client, { orderNo, recipient: buyer, hash })
    .catch((error: { code?: number }) => {
      // The verifier reads a transaction that is reported too late, too.
      if (error.code !== 40901) throw error
    })
  await orderFixture.verify()
}
