import { type Order, orders } from '@mintmark/orders'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newHash } from '../../../testing/order-fixture.ts'
import { anOrder, execute, PRICE, paymentCases, payToken, send } from '../../../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture, settleOrder } from '../../../testing/payment-fixture.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let bed: PaymentFixture
beforeAll(async () => {
  bed = await paymentFixture({ unseenSeconds: 1, watchBlocks: 8 })
})
afterAll(() => bed?.close())

const settle = (order: Order) => settleOrder(bed, order)

describe('an order', () => {
  it.each(paymentCases.map((each) => [each.name, each.ends.status, each] as const))(
    '%s ends %s',
    async (_, __, each) => {
      const order = await each.begin(bed)
      const alerts = bed.desk.alerts.length
      expect(await settle(order)).toMatchObject(each.ends)
      // Nothing more comes of it.
      await bed.chain.client.mine({ blocks: 3 })
      await bed.desk.verify()
      expect(await bed.desk.see(order)).toMatchObject(each.ends)
      const told = bed.desk.alerts.slice(alerts).filter((line) => line.includes(order.orderNo))
      expect(told).toHaveLength(each.ends.status === 'UNRESOLVED' ? 1 : 0)
    },
  )
})

describe('a success', () => {
  it('gives the buyer what was bought, notes the sale, and lets the wallet order anew', async () => {
    const { listing, order } = await anOrder(bed)
    const before = await bed.desk.owned(listing, listing.seller)
    const hash = await payToken(bed, order)
    await bed.desk.pay(order, hash)
    await settle(order)
    expect(await bed.desk.owned(listing, order.recipient)).toBe(1)
    expect(await bed.desk.owned(listing, listing.seller)).toBe(before - 1)
    const { client } = bed.project
    expect(await orders.get(client, { orderNo: order.orderNo })).toMatchObject({
      ...{ orderStatus: 2, hash, txId: hash, delivery: 'done' },
      paidBlock: expect.any(Number),
    })
    const sold = await orders.soldList(client, { sender: listing.seller })
    expect(sold.list.map(({ orderNo }) => orderNo)).toEqual([order.orderNo])
    const { nftAddress, nftId } = listing
    expect((await orders.nftHistory(client, { nftAddress, nftId })).totalRow).toBe(1)
    const open = await bed.gateway.owner.system
      .selectFrom('gateway.open_orders')
      .select('open')
      .where('listing_id', '=', listing.id)
      .execute()
    expect(open).toEqual([{ open: 0 }])
    expect(await bed.desk.events(order)).toEqual(['reported', 'paid'])
  })

  it('of a contract that the chain keeps waits for its delivery, and holds it for the buyer', async () => {
    const { listing, order } = await anOrder(bed, { indexed: true })
    await bed.desk.pay(order, await payToken(bed, order))
    await settle(order)
    expect(await orders.get(bed.project.client, { orderNo: order.orderNo })).toMatchObject({
      ...{ orderStatus: 2, delivery: 'pending' },
    })
    expect(await bed.desk.owned(listing, listing.seller)).toBe(10)
    expect(await bed.desk.owned(listing, order.recipient)).toBe(0)
    const held = await bed.gateway.owner.system
      .selectFrom('gateway.assets')
      .select('held')
      .where('nft_address', '=', listing.nftAddress)
      .executeTakeFirst()
    expect(held).toEqual({ held: '10' })
  })

  it('that is paid once more is owed back, and told of once', async () => {
    const { order } = await anOrder(bed)
    const first = await payToken(bed, order)
    await bed.desk.pay(order, first)
    await settle(order)
    const second = await payToken(bed, order)
    await expect(bed.desk.pay(order, second)).rejects.toMatchObject({ code: 40901 })
    await settle(order)
    await settle(order)
    expect(await orders.get(bed.project.client, { orderNo: order.orderNo })).toMatchObject({
      ...{ orderStatus: 2, refundDue: true, hash: first },
    })
    expect(bed.desk.alerts.filter((line) => line.includes(order.orderNo))).toHaveLength(1)
  })
})

describe('a chain', () => {
  it('that tells no traces has a person look at what is no plain transfer', async () => {
    const { order } = await anOrder(bed, { native: true, recipient: bed.contract })
    const paid = execute(order.sender, PRICE, '0x')
    await bed.desk.pay(order, await send(bed, bed.contract, { data: paid, account: 3 }))
    bed.node.interfere = (method) =>
      method === 'debug_traceTransaction'
        ? { error: { code: -32601, message: 'the method debug_traceTransaction does not exist' } }
        : undefined
    try {
      expect(await settle(order)).toMatchObject({ status: 'UNRESOLVED', reason: 'not_a_plain_transfer' })
    } finally {
      bed.node.interfere = () => undefined
    }
  })

  it('that cannot be read decides nothing, and decides when it can', async () => {
    const { order } = await anOrder(bed)
    await bed.desk.pay(order, await payToken(bed, order))
    await bed.chain.client.mine({ blocks: 2 })
    bed.node.interfere = () => 'hang up'
    try {
      await bed.desk.verify()
      expect(await bed.desk.see(order)).toMatchObject({ status: 'IN_PROGRESS', stock: 'held' })
    } finally {
      bed.node.interfere = () => undefined
    }
    expect(await settle(order)).toMatchObject({ status: 'SUCCESS' })
  })

  it('shows a payment before it is final: another one is refused from then on', async () => {
    const { order } = await anOrder(bed)
    await bed.desk.pay(order, await payToken(bed, order))
    await bed.desk.verify()
    expect(await bed.desk.see(order)).toMatchObject({ status: 'IN_PROGRESS' })
    await expect(bed.desk.pay(order, newHash())).rejects.toMatchObject({ code: 40904 })
    expect(await settle(order)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('a reorganisation', () => {
  const paidAndSettled = async () => {
    const made = await anOrder(bed)
    await bed.desk.pay(made.order, await payToken(bed, made.order))
    expect(await settle(made.order)).toMatchObject({ status: 'SUCCESS' })
    return made
  }

  it('past the depth that takes a payment away has a person look, and leaves the buyer what was bought', async () => {
    const { order, listing } = await paidAndSettled()
    await reorganise(6)
    expect(await settle(order)).toMatchObject({ status: 'UNRESOLVED', reason: 'reorganised', stock: 'taken' })
    expect(await bed.desk.owned(listing, order.recipient)).toBe(1)
    expect(bed.desk.alerts.filter((line) => line.includes(order.orderNo))).toHaveLength(1)
  })

  it('that a payment survives in another block changes nothing', async () => {
    const { order } = await paidAndSettled()
    const { paidBlock, hash } = await orders.get(bed.project.client, { orderNo: order.orderNo })
    const raw = await bed.chain.client.request<{ Parameters: unknown; ReturnType: `0x${string}` }>({
      method: 'eth_getRawTransactionByHash',
      params: [hash],
    } as never)
    const head = Number(await bed.chain.client.getBlockNumber())
    // Two blocks after where it was, counted from the first that is replaced.
    const depth = head - paidBlock + 1
    await reorganise(depth, [[raw, 2]])
    expect(await settle(order)).toMatchObject({ status: 'SUCCESS', reason: '' })
    const after = await orders.get(bed.project.client, { orderNo: order.orderNo })
    expect(after.paidBlock).toBe(paidBlock + 2)
  })

  it('before the depth only makes an order wait, and fail when its payment is gone for good', async () => {
    const { order } = await anOrder(bed)
    await bed.desk.pay(order, await payToken(bed, order))
    await reorganise(1)
    expect(await settle(order)).toMatchObject({ status: 'FAILED', reason: 'not_seen', stock: 'released' })
  })
})

/** Replaces the newest blocks by empty ones, but for the transactions given with the block that they go into. */
async function reorganise(depth: number, kept: readonly [string, number][] = []): Promise<void> {
  await bed.chain.client.request({ method: 'anvil_reorg', params: [depth, kept] } as never)
}
