import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { type Auction, auctions, commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuction, endIn, waitForEnd } from '../../../testing/auctions.ts'
import { createOwnedToken } from '../../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'auctions')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

const bid = ({ id: auctionId }: Auction, amount: number, bidder = newAddress()) =>
  auctions.bid(project.client, { auctionId, amount: String(amount), bidder })
const see = ({ id }: Auction) => auctions.get(project.client, { id })
const refusedWith = (code: number) => expect.objectContaining({ code })

async function orderOf(auction: Auction) {
  return await orders.get(project.client, { orderNo: (await see(auction)).orderNo })
}

/** What the seller has promised of the token. */
async function readReserved({ nftAddress }: Auction): Promise<number> {
  const row = await gateway.owner.system
    .selectFrom('gateway.assets')
    .select('reserved')
    .where('nft_address', '=', nftAddress)
    .executeTakeFirstOrThrow()
  return Number(row.reserved)
}

/** Reports a payment that the chain shows as final. */
async function pay(orderNo: string, recipient: string): Promise<void> {
  const hash = newHash()
  const paid = { kind: 'mined', block: 101, blockHash: newHash(), final: true, outcome: 'paid' } as const
  gateway.chain.sightings.set(hash, paid)
  await orders.payOrder(project.client, { orderNo, recipient, hash }).catch(() => {})
  await orderFixture.verify()
}

it('a bid must reach the minimum, and then exceed the top bid by the buffer', async () => {
  const auction = await createAuction(project)
  await expect(bid(auction, 999)).rejects.toEqual(refusedWith(40935))
  await bid(auction, 1000)
  await expect(bid(auction, 1049)).rejects.toMatchObject({
    code: 40935,
    message: expect.stringContaining('1050'),
    detail: { minimum: '1050' },
  })
  const top = await bid(auction, 1050)
  expect(await see(auction)).toMatchObject({
    topBid: '1050',
    topBidder: top.bidder,
    bidCount: 2,
    status: 'OPEN',
    orderNo: '',
    bids: [{ id: top.id, amount: '1050' }, { amount: '1000' }],
  })
})

it('a bid of the seller or of a malformed address is refused', async () => {
  const auction = await createAuction(project)
  await expect(bid(auction, 1000, auction.seller.toUpperCase().replace('X', 'x'))).rejects.toMatchObject({
    status: 400,
  })
  await expect(bid(auction, 1000, 'nobody')).rejects.toMatchObject({ status: 400 })
})

it('a bid of the buyout amount ends the auction with an order, and a higher bid is refused', async () => {
  const auction = await createAuction(project, { buyoutBidAmount: '2000' })
  await bid(auction, 1990)
  await expect(bid(auction, 2001)).rejects.toEqual(refusedWith(40936))
  const winner = await bid(auction, 2000)
  const won = await see(auction)
  expect(won).toMatchObject({ status: 'WON', topBidder: winner.bidder, endTime: auction.endTime })
  expect(await orderOf(auction)).toMatchObject({
    sender: auction.seller,
    recipient: winner.bidder,
    marketType: 6,
    orderStatus: 0,
    quantity: 1,
    payAmount: '2000',
    orderAmount: '2000',
    nftAddress: auction.nftAddress,
    blockNumber: 100,
  })
  await expect(bid(auction, 2000)).rejects.toEqual(refusedWith(40934))
})

it('a bid of the buyout amount is refused while the chain cannot be read', async () => {
  const auction = await createAuction(project, { buyoutBidAmount: '2000' })
  gateway.chain.down = true
  try {
    await expect(bid(auction, 2000)).rejects.toEqual(refusedWith(50301))
    await bid(auction, 1000)
  } finally {
    gateway.chain.down = false
  }
  expect(await see(auction)).toMatchObject({ status: 'OPEN', bidCount: 1 })
})

it('a bid extends the end by the buffer only if it is made within the buffer', async () => {
  const auction = await createAuction(project, { timeBufferInSeconds: 600 })
  await bid(auction, 1000)
  expect((await see(auction)).endTime).toBe(auction.endTime)
  await endIn(gateway, auction, 300)
  const before = await see(auction)
  await bid(auction, 2000)
  const after = await see(auction)
  expect(Date.parse(after.endTime) - Date.parse(before.endTime)).toBe(600_000)
  await bid(auction, 3000)
  expect((await see(auction)).endTime).toBe(after.endTime)
})

it('a bid is refused before the start', async () => {
  const auction = await createAuction(project, {
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await expect(bid(auction, 1000)).rejects.toEqual(refusedWith(40934))
})

it('a bid is refused from the end on, before the job closes the auction', async () => {
  const auction = await createAuction(project)
  await bid(auction, 1000)
  await endIn(gateway, auction, 0)
  await expect(bid(auction, 2000)).rejects.toEqual(refusedWith(40934))
  expect(await see(auction)).toMatchObject({ status: 'WON', orderNo: '' })
})

it('a bid that waited for a lock past the end is refused', async () => {
  const auction = await createAuction(project)
  await bid(auction, 1000)
  await endIn(gateway, auction, 1)
  // The lock's holder does not change the auction, so the bid that waits reads the same row afterwards.
  const waiting = gateway.owner.system.transaction().execute(async (trx) => {
    await sql`select from gateway.auctions where id = ${auction.id} for update`.execute(trx)
    const late = bid(auction, 2000).catch((error: unknown) => error)
    await waitForBlockedStatements(gateway.owner.system)
    await waitForEnd(trx, auction)
    return { late }
  })
  expect(await (await waiting).late).toEqual(refusedWith(40934))
  expect(await see(auction)).toMatchObject({ topBid: '1000', bidCount: 1 })
})

it('an auction that has ended creates one order for the top bidder if it is closed concurrently', async () => {
  const auction = await createAuction(project)
  const { bidder } = await bid(auction, 1500)
  await endIn(gateway, auction, 0)
  await Promise.all([orderFixture.verify(), orderFixture.verify(), orderFixture.verify()])
  const orderRows = await gateway.owner.system
    .selectFrom('gateway.orders')
    .select(['recipient', 'pay_amount'])
    .where('auction_id', '=', auction.id)
    .execute()
  expect(orderRows).toEqual([{ recipient: bidder, pay_amount: '1500' }])
  expect(await see(auction)).toMatchObject({ status: 'WON' })
  const { expireTime, createTime } = await orderOf(auction)
  expect(Math.round((Date.parse(expireTime) - Date.parse(createTime)) / 1000)).toBe(24 * 3600)
})

it('an auction that has ended waits for the chain and then creates its order', async () => {
  const auction = await createAuction(project)
  await bid(auction, 1500)
  await endIn(gateway, auction, 0)
  gateway.chain.down = true
  await orderFixture.verify().finally(() => {
    gateway.chain.down = false
  })
  expect(await see(auction)).toMatchObject({ status: 'WON', orderNo: '' })
  await orderFixture.verify()
  expect((await see(auction)).orderNo).not.toBe('')
})

it('an auction that has ended below its secret reserve is not sold and releases the token', async () => {
  const auction = await createAuction(project, { reservePrice: '777777' })
  await bid(auction, 1000)
  expect(JSON.stringify(await see(auction))).not.toContain('"777777"')
  expect(await see(auction)).toMatchObject({ reserveMet: false })
  expect(await readReserved(auction)).toBe(1)
  await endIn(gateway, auction, 0)
  await orderFixture.verify()
  expect(await see(auction)).toMatchObject({ status: 'UNSOLD', orderNo: '' })
  expect(await readReserved(auction)).toBe(0)
})

it('an auction that has ended is SOLD after payment, and the winner owns the token', async () => {
  const auction = await createAuction(project)
  const { bidder } = await bid(auction, 1500)
  await endIn(gateway, auction, 0)
  await orderFixture.verify()
  await pay((await see(auction)).orderNo, bidder)
  expect(await see(auction)).toMatchObject({ status: 'SOLD' })
  expect(await orderOf(auction)).toMatchObject({ orderStatus: 2, delivery: 'done' })
  const listing = { ...auction, payPrice: '1' } as never
  expect([
    await orderFixture.getOwnedQuantity(listing, bidder),
    await orderFixture.getOwnedQuantity(listing, auction.seller),
  ]).toEqual([1, 9])
  expect(await readReserved(auction)).toBe(0)
})

it('an auction that has ended is UNPAID without payment, and SOLD after a late payment', async () => {
  const auction = await createAuction(project, { buyoutBidAmount: '2000' })
  const { bidder } = await bid(auction, 2000)
  const order = await orderOf(auction)
  await orderFixture.expire(order)
  await orderFixture.verify()
  expect(await see(auction)).toMatchObject({ status: 'UNPAID', orderNo: order.orderNo })
  expect(await readReserved(auction)).toBe(0)
  await pay(order.orderNo, bidder)
  expect(await see(auction)).toMatchObject({ status: 'SOLD' })
})

it('an auction that has ended leaves a late payment unresolved if the token was reserved again since', async () => {
  const auction = await createAuction(project, { buyoutBidAmount: '2000', quantity: 10 })
  const { bidder } = await bid(auction, 2000)
  const order = await orderOf(auction)
  await orders.cancel(project.client, { orderNo: order.orderNo })
  const { seller, nftAddress, nftId } = auction
  await commonSales.putOnShelf(project.client, { seller, nftAddress, nftId, quantity: 1, payPrice: '1' })
  await pay(order.orderNo, bidder)
  expect(await orderOf(auction)).toMatchObject({ orderStatus: 6, reason: 'no_stock' })
  expect(await see(auction)).toMatchObject({ status: 'UNPAID' })
  expect(await readReserved(auction)).toBe(1)
})

it('an auction that has ended without a winner releases the token before the job closes it', async () => {
  const auction = await createAuction(project, { quantity: 10 })
  const { seller, nftAddress, nftId } = auction
  const sale = { seller, nftAddress, nftId, quantity: 10, payPrice: '1' }
  await expect(commonSales.putOnShelf(project.client, sale)).rejects.toEqual(refusedWith(40931))
  await endIn(gateway, auction, 0)
  await commonSales.putOnShelf(project.client, sale)
  expect(await see(auction)).toMatchObject({ status: 'UNSOLD' })
})

describe('an ended auction whose first bid, made before the end, is committed after it', () => {
  /** Runs work that waits for the row of the auction, and commits the bid then. */
  async function commitBidDuring<Result>({ id }: Auction, work: () => Promise<Result>): Promise<Result> {
    const { result } = await gateway.owner.system.transaction().execute(async (trx) => {
      await sql`
        update gateway.auctions set top_bid = 1500, top_bidder = ${newAddress()}, bid_count = 1
        where id = ${id}`.execute(trx)
      const result = work()
      await waitForBlockedStatements(gateway.owner.system)
      return { result }
    })
    return await result
  }

  it('an ended auction whose first bid, made before the end, is committed after it gets an order that no earlier payment pays, in the next run of the job', async () => {
    const auction = await createAuction(project)
    await endIn(gateway, auction, 0)
    await commitBidDuring(auction, () => orderFixture.verify())
    expect(await see(auction)).toMatchObject({ status: 'WON', orderNo: '' })
    await orderFixture.verify()
    expect(await orderOf(auction)).toMatchObject({ payAmount: '1500', blockNumber: gateway.chain.block })
  })

  it('an ended auction whose first bid, made before the end, is committed after it does not release its token for another sale', async () => {
    const auction = await createAuction(project, { quantity: 10 })
    const { seller, nftAddress, nftId } = auction
    const sale = { seller, nftAddress, nftId, quantity: 10, payPrice: '1' }
    await endIn(gateway, auction, 0)
    const put = () => commonSales.putOnShelf(project.client, sale).catch((error: unknown) => error)
    expect(await commitBidDuring(auction, put)).toEqual(refusedWith(40931))
    await orderFixture.verify()
    expect(await orderOf(auction)).toMatchObject({ payAmount: '1500' })
    expect(await readReserved(auction)).toBe(10)
  })
})

it('cancelling an auction releases the token and is idempotent', async () => {
  const auction = await createAuction(project)
  const { id } = auction
  const cancelled = await auctions.cancel(project.client, { id })
  expect(cancelled).toMatchObject({ status: 'CANCELLED' })
  expect(await auctions.cancel(project.client, { id })).toEqual(cancelled)
  expect(await readReserved(auction)).toBe(0)
  await expect(bid(auction, 1000)).rejects.toEqual(refusedWith(40934))
})

it('cancelling an auction is refused after a bid and after the end', async () => {
  const auction = await createAuction(project)
  await bid(auction, 1000)
  await expect(auctions.cancel(project.client, { id: auction.id })).rejects.toEqual(refusedWith(40937))
  const over = await createAuction(project)
  await endIn(gateway, over, 0)
  await expect(auctions.cancel(project.client, { id: over.id })).rejects.toEqual(refusedWith(40934))
})

it('cancelling an auction excludes a concurrent first bid', async () => {
  const auction = await createAuction(project)
  const [cancelled, placed] = await Promise.allSettled([
    auctions.cancel(project.client, { id: auction.id }),
    bid(auction, 1000),
  ])
  expect([cancelled.status, placed.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(await readReserved(auction)).toBe(cancelled.status === 'fulfilled' ? 0 : 1)
})

it('creating an auction requires a quantity that the seller owns and has available', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  await commonSales.putOnShelf(project.client, { ...token, quantity: 4, payPrice: '1' })
  const when = { startTime: '2026-01-01T00:00:00Z', endTime: '2090-01-01T00:00:00Z' }
  const auction = { ...token, minimumBidAmount: '1', ...when }
  await expect(auctions.create(project.client, { ...auction, quantity: 7 })).rejects.toEqual(
    refusedWith(40931),
  )
  await auctions.create(project.client, { ...auction, quantity: 6 })
  await expect(
    auctions.create(project.client, { ...auction, seller: newAddress(), quantity: 1 }),
  ).rejects.toEqual(refusedWith(40931))
})

it('creating an auction has thirdweb’s buffers by default', async () => {
  expect(await createAuction(project)).toMatchObject({ bidBufferBps: 500, timeBufferInSeconds: 900 })
})

it('owned tokens are grouped by creator, with the reserved quantities', async () => {
  const [owner, one, other] = [newAddress(), '0xbb', '0xaa']
  const db = gateway.owner.system
  for (const [creator, nftId] of [
    [one, '1'],
    [one, '2'],
    [other, '3'],
  ] as const) {
    const contract = { project_id: project.projectId, chain_id: '84532', nft_address: newAddress() }
    await db
      .insertInto('gateway.contracts')
      .values({ ...contract, nft_type: 'ERC1155', name: 'Prints', owner: creator })
      .execute()
    await db
      .insertInto('gateway.assets')
      .values({ ...contract, nft_type: 'ERC1155', nft_id: nftId, owner, quantity: '2' })
      .execute()
  }
  const page = await auctions.ownedTokens(project.client, { owner: owner.toUpperCase().replace('X', 'x') })
  expect(page.list.map(({ creator, tokenCount }) => [creator, tokenCount])).toEqual([
    [other, 1],
    [one, 2],
  ])
  expect(page.list[1]?.tokens.map(({ nftId }) => nftId)).toEqual(['1', '2'])
  const first = await auctions.ownedTokens(project.client, { owner, pageSize: 1 })
  expect(first).toMatchObject({ totalRow: 2, orderBy: '', list: [{ creator: other }] })
  const all = []
  for await (const each of auctions.ownedTokens.items(project.client, { owner, pageSize: 1 })) all.push(each)
  expect(all).toEqual(page.list)
})
