import { assets, contracts, lazyMinting } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { TestChain } from '@mintmark/devkit/chain/testing'
import { commonSales, type Listing, NOT_ENOUGH_OWNED } from '@mintmark/market'
import { LISTING_NOT_OPEN, type Order, OrderStatus, orders } from '@mintmark/orders'
import { createLog } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmDelivery } from '../../domains/orders/verification/confirm-delivery.ts'
import { logStuckOrders, readStuckOrders } from '../../domains/orders/verification/gauges.ts'
import { listStuckOrders } from '../../domains/orders/verification/stuck-orders.ts'
import { type IndexedMarket, indexedMarket } from '../../testing/indexed-market-fixture.ts'
import { deployCollectible, deployEdition } from '../../testing/indexer-fixture.ts'
import { captureStatements } from '../../testing/list-statements.ts'
import { createOrderFixture, type OrderFixture } from '../../testing/order-fixture.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import type { Indexer } from '../indexer.ts'

const [SELLER, BUYER] = [1, 2]
const [seller, buyer, third] = [1, 2, 3].map((account) => devAccount(account).address) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const PRICE = 1_000n
/** Number of later blocks after which a block is final for the indexer. */
const DEPTH = 3

let market: IndexedMarket
let chain: TestChain
let project: SampleProject
let orderFixture: OrderFixture
let indexer: Indexer
beforeAll(async () => {
  market = await indexedMarket(DEPTH, 'chain')
  ;({ chain, project, orderFixture, indexer } = market)
})
afterAll(() => market?.close())

async function register(nftAddress: string, nftType: string, { client } = project) {
  const chainId = String(chain.chainId)
  await contracts.add(client, { nftAddress, nftType, chainId, name: 'Indexed', index: true })
}

/** Creates an ERC-1155 contract with a quantity of token 1 that the seller owns. */
async function anEdition(owned: bigint) {
  const edition = await deployEdition(chain)
  await register(edition.address, 'ERC1155')
  await edition.call(0, 'mint', [seller, 1n, owned])
  await indexer.run()
  const put = (quantity: number) =>
    commonSales.putOnShelf(project.client, {
      nftAddress: edition.address,
      nftId: '1',
      seller,
      quantity,
      payPrice: PRICE.toString(),
    })
  const give = (to: `0x${string}`, quantity: bigint) =>
    edition.call(SELLER, 'safeTransferFrom', [seller, to, 1n, quantity, '0x'])
  return { edition, put, give }
}

const statusOf = async ({ id }: Listing) => (await commonSales.get(project.client, { id })).status

/** Places an order, pays it in the native token and verifies it to SUCCESS. */
async function buy(listing: Listing, quantity: number, shop = project) {
  const shopOrders = createOrderFixture(shop)
  const order = await shopOrders.order(listing, { recipient: buyer, quantity })
  const value = PRICE * BigInt(quantity)
  const hash = await chain.as(BUYER).sendTransaction({ to: seller, value })
  await chain.client.waitForTransactionReceipt({ hash })
  await shopOrders.pay(order, hash)
  await orderFixture.verify()
  expect(await shopOrders.readState(order)).toMatchObject({ status: 'SUCCESS' })
  return order
}
const deliveryOf = async (orderNo: string, { client } = project) =>
  (await orders.get(client, { orderNo })).delivery

it('allows only the owner on the chain to list a token', async () => {
  const { put, edition } = await anEdition(5n)
  await expect(put(6)).rejects.toMatchObject({ code: NOT_ENOUGH_OWNED.code })
  const stranger = { nftAddress: edition.address, nftId: '1', seller: third, quantity: 1 }
  await expect(commonSales.putOnShelf(project.client, { ...stranger, payPrice: '1' })).rejects.toMatchObject({
    code: NOT_ENOUGH_OWNED.code,
  })
  expect(await put(5)).toMatchObject({ status: 'ON' })
})

it('deactivates a listing while its seller owns too few tokens', async () => {
  const { put, give, edition } = await anEdition(10n)
  const [first, second] = [await put(6), await put(4)]
  await give(third, 3n)
  await indexer.run()
  expect([await statusOf(first), await statusOf(second)]).toEqual(['ON', 'INACTIVE'])
  await expect(orderFixture.order(second)).rejects.toMatchObject({ code: LISTING_NOT_OPEN.code })

  await edition.call(3, 'safeTransferFrom', [third, seller, 1n, 3n, '0x'])
  await indexer.run()
  expect([await statusOf(first), await statusOf(second)]).toEqual(['ON', 'ON'])

  await give(third, 3n)
  await indexer.run()
  expect(await statusOf(second)).toBe('INACTIVE')
  // The other listing releases its reservation.
  await commonSales.takeOffShelf(project.client, { id: first.id })
  await indexer.run()
  expect(await statusOf(second)).toBe('ON')
})

it('closes the listing of a transferred token only after the transfer is final', async () => {
  const token = await deployCollectible(chain)
  await register(token.address, 'ERC721')
  await token.call(0, 'mintMany', [seller, 1n, 2n])
  await indexer.run()
  const put = (nftId: string) =>
    commonSales.putOnShelf(project.client, {
      nftAddress: token.address,
      nftId,
      seller,
      quantity: 1,
      payPrice: PRICE.toString(),
    })
  const [gone, back] = [await put('1'), await put('2')]
  const snapshot = await chain.client.snapshot()
  await token.call(SELLER, 'transferMany', [third, 1n, 2n])
  await indexer.run()
  expect([await statusOf(gone), await statusOf(back)]).toEqual(['INACTIVE', 'INACTIVE'])

  // A reorganization gives one of them back.
  await chain.client.revert({ id: snapshot })
  await token.call(SELLER, 'transferFrom', [seller, third, 1n])
  await chain.client.mine({ blocks: 1 })
  await indexer.run()
  expect([await statusOf(gone), await statusOf(back)]).toEqual(['INACTIVE', 'ON'])
  await chain.client.mine({ blocks: DEPTH })
  await indexer.run()
  expect([await statusOf(gone), await statusOf(back)]).toEqual(['OFF', 'ON'])
  const { list } = await assets.list(project.client, { nftAddress: token.address, owner: third })
  expect(list).toMatchObject([{ nftId: '1', reserved: '0' }])
})

it('delivers a paid order by its Transfer event, and reverts the delivery when the event is rolled back', async () => {
  const { put, give, edition } = await anEdition(10n)
  const order = await buy(await put(10), 4)
  await indexer.run()
  expect(await deliveryOf(order.orderNo)).toBe('pending')
  const readReserved = async () =>
    (await assets.list(project.client, { nftAddress: edition.address, owner: seller })).list[0]?.reserved

  const snapshot = await chain.client.snapshot()
  await give(buyer, 3n)
  await indexer.run()
  expect([await deliveryOf(order.orderNo), await readReserved()]).toEqual(['pending', '7'])
  const last = await give(buyer, 1n)
  await indexer.run()
  expect([await deliveryOf(order.orderNo), await readReserved()]).toEqual(['done', '6'])
  const { list } = await assets.transfers(project.client, { nftAddress: edition.address })
  expect(list[0]).toMatchObject({ hash: last, orderNo: order.orderNo, quantity: '1' })

  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: 3 })
  await indexer.run()
  expect([await deliveryOf(order.orderNo), await readReserved()]).toEqual(['pending', '10'])
  await give(buyer, 4n)
  await indexer.run()
  expect([await deliveryOf(order.orderNo), await readReserved()]).toEqual(['done', '6'])
  const events = (await orderFixture.events(order)).filter((event) => event.startsWith('deliver'))
  expect(events).toEqual(['delivered', 'delivery_undone', 'delivered'])
})

it('follows a reorganization that takes back the delivery of a contract that was removed since', async () => {
  const { put, give, edition } = await anEdition(4n)
  const order = await buy(await put(4), 4)
  const snapshot = await chain.client.snapshot()
  await give(buyer, 4n)
  await indexer.run()
  expect(await deliveryOf(order.orderNo)).toBe('done')
  const { id } = await contracts.get(project.client, { nftAddress: edition.address })
  await contracts.remove(project.client, { id })

  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: 3 })
  const other = await anEdition(7n)
  await indexer.run()
  const { list } = await assets.list(project.client, { nftAddress: other.edition.address, owner: seller })
  expect(list[0]?.quantity).toBe('7')
  expect(await deliveryOf(order.orderNo)).toBe('pending')
})

it('delivers with a transfer only its quantity, to its recipient, for orders that were placed before it', async () => {
  const { put, give } = await anEdition(20n)
  await give(buyer, 5n)
  const listing = await put(15)
  const [first, second] = [await buy(listing, 2), await buy(listing, 2)]
  await indexer.run()
  expect([await deliveryOf(first.orderNo), await deliveryOf(second.orderNo)]).toEqual(['pending', 'pending'])
  await give(third, 4n)
  await give(buyer, 3n)
  await indexer.run()
  expect([await deliveryOf(first.orderNo), await deliveryOf(second.orderNo)]).toEqual(['done', 'pending'])
  await give(buyer, 1n)
  await indexer.run()
  expect(await deliveryOf(second.orderNo)).toBe('done')
})

it('counts the many transfers of one order by one statement', async () => {
  const { put, edition } = await anEdition(400n)
  const listing = await put(400)
  const [first, second] = [await buy(listing, 250), await buy(listing, 100)]
  const ones = Array.from({ length: 300 }, () => 1n)
  const hash = await edition.call(SELLER, 'safeBatchTransferFrom', [seller, buyer, ones, ones, '0x'])
  const statements = await captureStatements(() => indexer.run())
  // One for each of the two orders.
  expect(statements.filter(({ text }) => /insert into "?gateway"?\."?deliveries/.test(text))).toHaveLength(2)
  expect([await deliveryOf(first.orderNo), await deliveryOf(second.orderNo)]).toEqual(['done', 'pending'])
  const { rows } = await sql`
    select o.order_no, sum(d.quantity)::int as quantity from gateway.deliveries d
    join gateway.orders o on o.project_id = d.project_id and o.id = d.order_id
    join gateway.chain_transfers t on t.id = d.transfer_id where t.tx_hash = ${hash} group by o.id, o.order_no order by o.id`.execute(
    market.gateway.owner.system,
  )
  expect(rows).toEqual([
    { order_no: first.orderNo, quantity: 250 },
    { order_no: second.orderNo, quantity: 50 },
  ])
})

it('delivers with a transfer an order of each project that sells the token', async () => {
  const { put, give, edition } = await anEdition(3n)
  const other = await sampleProject(market.gateway, 'other shop')
  await register(edition.address, 'ERC1155', other)
  await indexer.run()
  const sale = { nftAddress: edition.address, nftId: '1', seller, quantity: 1, payPrice: PRICE.toString() }
  const otherListing = await commonSales.putOnShelf(other.client, sale)
  // The older order has the first turn.
  const otherOrder = await buy(otherListing, 1, other)
  const order = await buy(await put(1), 1)
  const hash = await give(buyer, 1n)
  await indexer.run()
  for (const [{ orderNo }, shop] of [
    [otherOrder, other],
    [order, project],
  ] as const) {
    expect(await deliveryOf(orderNo, shop)).toBe('done')
    const { list } = await assets.transfers(shop.client, { nftAddress: edition.address, address: buyer })
    expect(list).toMatchObject([{ hash, orderNo }])
  }
})

it('delivers an order by a transfer that precedes the final payment', async () => {
  const { put, give } = await anEdition(1n)
  const listing = await put(1)
  const order = await orderFixture.order(listing, { recipient: buyer })
  const hash = await chain.as(BUYER).sendTransaction({ to: seller, value: PRICE })
  await chain.client.waitForTransactionReceipt({ hash })
  await give(buyer, 1n)
  await chain.client.mine({ blocks: DEPTH + 1 })
  await indexer.run()
  await orderFixture.pay(order, hash)
  await orderFixture.verify()
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS' })
  await indexer.run()
  expect(await deliveryOf(order.orderNo)).toBe('done')
})

describe('an order whose token the seller does not transfer', () => {
  const decision = (orderNo: string) => ({ orderNo, actor: 'ada', reason: 'handed over in the shop' })

  async function createUndelivered() {
    const { put, edition } = await anEdition(10n)
    const order = await buy(await put(10), 4)
    await market.gateway.owner.system
      .updateTable('gateway.orders')
      .set({ created_at: sql<Date>`clock_timestamp() - interval '80 hours'` })
      .where('order_no', '=', order.orderNo)
      .execute()
    return { order, nftAddress: edition.address }
  }
  const findStuck = async ({ orderNo }: Order, hours: number) =>
    (await listStuckOrders(market.gateway.owner.system, 1e6, hours)).find((each) => each.orderNo === orderNo)

  it('an order whose token the seller does not transfer is listed for an operator after the time limit of deliveries, reported and logged', async () => {
    const { order } = await createUndelivered()
    expect(await findStuck(order, 81)).toBeUndefined()
    const stuck = await findStuck(order, 79)
    expect(stuck).toMatchObject({ status: 'SUCCESS', action: expect.stringContaining('orders delivered') })
    const seconds = (await readStuckOrders(market.gateway.database)).get('delivery')
    expect(seconds).toBeGreaterThan(79 * 3600)
    const lines: string[] = []
    const log = createLog('gateway', 'warn', { write: (line: string) => void lines.push(line) })
    await logStuckOrders(market.gateway.database, log)
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ alert: 'stuck', kind: 'delivery' }),
    )
  })

  it('an order whose token the seller does not transfer is ended once by an operator, who is recorded, and releases what was reserved for it', async () => {
    const { order, nftAddress } = await createUndelivered()
    const readReserved = async () =>
      (await assets.list(project.client, { nftAddress, owner: seller })).list[0]?.reserved
    expect([await deliveryOf(order.orderNo), await readReserved()]).toEqual(['pending', '10'])
    const db = market.gateway.owner.system
    const first = await confirmDelivery(db, decision(order.orderNo))
    expect([await deliveryOf(order.orderNo), await readReserved()]).toEqual(['done', '6'])
    expect(await confirmDelivery(db, decision(order.orderNo))).toEqual(first)
    const { rows } = await sql`
      select e.actor, e.reason from gateway.order_events e join gateway.orders o on o.project_id = e.project_id and o.id = e.order_id
      where o.order_no = ${order.orderNo} and e.event = 'delivery_confirmed'`.execute(db)
    expect(rows).toEqual([{ actor: 'ada', reason: 'handed over in the shop' }])
    expect(await findStuck(order, 0)).toBeUndefined()
    await indexer.run()
    expect(await deliveryOf(order.orderNo)).toBe('done')
  })

  it('an order whose token the seller does not transfer stays ended when a reorganization takes back what the seller had transferred before', async () => {
    const { put, give, edition } = await anEdition(10n)
    const order = await buy(await put(10), 4)
    const snapshot = await chain.client.snapshot()
    await give(buyer, 1n)
    await indexer.run()
    await confirmDelivery(market.gateway.owner.system, decision(order.orderNo))
    const readState = async () => {
      const { list } = await assets.list(project.client, { nftAddress: edition.address, owner: seller })
      return [await deliveryOf(order.orderNo), list[0]?.reserved]
    }
    expect(await readState()).toEqual(['done', '6'])
    await chain.client.revert({ id: snapshot })
    await chain.client.mine({ blocks: 2 })
    await indexer.run()
    expect(await readState()).toEqual(['done', '6'])
    expect(await orderFixture.events(order)).not.toContain('delivery_undone')
  })

  it('an order whose token the seller does not transfer is ended as well after an operator has closed it because a reorganization took its payment back', async () => {
    const { order, nftAddress } = await createUndelivered()
    const db = market.gateway.owner.system
    await db
      .updateTable('gateway.orders')
      .set({ status: OrderStatus.FAILED })
      .where('order_no', '=', order.orderNo)
      .execute()
    expect((await findStuck(order, 79))?.action).toContain('orders delivered')
    await confirmDelivery(db, decision(order.orderNo))
    expect(await deliveryOf(order.orderNo)).toBe('done')
    const { list } = await assets.list(project.client, { nftAddress, owner: seller })
    expect(list[0]?.reserved).toBe('6')
  })

  it('an order whose token the seller does not transfer is refused to be ended if it waits for no delivery', async () => {
    const { put } = await anEdition(2n)
    const order = await orderFixture.order(await put(2), { recipient: buyer })
    await expect(confirmDelivery(market.gateway.owner.system, decision(order.orderNo))).rejects.toThrow(
      'waits for no delivery',
    )
  })
})

it('does not deliver an order of a mint by a transfer of another token with the same id', async () => {
  const token = await deployCollectible(chain)
  await register(token.address, 'ERC721')
  const nftAddress = token.lowerCase
  const { client } = project
  await lazyMinting.updateCollection(client, { nftAddress, primarySaleRecipient: seller })
  const { phases } = await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'all', startTime: '2020-01-01T00:00:00Z', price: PRICE.toString(), pricedBy: 'ORDER' }],
  })
  const { nftId } = await lazyMinting.addNft(client, { nftAddress, name: 'Blue', tokenUri: 'ipfs://blue' })
  const bought = { phaseId: phases[0]?.id ?? 0, quantity: 1 }
  const order = await orders.preOrder(client, { ...bought, nftId, recipient: buyer })
  const hash = await chain.as(BUYER).sendTransaction({ to: seller, value: PRICE })
  await chain.client.waitForTransactionReceipt({ hash })
  await orderFixture.pay(order, hash)
  await orderFixture.verify()
  await token.call(0, 'mint', [seller, BigInt(nftId)])
  await token.call(SELLER, 'transferFrom', [seller, buyer, BigInt(nftId)])
  await indexer.run()
  expect(await orders.get(client, { orderNo: order.orderNo })).toMatchObject({
    orderStatus: 2,
    delivery: 'pending',
  })
  const decision = { orderNo: order.orderNo, actor: 'ada', reason: 'a test' }
  await expect(confirmDelivery(market.gateway.owner.system, decision)).rejects.toThrow('mint signature')
})
