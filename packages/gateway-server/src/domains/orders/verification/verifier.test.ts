import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newHash } from '../../../testing/order-fixture.ts'
import { createOrder, execute, PRICE, paymentCases, payToken, send } from '../../../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture, verifyUntilFinished } from '../../../testing/payment-fixture.ts'

let fixture: PaymentFixture
beforeAll(async () => {
  fixture = await paymentFixture({ unseenSeconds: 1, watchBlocks: 8 })
})
afterAll(() => fixture?.close())

const settle = (order: Order) => verifyUntilFinished(fixture, order)

describe('an order', () => {
  it.each(paymentCases.map((each) => [each.name, each.ends.status, each] as const))(
    'an order %s ends %s',
    async (_, __, each) => {
      const order = await each.begin(fixture)
      const alerts = fixture.orderFixture.alerts.length
      expect(await settle(order)).toMatchObject(each.ends)
      // Nothing more comes of it.
      await fixture.chain.client.mine({ blocks: 3 })
      await fixture.orderFixture.verify()
      expect(await fixture.orderFixture.readState(order)).toMatchObject(each.ends)
      const alertsOfOrder = fixture.orderFixture.alerts
        .slice(alerts)
        .filter((line) => line.includes(order.orderNo))
      expect(alertsOfOrder).toHaveLength(each.ends.status === 'UNRESOLVED' || each.refundDue ? 1 : 0)
    },
  )
})

it('a check that finds nothing new moves the time of the next one, and writes no version of the order', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, newHash())
  const read = async () => {
    const { rows } = await sql<{ version: string; due: Date }>`
      select o.ctid::text || o.xmin::text as version, c.due_at as due
      from gateway.orders o join gateway.order_checks c on c.project_id = o.project_id and c.order_id = o.id
      where o.order_no = ${order.orderNo}`.execute(fixture.gateway.owner.system)
    return rows[0]
  }
  const before = await read()
  await fixture.orderFixture.verify()
  const after = await read()
  expect(after?.version).toBe(before?.version)
  expect(after?.due.getTime()).toBeGreaterThan(before?.due.getTime() ?? Number.NaN)
  await settle(order)
})

it('a success moves the token to the buyer, records the sale and frees the wallet’s open order', async () => {
  const { listing, order } = await createOrder(fixture)
  const before = await fixture.orderFixture.getOwnedQuantity(listing, listing.seller)
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(order, hash)
  await settle(order)
  expect(await fixture.orderFixture.getOwnedQuantity(listing, order.recipient)).toBe(1)
  expect(await fixture.orderFixture.getOwnedQuantity(listing, listing.seller)).toBe(before - 1)
  const { client } = fixture.project
  expect(await orders.get(client, { orderNo: order.orderNo })).toMatchObject({
    orderStatus: 2,
    hash,
    txId: hash,
    delivery: 'done',
    paidBlock: expect.any(Number),
  })
  const sold = await orders.soldList(client, { sender: listing.seller })
  expect(sold.list.map(({ orderNo }) => orderNo)).toEqual([order.orderNo])
  const { nftAddress, nftId } = listing
  expect((await orders.nftHistory(client, { nftAddress, nftId })).totalRow).toBe(1)
  const open = await fixture.gateway.owner.system
    .selectFrom('gateway.open_orders')
    .select('open')
    .where('listing_id', '=', listing.id)
    .execute()
  expect(open).toEqual([{ open: 0 }])
  expect(await fixture.orderFixture.events(order)).toEqual(['reported', 'paid'])
})

it('a success of an indexed contract waits for its delivery and reserves the token for the buyer', async () => {
  const { listing, order } = await createOrder(fixture, { indexed: true })
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await settle(order)
  expect(await orders.get(fixture.project.client, { orderNo: order.orderNo })).toMatchObject({
    orderStatus: 2,
    delivery: 'pending',
  })
  expect(await fixture.orderFixture.getOwnedQuantity(listing, listing.seller)).toBe(10)
  expect(await fixture.orderFixture.getOwnedQuantity(listing, order.recipient)).toBe(0)
  const reserved = await fixture.gateway.owner.system
    .selectFrom('gateway.assets')
    .select('reserved')
    .where('nft_address', '=', listing.nftAddress)
    .executeTakeFirst()
  expect(reserved).toEqual({ reserved: '10' })
})

it('a success that is paid twice flags a refund and alerts once', async () => {
  const { order } = await createOrder(fixture)
  const first = await payToken(fixture, order)
  await fixture.orderFixture.pay(order, first)
  await settle(order)
  const second = await payToken(fixture, order)
  await expect(fixture.orderFixture.pay(order, second)).rejects.toMatchObject({ code: 40901 })
  await settle(order)
  await settle(order)
  expect(await orders.get(fixture.project.client, { orderNo: order.orderNo })).toMatchObject({
    orderStatus: 2,
    refundDue: true,
    hash: first,
  })
  expect(fixture.orderFixture.alerts.filter((line) => line.includes(order.orderNo))).toHaveLength(1)
})

it('a success that is paid in full after a part of the price flags a refund of that part', async () => {
  const { order } = await createOrder(fixture)
  const part = await payToken(fixture, order, 400_000n)
  await fixture.orderFixture.pay(order, part)
  const whole = await payToken(fixture, order)
  await fixture.orderFixture.pay(order, whole)
  expect(await settle(order)).toMatchObject({ status: 'SUCCESS' })
  await settle(order)
  expect(await orders.get(fixture.project.client, { orderNo: order.orderNo })).toMatchObject({
    orderStatus: 2,
    refundDue: true,
    hash: whole,
  })
  const alerts = fixture.orderFixture.alerts.filter((line) => line.includes(order.orderNo))
  expect(alerts.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ event: 'paid_again', hash: part, refundDue: '400000' }),
  ])
})

it('a success that is paid twice flags a refund although the second payment was not final when the first was no longer watched', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await settle(order)
  await fixture.chain.client.mine({ blocks: 12 })
  const second = await payToken(fixture, order)
  await expect(fixture.orderFixture.pay(order, second)).rejects.toMatchObject({ code: 40901 })
  await fixture.orderFixture.verify()
  await settle(order)
  expect(await orders.get(fixture.project.client, { orderNo: order.orderNo })).toMatchObject({
    refundDue: true,
  })
})

it('a node that has not noticed a reorganization does not take a success back whose payment is in a final block of the other branch', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  expect(await settle(order)).toMatchObject({ status: 'SUCCESS' })
  const { paidBlock } = await orders.get(fixture.project.client, { orderNo: order.orderNo })
  const number = `0x${paidBlock.toString(16)}`
  const block = await fixture.chain.client.getBlock({ blockNumber: BigInt(paidBlock) - 1n })
  const replaced = {
    number,
    hash: newHash(),
    parentHash: block.hash,
    timestamp: `0x${block.timestamp.toString(16)}`,
    transactions: [],
    gasUsed: '0x0',
    gasLimit: '0x0',
    difficulty: '0x0',
    size: '0x0',
  }
  // Its newest block has the number of the payment's block, and it does not know the payment.
  fixture.node.interfere = (method, params) => {
    const [which] = Array.isArray(params) ? params : []
    if (method === 'eth_blockNumber') return { result: number }
    if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash')
      return { result: null }
    return method === 'eth_getBlockByNumber' && which === number ? { result: replaced } : undefined
  }
  try {
    await fixture.orderFixture.verify()
  } finally {
    fixture.node.interfere = () => undefined
  }
  expect(await fixture.orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS', reason: '' })
  expect(await settle(order)).toMatchObject({ status: 'SUCCESS', reason: '' })
})

it('a chain without traces makes a payment that is no plain transfer UNRESOLVED', async () => {
  const { order } = await createOrder(fixture, { native: true, recipient: fixture.contract })
  const paid = execute(order.sender, PRICE, '0x')
  await fixture.orderFixture.pay(order, await send(fixture, fixture.contract, { data: paid, account: 3 }))
  fixture.node.interfere = (method) =>
    method === 'debug_traceTransaction'
      ? { error: { code: -32601, message: 'the method debug_traceTransaction does not exist' } }
      : undefined
  try {
    expect(await settle(order)).toMatchObject({ status: 'UNRESOLVED', reason: 'not_a_plain_transfer' })
  } finally {
    fixture.node.interfere = () => undefined
  }
})

it('a chain that cannot be read decides nothing until it can be read again', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.chain.client.mine({ blocks: 2 })
  fixture.node.interfere = () => 'hang up'
  try {
    await fixture.orderFixture.verify()
    expect(await fixture.orderFixture.readState(order)).toMatchObject({
      status: 'IN_PROGRESS',
      stock: 'reserved',
    })
  } finally {
    fixture.node.interfere = () => undefined
  }
  expect(await settle(order)).toMatchObject({ status: 'SUCCESS' })
})

it('a chain that shows a payment before it is final makes further reports refused', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.orderFixture.verify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject({ status: 'IN_PROGRESS' })
  await expect(fixture.orderFixture.pay(order, newHash())).rejects.toMatchObject({ code: 40904 })
  expect(await settle(order)).toMatchObject({ status: 'SUCCESS' })
})

describe('a reorganization', () => {
  const paidAndSettled = async () => {
    const made = await createOrder(fixture)
    await fixture.orderFixture.pay(made.order, await payToken(fixture, made.order))
    expect(await settle(made.order)).toMatchObject({ status: 'SUCCESS' })
    return made
  }

  it('a reorganization past the depth that removes a payment makes the order UNRESOLVED and leaves the token to the buyer', async () => {
    const { order, listing } = await paidAndSettled()
    await reorganize(6)
    expect(await settle(order)).toMatchObject({
      status: 'UNRESOLVED',
      reason: 'reorganized',
      stock: 'committed',
    })
    expect(await fixture.orderFixture.getOwnedQuantity(listing, order.recipient)).toBe(1)
    expect(fixture.orderFixture.alerts.filter((line) => line.includes(order.orderNo))).toHaveLength(1)
  })

  it('a reorganization that a payment survives in another block changes nothing', async () => {
    const { order } = await paidAndSettled()
    const { paidBlock, hash } = await orders.get(fixture.project.client, { orderNo: order.orderNo })
    const raw = await fixture.chain.client.request<{ Parameters: unknown; ReturnType: `0x${string}` }>({
      method: 'eth_getRawTransactionByHash',
      params: [hash],
    } as never)
    const head = Number(await fixture.chain.client.getBlockNumber())
    // Two blocks after where it was, counted from the first that is replaced.
    const depth = head - paidBlock + 1
    await reorganize(depth, [[raw, 2]])
    expect(await settle(order)).toMatchObject({ status: 'SUCCESS', reason: '' })
    const after = await orders.get(fixture.project.client, { orderNo: order.orderNo })
    expect(after.paidBlock).toBe(paidBlock + 2)
  })

  it('a reorganization before the depth makes an order wait, and fail once its payment is final as missing', async () => {
    const { order } = await createOrder(fixture)
    await fixture.orderFixture.pay(order, await payToken(fixture, order))
    await reorganize(1)
    expect(await settle(order)).toMatchObject({ status: 'FAILED', reason: 'not_seen', stock: 'released' })
  })
})

/**
 * Replaces the newest blocks by empty ones, but for the transactions given with the block that they go into.
 */
async function reorganize(depth: number, kept: readonly [string, number][] = []): Promise<void> {
  await fixture.chain.client.request({ method: 'anvil_reorg', params: [depth, kept] } as never)
}
