import { type ListOrdersInput, OrderStatus, orders } from '@mintmark/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
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

  it('begin with those that were placed at `from` and end before those that were placed at `to`', async () => {
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
    // Without an offset a time is in UTC.
    expect(await numbers({ from: '2026-01-01 23:00+00', to: '2026-01-02T00:00:00.001' })).toEqual([last])
  })

  it('are none if `from` is not before `to`', async () => {
    await addOrder('2026-01-01T00:00:00Z')
    const [time, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
    expect(await numbers({ from: time, to: time })).toEqual([])
    expect(await numbers({ from: later, to: time })).toEqual([])
  })

  it('are in the order of their creation, not of their ids, and are paged by cursors and numbers', async () => {
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

  it('can have a buyer, a status, a kind of sale and a search key', async () => {
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

  it('are found among the sold orders of a seller, and of an NFT', async () => {
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
