import type { GatewayClient } from '@mintmark/operation'
import { type ListOrdersInput, OrderStatus, orders } from '@mintmark/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createListing } from '../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { clientOf, sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import { NFT_ADDRESS } from '../../testing/stated-operations.ts'
import { buildOrderRow } from '../../testing/stated-rows.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

let project: SampleProject
let projects = 0
beforeEach(async () => {
  projects += 1
  project = await sampleProject(gateway, `orders ${projects}`)
})

/** Adds an order that was placed at a time, and returns its number. */
async function addOrder(
  createdAt: string,
  more: Parameters<typeof buildOrderRow>[1] = {},
  { projectId }: SampleProject = project,
): Promise<string> {
  const orderNo = `order-${createdAt}`
  const order = buildOrderRow(projectId, { order_no: orderNo, ...more })
  const { system } = gateway.owner
  await system
    .insertInto('gateway.orders')
    .values({ ...order, created_at: createdAt as never })
    .execute()
  return orderNo
}

const numbers = async (input: ListOrdersInput = {}) => {
  const { list, totalRow } = await orders.list(project.client, input)
  expect(totalRow).toBe(list.length)
  return list.map(({ orderNo }) => orderNo)
}

describe('the orders of a range of times', () => {
  const TIMES = [
    '2026-01-01T00:00:00.000000Z',
    '2026-01-01T00:00:00.000500Z',
    '2026-01-01T00:00:00.001000Z',
    '2026-01-02T00:00:00.000000Z',
  ] as const

  it('the orders of a range of times begin with those that were placed at `from` and end before those that were placed at `to`', async () => {
    const all: string[] = []
    for (const time of TIMES) all.unshift(await addOrder(time))
    const [last = '', third = '', second = '', first = ''] = all
    expect(await numbers()).toEqual([last, third, second, first])
    expect(await numbers({ from: '2026-01-01T00:00:00Z' })).toEqual([last, third, second, first])
    expect(await numbers({ from: '2026-01-01T00:00:00.001Z' })).toEqual([last, third])
    expect(await numbers({ to: '2026-01-01T00:00:00.001Z' })).toEqual([second, first])
    expect(await numbers({ to: '2026-01-01T00:00:00Z' })).toEqual([])
    expect(await numbers({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })).toEqual([
      third,
      second,
      first,
    ])
    expect(await numbers({ from: '2026-01-01 23:00+00', to: '2026-01-02T01:00:00.001+01:00' })).toEqual([
      last,
    ])
  })

  it('the orders of a range of times are none if `from` is not before `to`', async () => {
    await addOrder('2026-01-01T00:00:00Z')
    const [time, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
    expect(await numbers({ from: time, to: time })).toEqual([])
    expect(await numbers({ from: later, to: time })).toEqual([])
  })

  it('the orders of a range of times are in the order of their creation, not of their ids, and are paged by cursors and numbers', async () => {
    const all: string[] = []
    for (const day of ['05', '02', '09', '01', '07']) all.push(await addOrder(`2026-01-${day}T00:00:00Z`))
    const inTime = all.toSorted()
    const range = { from: '2026-01-02T00:00:00Z', to: '2026-01-09T00:00:00Z' }
    expect(await numbers({ ...range, orderBy: 'createTime' })).toEqual(inTime.slice(1, 4))
    const items: string[] = []
    for await (const { orderNo } of orders.list.items(project.client, { ...range, pageSize: 1 }))
      items.unshift(orderNo)
    expect(items).toEqual(inTime.slice(1, 4))
    const { list, totalRow } = await orders.list(project.client, { ...range, pageSize: 1, pageNumber: 3 })
    expect([list[0]?.orderNo, totalRow]).toEqual([inTime[1], 3])
  })

  it('the orders of a range of times can have a buyer, a status, a kind of sale and a search key', async () => {
    const [recipient, early, late] = [newAddress(), '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z']
    await addOrder(early, { recipient, search_key: 'prints' })
    const order = await addOrder(late, { recipient, search_key: 'prints', status: OrderStatus.SUCCESS })
    await addOrder('2026-02-02T00:00:00Z')
    const from = '2026-01-15T00:00:00Z'
    expect(await numbers({ recipient, from })).toEqual([order])
    expect(await numbers({ recipient, from: early })).toHaveLength(2)
    expect(await numbers({ orderStatus: OrderStatus.SUCCESS, from })).toEqual([order])
    expect(await numbers({ orderStatus: OrderStatus.SUCCESS, to: from })).toEqual([])
    expect(await numbers({ recipient, marketType: 1, from })).toEqual([order])
    expect(await numbers({ marketType: 2, from })).toEqual([])
    expect(await numbers({ searchKey: 'Prints', from })).toEqual([order])
    expect(await numbers({ recipient, searchKey: 'Prints', to: from })).toHaveLength(1)
  })

  it('the orders of a range of times are found among the sold orders of a seller, and of an NFT', async () => {
    const [sender, nftId] = [newAddress(), '7']
    const sold = { sender, nft_id: nftId, status: OrderStatus.SUCCESS }
    await addOrder('2026-01-01T00:00:00Z', sold)
    const order = await addOrder('2026-02-01T00:00:00Z', sold)
    const range = { from: '2026-01-15T00:00:00Z' }
    const bySender = await orders.soldList(project.client, { sender, ...range })
    const ofNft = await orders.nftHistory(project.client, { nftAddress: NFT_ADDRESS, nftId, ...range })
    for (const { list } of [bySender, ofNft]) expect(list.map(({ orderNo }) => orderNo)).toEqual([order])
    const { totalRow } = await orders.soldList(project.client, { sender, to: '2026-01-01T00:00:00Z' })
    expect(totalRow).toBe(0)
  })
})

it('the orders with a refund due are listed with other filters, and without those that were removed', async () => {
  const due = await addOrder('2026-01-01T00:00:00Z', { refund_due: true, status: OrderStatus.FAILED })
  const sold = await addOrder('2026-01-02T00:00:00Z', { refund_due: true, status: OrderStatus.SUCCESS })
  const other = await addOrder('2026-01-03T00:00:00Z', { status: OrderStatus.SUCCESS })
  await addOrder('2026-01-04T00:00:00Z', { refund_due: true, deleted: true })
  expect(await numbers({ refundDue: true })).toEqual([sold, due])
  expect(await numbers({ refundDue: true, orderStatus: OrderStatus.FAILED })).toEqual([due])
  expect(await numbers({ refundDue: false })).toEqual([other])
})

describe('the caller’s own reference of an order', () => {
  /** A client with a key of the project, for a wallet or for none. */
  const newClient = async (name: string, wallet = '') =>
    clientOf(gateway, await gateway.newKey({ project: name, name: 'other', wallet }))
  const place = async (client: GatewayClient, reference?: string) => {
    const { id } = await createListing(project)
    return await orders.preOrder(client, {
      marketType: 1,
      listingId: id,
      quantity: 1,
      recipient: newAddress(),
      reference,
    })
  }

  it('the caller’s own reference of an order is returned, is not unique, and finds exactly the orders that have it', async () => {
    const first = await place(project.client, 'cart 4711')
    const second = await place(project.client, 'cart 4711')
    const other = await place(project.client, 'Cart 4711')
    const without = await place(project.client)
    expect(first).toMatchObject({ reference: 'cart 4711' })
    expect(without).not.toHaveProperty('reference')
    expect(await orders.get(project.client, { orderNo: first.orderNo })).toMatchObject({
      reference: 'cart 4711',
    })
    expect(await numbers({ reference: 'cart 4711' })).toEqual([second.orderNo, first.orderNo])
    expect(await numbers({ reference: 'Cart 4711' })).toEqual([other.orderNo])
    expect(await numbers({ reference: 'cart 471' })).toEqual([])
    const { recipient } = first
    expect(await numbers({ reference: 'cart 4711', recipient })).toEqual([first.orderNo])
    expect(await numbers({ reference: 'cart 4711', recipient: newAddress() })).toEqual([])
    expect(await numbers({ reference: 'cart 4711', orderStatus: OrderStatus.PRE })).toHaveLength(2)
    expect(await numbers({ reference: 'cart 4711', orderStatus: OrderStatus.EXPIRED })).toEqual([])
    expect(await numbers({ reference: 'cart 4711', marketType: 2 })).toEqual([])
    expect(await numbers({ reference: 'cart 4711', searchKey: 'Prints' })).toHaveLength(2)
    expect(await numbers({ reference: 'cart 4711', to: '2026-01-01T00:00:00Z' })).toEqual([])
  })

  it('the caller’s own reference of an order belongs to the wallet of the key: keys of other wallets neither read it nor find by it', async () => {
    const name = `orders ${projects}`
    const [buyer, seller] = [newAddress(), newAddress()]
    const [mine, same, others, server] = [
      await newClient(name, buyer),
      await newClient(name, buyer),
      await newClient(name, seller),
      project.client,
    ]
    const { orderNo } = await place(mine, 'cart 4711')
    for (const client of [mine, same]) {
      expect(await orders.get(client, { orderNo })).toMatchObject({ reference: 'cart 4711' })
      expect((await orders.list(client, { reference: 'cart 4711' })).totalRow).toBe(1)
    }
    for (const client of [others, server]) {
      expect(await orders.get(client, { orderNo })).not.toHaveProperty('reference')
      const { list } = await orders.list(client)
      expect(list).toHaveLength(1)
      expect(list[0]).not.toHaveProperty('reference')
      expect((await orders.list(client, { reference: 'cart 4711' })).totalRow).toBe(0)
      expect(await orders.cancel(client, { orderNo })).not.toHaveProperty('reference')
    }
    expect(await orders.cancel(mine, { orderNo })).toMatchObject({ reference: 'cart 4711' })
    // A key without a wallet reads what keys without a wallet set.
    const ownOrder = await place(server, 'cart 4711')
    expect(await orders.get(others, { orderNo: ownOrder.orderNo })).not.toHaveProperty('reference')
    const page = await orders.list(server, { reference: 'cart 4711' })
    expect(page.list.map((order) => order.orderNo)).toEqual([ownOrder.orderNo])
  })

  it('the caller’s own reference of an order of another project finds nothing', async () => {
    await place(project.client, 'cart 4711')
    const stranger = await sampleProject(gateway, 'a stranger')
    expect((await orders.list(stranger.client, { reference: 'cart 4711' })).totalRow).toBe(0)
  })

  it('the caller’s own reference of an order is compared as a text, without patterns', async () => {
    const odd = `100%_\\'";-- 🛒`
    const { orderNo } = await place(project.client, odd)
    expect(await numbers({ reference: odd })).toEqual([orderNo])
    for (const reference of ['%', '_', '100%', `' or true --`])
      expect(await numbers({ reference })).toEqual([])
  })

  it.each([
    ['empty', ''],
    ['longer than 100 characters', '🛒'.repeat(101)],
    ['with a line break', 'cart\n4711'],
    ['with U+0000', 'cart\u0000'],
    ['with half of a surrogate pair', 'cart \ud83d'],
    ['with a character that reverses the text', 'cart \u202e4711'],
  ])('the caller’s own reference of an order is refused if it is %s', async (_name, reference) => {
    const { id } = await createListing(project)
    const body = { marketType: 1, listingId: id, quantity: 1, recipient: newAddress(), reference }
    const { status, json } = await project.key.call({ path: '/api/v1/order/preOrder', body })
    expect(status).toBe(400)
    expect(json.data).toMatchObject({ issues: [{ path: 'reference' }] })
    expect(await numbers()).toEqual([])
  })

  it('the caller’s own reference of an order has up to 100 characters of any length', async () => {
    const reference = '🛒'.repeat(100)
    const { orderNo } = await place(project.client, reference)
    expect(await numbers({ reference })).toEqual([orderNo])
  })
})
