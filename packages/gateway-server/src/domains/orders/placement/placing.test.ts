import { commonSales } from '@mintmark/market'
import { orders, type PreOrderInput } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createListing } from '../../../testing/create-listing.ts'
import { FAKE_TOKEN } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { createLazyPresale } from '../../../testing/presales.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'placing')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

const refusedWith = (code: number) => expect.objectContaining({ code })

it('a pre-order reserves units and returns the price, the payee and the expiry', async () => {
  const listing = await createListing(project, { payPrice: '1500000', payTokenAddress: FAKE_TOKEN })
  const recipient = newAddress()
  const order = await orderFixture.order(listing, { recipient, quantity: 3 })
  expect(order).toMatchObject({
    recipient,
    sender: listing.seller,
    orderStatus: 0,
    quantity: 3,
    listingId: listing.id,
    payAmount: '4500000',
    orderAmount: '4500000',
    payPrice: 4.5,
    payTokenType: 'ERC20',
    blockNumber: 100,
    refundDue: false,
    reason: '',
    delivery: '',
  })
  const wait = Date.parse(order.expireTime) - order.createTimeLong
  expect(Math.round(wait / 60_000)).toBe(15)
  expect((await orderFixture.readState(order)).listing).toEqual([7, 3, 0])
})

it('a pre-order is refused if too few units remain, if the listing is closed, and for the seller', async () => {
  const listing = await createListing(project)
  await expect(orderFixture.order(listing, { quantity: 11 })).rejects.toMatchObject({
    code: 40907,
    detail: { remaining: 10 },
  })
  await expect(orderFixture.order(listing, { recipient: listing.seller })).rejects.toMatchObject({
    status: 400,
  })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const early = await createListing(project, { startTime: tomorrow })
  await expect(orderFixture.order(early)).rejects.toMatchObject({
    code: 40906,
    detail: { opensAt: tomorrow },
  })
  await commonSales.takeOffShelf(project.client, { id: listing.id })
  await expect(orderFixture.order(listing)).rejects.toEqual(refusedWith(40906))
})

it('a pre-order of a listing past its end is refused, and the listing is shown as expired', async () => {
  const listing = await createListing(project)
  await endListing(listing.id)
  await expect(orderFixture.order(listing)).rejects.toEqual(refusedWith(40906))
  expect(await commonSales.get(project.client, { id: listing.id })).toMatchObject({ status: 'EXPIRED' })
  const shelf = await commonSales.list(project.client, { nftAddress: listing.nftAddress })
  expect(shelf.list).toEqual([])
})

it('a pre-order of a listing that is reserved for others is refused', async () => {
  const listing = await createListing(project)
  const friend = newAddress()
  await gateway.owner.system
    .updateTable('gateway.listings')
    .set({ reserved_for: [friend] })
    .where('id', '=', listing.id)
    .execute()
  await expect(orderFixture.order(listing)).rejects.toEqual(refusedWith(40311))
  expect((await orderFixture.order(listing, { recipient: friend })).recipient).toBe(friend)
})

it('a pre-order orders the listing or the phase that its field names, although both have the same number', async () => {
  let phase = await createLazyPresale(project.client, { price: '7' })
  let listing = await createListing(project, { payPrice: '1000' })
  while (listing.id !== phase.phaseId) {
    if (listing.id < phase.phaseId) listing = await createListing(project, { payPrice: '1000' })
    else phase = await createLazyPresale(project.client, { price: '7' })
  }
  const [{ phaseId }, listingId] = [phase, listing.id]
  const buy = (input: object) =>
    orders.preOrder(project.client, { quantity: 1, recipient: newAddress(), ...input } as PreOrderInput)
  expect(await buy({ phaseId })).toMatchObject({ marketType: 9, payAmount: '7', phaseId, listingId: 0 })
  expect(await buy({ listingId })).toMatchObject({
    marketType: 1,
    payAmount: '1000',
    phaseId: 0,
    listingId,
  })
  for (const [input, path] of [
    [{ listingId, phaseId }, 'phaseId'],
    [{}, 'listingId'],
  ] as const) {
    const issue = { path, message: 'Expected either listingId or phaseId' }
    await expect(buy(input)).rejects.toMatchObject({ status: 400, issues: [issue] })
  }
  for (const input of [
    { listingId, marketType: 9 },
    { listingId, marketType: 8 },
    { phaseId, marketType: 8 },
    { phaseId, marketType: 1 },
  ])
    await expect(buy(input)).rejects.toMatchObject({ status: 400, issues: [{ path: 'marketType' }] })
})

it('a pre-order takes the kind of sale from the listing, and refuses another kind and the fields of a phase', async () => {
  const listing = await createListing(project)
  const input = { listingId: listing.id, quantity: 1, recipient: newAddress() }
  expect(await orders.preOrder(project.client, input)).toMatchObject({
    marketType: 1,
    listingId: listing.id,
  })
  await expect(orders.preOrder(project.client, { ...input, marketType: 2 })).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'marketType' }],
  })
  const phase = { ...input, nftId: '7' }
  await expect(orders.preOrder(project.client, phase)).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'nftId' }],
  })
})

it('a pre-order of a listing whose chain was removed from CHAINS is refused, and is not worth repeating', async () => {
  const listing = await createListing(project)
  await gateway.owner.system
    .updateTable('gateway.listings')
    .set({ chain_id: '10' })
    .where('id', '=', listing.id)
    .execute()
  await expect(orderFixture.order(listing)).rejects.toMatchObject({
    status: 400,
    retryable: false,
    issues: [{ path: 'listingId', message: 'This gateway takes no payments on chain 10' }],
  })
})

it('a pre-order is refused while the chain cannot be read, and stores nothing, even with an Idempotency-Key', async () => {
  const listing = await createListing(project)
  const input = { marketType: 1, listingId: listing.id, quantity: 1, recipient: newAddress() }
  gateway.chain.down = true
  try {
    const refused = orders.preOrder(project.client, input, { idempotencyKey: 'chain-down' })
    await expect(refused).rejects.toMatchObject({ code: 50301, status: 503, retryable: true })
  } finally {
    gateway.chain.down = false
  }
  const order = await orders.preOrder(project.client, input, { idempotencyKey: 'chain-down' })
  expect((await orderFixture.readState(order)).listing).toEqual([9, 1, 0])
  const again = await orders.preOrder(project.client, input, { idempotencyKey: 'chain-down' })
  expect(again.orderNo).toBe(order.orderNo)
})

it('a pre-order returns the response stored under its Idempotency-Key while the chain cannot be read', async () => {
  const listing = await createListing(project)
  const input = { listingId: listing.id, quantity: 1, recipient: newAddress() }
  const order = await orders.preOrder(project.client, input, { idempotencyKey: 'stored' })
  gateway.chain.down = true
  try {
    expect(await orders.preOrder(project.client, input, { idempotencyKey: 'stored' })).toEqual(order)
  } finally {
    gateway.chain.down = false
  }
})

it('a pre-order stores a refusal under its Idempotency-Key that precedes the reading of the chain', async () => {
  const listing = await createListing(project)
  const input = { listingId: listing.id, quantity: 1, recipient: newAddress() }
  const setReservedFor = (wallets: string[]) =>
    gateway.owner.system
      .updateTable('gateway.listings')
      .set({ reserved_for: wallets })
      .where('id', '=', listing.id)
      .execute()
  await setReservedFor([newAddress()])
  const place = () => orders.preOrder(project.client, input, { idempotencyKey: 'reserved' })
  await expect(place()).rejects.toMatchObject({ reason: 'LISTING_RESERVED' })
  await setReservedFor([])
  await expect(place()).rejects.toMatchObject({ reason: 'LISTING_RESERVED' })
  expect(await orders.preOrder(project.client, input)).toMatchObject({ orderStatus: 0 })
})

it('a pre-order waits for the chain without a transaction, also under an Idempotency-Key', async () => {
  const listing = await createListing(project)
  const input = { listingId: listing.id, quantity: 1, recipient: newAddress() }
  const countOpen = async () => {
    const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(
      gateway.owner.system,
    )
    return rows[0]?.count
  }
  const read = vi.spyOn(gateway.chain, 'newestBlock').mockImplementationOnce(async () => {
    await expect.poll(countOpen, { timeout: 5_000 }).toBe(0)
    return 7
  })
  const order = await orders.preOrder(project.client, input, { idempotencyKey: 'slow-chain' })
  expect(order.blockNumber).toBe(7)
  expect(read).toHaveBeenCalledOnce()
  read.mockRestore()
})

it('a pre-order is refused for a wallet with five open orders, until one of them has ended', async () => {
  const listing = await createListing(project)
  const recipient = newAddress()
  const placed = await Promise.allSettled(
    Array.from({ length: 8 }, () => orderFixture.order(listing, { recipient })),
  )
  const made = placed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(made).toHaveLength(5)
  await expect(orderFixture.order(listing, { recipient })).rejects.toEqual(refusedWith(40908))
  const [first] = made
  if (first) await orders.cancel(project.client, { orderNo: first.orderNo })
  expect(await orderFixture.order(listing, { recipient })).toMatchObject({ orderStatus: 0 })
})

it('a pre-order takes over units of expired orders without waiting for the job', async () => {
  const listing = await createListing(project)
  const waiting = await orderFixture.order(listing, { quantity: 8 })
  await expect(orderFixture.order(listing, { quantity: 3 })).rejects.toEqual(refusedWith(40907))
  await orderFixture.expire(waiting)
  const order = await orderFixture.order(listing, { quantity: 3 })
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'PRE', listing: [7, 3, 0] })
  expect(await orderFixture.readState(waiting)).toMatchObject({ status: 'EXPIRED', stock: 'released' })
})

it('a pre-order succeeds for ten of fifty concurrent buyers of ten units', async () => {
  const listing = await createListing(project)
  const placed = await Promise.allSettled(Array.from({ length: 50 }, () => orderFixture.order(listing)))
  const made = placed.filter(({ status }) => status === 'fulfilled')
  expect(made).toHaveLength(10)
  for (const each of placed) if (each.status === 'rejected') expect(each.reason.code).toBe(40907)
  expect(await commonSales.get(project.client, { id: listing.id })).toMatchObject({ remaining: 0, sold: 0 })
})

it('a waiting order releases its units when it is cancelled, and cancelling is idempotent', async () => {
  const listing = await createListing(project)
  const order = await orderFixture.order(listing, { quantity: 4 })
  const { orderNo } = order
  const cancelled = await orders.cancel(project.client, { orderNo })
  expect(cancelled).toMatchObject({ orderStatus: 4, orderNo })
  expect(await orders.cancel(project.client, { orderNo })).toEqual(cancelled)
  expect(await orderFixture.readState(order)).toMatchObject({
    status: 'CANCELLED',
    stock: 'released',
    listing: [10, 0, 0],
  })
})

it('a waiting order is not cancelled once its payment was reported', async () => {
  const order = await orderFixture.order(await createListing(project))
  await orderFixture.pay(order, newHash())
  await expect(orders.cancel(project.client, { orderNo: order.orderNo })).rejects.toEqual(refusedWith(40905))
})

it('a waiting order counts as expired before the job has run, in lists as well, and cannot be cancelled then', async () => {
  const order = await orderFixture.order(await createListing(project))
  await orderFixture.expire(order)
  const { orderNo, recipient } = order
  expect(await orders.get(project.client, { orderNo })).toMatchObject({ orderStatus: 5 })
  const listed = async (orderStatus: number) =>
    (await orders.list(project.client, { recipient, orderStatus })).list.map((each) => each.orderNo)
  expect(await listed(5)).toEqual([orderNo])
  expect(await listed(0)).toEqual([])
  await expect(orders.cancel(project.client, { orderNo })).rejects.toEqual(refusedWith(40905))
  await orderFixture.verify()
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'EXPIRED', listing: [10, 0, 0] })
  expect(await orderFixture.events(order)).toEqual(['expired'])
})

it('a waiting order keeps its units when its listing is closed, and releases them to the seller when it ends', async () => {
  const listing = await createListing(project)
  const order = await orderFixture.order(listing, { quantity: 4 })
  await commonSales.takeOffShelf(project.client, { id: listing.id })
  // Six are the seller's again, four are promised still.
  const { seller, nftAddress, nftId } = listing
  const anew = { seller, nftAddress, nftId, payPrice: '5' }
  await expect(commonSales.putOnShelf(project.client, { ...anew, quantity: 7 })).rejects.toEqual(
    refusedWith(40931),
  )
  await commonSales.putOnShelf(project.client, { ...anew, quantity: 6 })
  await orders.cancel(project.client, { orderNo: order.orderNo })
  await commonSales.putOnShelf(project.client, { ...anew, quantity: 4 })
})

it('removes a buyer’s unsuccessful orders and keeps waiting and paid ones', async () => {
  const listing = await createListing(project)
  const recipient = newAddress()
  const [waits, cancelled, expired, paid] = [
    await orderFixture.order(listing, { recipient }),
    await orderFixture.order(listing, { recipient }),
    await orderFixture.order(listing, { recipient }),
    await orderFixture.order(listing, { recipient }),
  ]
  await orders.cancel(project.client, { orderNo: cancelled.orderNo })
  await orderFixture.expire(expired)
  await orderFixture.pay(paid, newHash())
  expect(await orders.removeUnsuccessful(project.client, { recipient })).toEqual({ count: 2 })
  const left = await orders.list(project.client, { recipient })
  expect(left.list.map(({ orderNo }) => orderNo)).toEqual([paid.orderNo, waits.orderNo])
  await expect(orders.get(project.client, { orderNo: cancelled.orderNo })).rejects.toMatchObject({
    status: 404,
  })
  // Removed, it still gives back what it had reserved.
  await orderFixture.verify()
  expect(await orderFixture.readState(expired)).toMatchObject({ status: 'EXPIRED', stock: 'released' })
})

it('finds orders by number and by the beginning of the NFT’s name', async () => {
  const order = await orderFixture.order(await createListing(project))
  const found = async (searchKey: string) =>
    (await orders.list(project.client, { recipient: order.recipient, searchKey })).totalRow
  expect(await found(order.orderNo)).toBe(1)
  expect(await found('PRINTS #')).toBe(1)
  expect(await found('rints')).toBe(0)
  expect(await found("' or true --")).toBe(0)
  expect(await found('%')).toBe(0)
})

async function endListing(id: number): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.listings')
    .set({
      start_time: sql`clock_timestamp() - interval '2 seconds'`,
      end_time: sql`clock_timestamp() - interval '1 second'`,
    })
    .where('id', '=', id)
    .execute()
}
