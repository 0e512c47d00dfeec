import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type Order, orders } from '@mintmark/orders'
import { getAddress, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newHash } from '../../../testing/order-fixture.ts'
import { createOrder, execute, PRICE, payToken, send, transfer } from '../../../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../../../testing/payment-fixture.ts'

const UNSEEN = 600
const RESERVATION = 3600
let fixture: PaymentFixture
beforeAll(async () => {
  fixture = await paymentFixture({ unseenSeconds: UNSEEN, reservationSeconds: RESERVATION })
})
afterEach(async () => {
  fixture.node.catchUp()
  fixture.node.lags = () => true
  fixture.node.interfere = () => undefined
  await fixture.chain.client.setAutomine(true)
  await fixture.chain.client.mine({ blocks: 1 })
})
afterAll(() => fixture?.close())

const reserved = { status: 'IN_PROGRESS', stock: 'reserved', listing: [9, 1, 0] }
const sold = { status: 'SUCCESS', reason: '', stock: 'committed', listing: [9, 0, 1] }
const failed = (reason: string) => ({ status: 'FAILED', reason, stock: 'released', listing: [10, 0, 0] })

const verify = async (order: Order) => {
  await fixture.orderFixture.verify()
  return await fixture.orderFixture.readState(order)
}
const verifyAfter = async (order: Order, seconds: number) => {
  await fixture.orderFixture.ageReports(order, seconds)
  return await verify(order)
}
const get = ({ orderNo }: Order) => orders.get(fixture.project.client, { orderNo })

/** Sends a transaction that waits for a block. */
async function sendPending(
  to: string,
  { account = 1, data = '0x', value = 0n }: { account?: number; data?: Hex; value?: bigint } = {},
): Promise<Hex> {
  await fixture.chain.client.setAutomine(false)
  return await fixture.chain.as(account).sendTransaction({ to: getAddress(to), data, value, gas: 300_000n })
}

it('stock is released when two invented hashes are reported alternately', async () => {
  const { order } = await createOrder(fixture)
  const invented = [newHash(), newHash()]
  for (let turn = 0; turn < 4; turn += 1) {
    for (const hash of invented) await fixture.orderFixture.pay(order, hash).catch(() => {})
    await verifyAfter(order, UNSEEN / 2 + 1)
  }
  expect(await fixture.orderFixture.readState(order)).toMatchObject(failed('not_seen'))
})

it('stock is released at the end of the reservation when a new invented hash is reported again and again', async () => {
  const { order } = await createOrder(fixture)
  for (let turn = 0; turn < 12; turn += 1) {
    await fixture.orderFixture.pay(order, newHash())
    expect(await verify(order)).toMatchObject(reserved)
    await fixture.orderFixture.ageReports(order, RESERVATION / 12)
  }
  await fixture.orderFixture.pay(order, newHash())
  expect(await verifyAfter(order, 1)).toMatchObject(failed('not_seen'))
})

it("stock is released when a stranger's pending transaction was reported", async () => {
  const { order } = await createOrder(fixture)
  const data = transfer(devAccount(6).address, PRICE)
  await fixture.orderFixture.pay(order, await sendPending(fixture.chain.token, { account: 4, data }))
  expect(await verify(order)).toMatchObject(reserved)
  expect(await verifyAfter(order, UNSEEN + 1)).toMatchObject(failed('not_mined'))
})

it("stock is released when another wallet's pending payment to the seller was reported", async () => {
  const { order } = await createOrder(fixture, { native: true })
  await fixture.orderFixture.pay(order, await sendPending(order.sender, { account: 4, value: PRICE }))
  expect(await verifyAfter(order, UNSEEN + 1)).toMatchObject(failed('not_mined'))
})

it('stock is released when a pending transaction of the buyer that pays too little was reported', async () => {
  const { order } = await createOrder(fixture)
  const data = transfer(order.sender, PRICE - 1n)
  await fixture.orderFixture.pay(order, await sendPending(fixture.chain.token, { data }))
  expect(await verifyAfter(order, UNSEEN + 1)).toMatchObject(failed('not_mined'))
})

it('stock is released at the end of the reservation when the payment is pending, and is reserved again once it is mined', async () => {
  const { order, listing } = await createOrder(fixture)
  await fixture.orderFixture.pay(
    order,
    await sendPending(fixture.chain.token, { data: transfer(order.sender, PRICE) }),
  )
  expect(await verifyAfter(order, UNSEEN + 1)).toMatchObject(reserved)
  expect(await verifyAfter(order, RESERVATION - UNSEEN - 10)).toMatchObject(reserved)
  expect(await verifyAfter(order, 10)).toMatchObject(failed('not_mined'))
  await fixture.chain.client.mine({ blocks: 2 })
  expect(await verify(order)).toMatchObject(sold)
  expect(await fixture.orderFixture.getOwnedQuantity(listing, order.recipient)).toBe(1)
})

it('stock is released when an unrelated mined transaction was reported beside an invented one', async () => {
  const { order } = await createOrder(fixture)
  const data = transfer(devAccount(6).address, PRICE)
  await fixture.orderFixture.pay(order, newHash())
  await fixture.orderFixture.pay(order, await send(fixture, fixture.chain.token, { account: 4, data }))
  await fixture.chain.client.mine({ blocks: 2 })
  expect(await verify(order)).toMatchObject(reserved)
  expect(await verifyAfter(order, UNSEEN + 1)).toMatchObject(failed('unrelated'))
})

it('stock stays reserved past the end of the reservation while the payment is mined and not final', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  expect(await verifyAfter(order, RESERVATION + 1)).toMatchObject(reserved)
  await fixture.chain.client.mine({ blocks: 1 })
  expect(await verify(order)).toMatchObject(sold)
})

it('stock stays reserved when one response of a lagging node lacks a payment that was mined before', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  expect(await verify(order)).toMatchObject(reserved)
  await fixture.node.lag(1)
  expect(await verifyAfter(order, RESERVATION + 1)).toMatchObject(reserved)
  fixture.node.catchUp()
  await fixture.chain.client.mine({ blocks: 1 })
  expect(await verify(order)).toMatchObject(sold)
})

it('stock stays reserved for the time of unknown transactions and longer while a lagging node still has the payment as pending', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.chain.client.mine({ blocks: 2 })
  await fixture.node.lag(3)
  fixture.node.lags = (method) => method === 'eth_getTransactionReceipt'
  expect(await verifyAfter(order, UNSEEN + 1)).toMatchObject(reserved)
  fixture.node.catchUp()
  expect(await verify(order)).toMatchObject(sold)
})

it('stock stays reserved when a lagging node does not know the transaction that it should trace', async () => {
  const { order } = await createOrder(fixture, { native: true, recipient: fixture.contract })
  const data = execute(order.sender, PRICE, '0x')
  await fixture.orderFixture.pay(order, await send(fixture, fixture.contract, { data, account: 3 }))
  await fixture.chain.client.mine({ blocks: 2 })
  fixture.node.interfere = (method) =>
    method === 'debug_traceTransaction'
      ? { error: { code: -32000, message: 'transaction not found' } }
      : undefined
  expect(await verify(order)).toMatchObject(reserved)
  fixture.node.interfere = () => undefined
  expect(await verify(order)).toMatchObject(sold)
})

describe('a payment that a node shows only after the end of the reservation, because it lags', () => {
  async function paidBehindTheNode() {
    const made = await createOrder(fixture)
    await fixture.node.lag()
    const hash = await payToken(fixture, made.order)
    await fixture.chain.client.mine({ blocks: 3 })
    await fixture.orderFixture.pay(made.order, hash)
    expect(await verify(made.order)).toMatchObject(reserved)
    expect(await verifyAfter(made.order, RESERVATION + 1)).toMatchObject(failed('not_seen'))
    return { ...made, hash }
  }

  it('a payment that a node shows only after the end of the reservation, because it lags makes the order a SUCCESS while there is stock', async () => {
    const { order, listing, hash } = await paidBehindTheNode()
    fixture.node.catchUp()
    expect(await verify(order)).toMatchObject(sold)
    expect(await fixture.orderFixture.getOwnedQuantity(listing, order.recipient)).toBe(1)
    expect(await get(order)).toMatchObject({ txId: hash, refundDue: false })
  })

  it('a payment that a node shows only after the end of the reservation, because it lags makes the order UNRESOLVED with a refund due when others have the stock', async () => {
    const { order, listing } = await paidBehindTheNode()
    await fixture.orderFixture.order(listing, { recipient: devAccount(5).address, quantity: 10 })
    fixture.node.catchUp()
    const alerts = fixture.orderFixture.alerts.length
    expect(await verify(order)).toMatchObject({ status: 'UNRESOLVED', reason: 'no_stock', stock: 'released' })
    expect(await get(order)).toMatchObject({ refundDue: true })
    expect(
      fixture.orderFixture.alerts.slice(alerts).filter((line) => line.includes(order.orderNo)),
    ).toHaveLength(1)
  })

  it('a payment that a node shows only after the end of the reservation, because it lags counts when it is reported once more after the order was no longer read', async () => {
    const { order, hash } = await paidBehindTheNode()
    await verifyAfter(order, 8 * 86_400)
    fixture.node.catchUp()
    expect(await verify(order)).toMatchObject(failed('not_seen'))
    await fixture.orderFixture.pay(order, hash)
    expect(await verify(order)).toMatchObject(sold)
  })
})
