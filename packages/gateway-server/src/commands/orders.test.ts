import { devAccount } from '@mintmark/devkit/chain/accounts'
import { captureCommand } from '@mintmark/devkit/command-output'
import { couponCodes } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StuckOrder } from '../domains/orders/verification/stuck-orders.ts'
import { createOwnedToken } from '../testing/create-listing.ts'
import { newHash, type OrderSnapshot } from '../testing/order-fixture.ts'
import { listOrderViolations } from '../testing/order-invariants.ts'
import { orderLike, PRICE, payToken, send, transfer } from '../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../testing/payment-fixture.ts'
import { orderCommands } from './orders.ts'

const settings = { unseenSeconds: 600, reservationSeconds: 3600, watchBlocks: 8 }
let fixture: PaymentFixture
beforeAll(async () => {
  fixture = await paymentFixture(settings)
})
afterEach(() => fixture.node.catchUp())
afterAll(async () => {
  await fixture?.close()
})

const buyer = devAccount(1).address.toLowerCase()

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const environment = { DATABASE_URL: fixture.gateway.url, SECRET_KEYS: fixture.gateway.secretKeys }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, orderCommands, args),
  )
}

const resolve = (order: Order, ...args: string[]) =>
  run('orders', 'resolve', order.orderNo, '--actor', 'ada', '--reason', 'a test', ...args)

async function findStuck({ orderNo }: Order): Promise<StuckOrder | undefined> {
  const { out } = await run('orders', 'stuck', '--minutes', '60')
  return (JSON.parse(out) as StuckOrder[]).find((each) => each.orderNo === orderNo)
}

/** Puts ten on the shelf with a coupon that can be used once, and orders one with it. */
async function createOrder(recipient = buyer): Promise<Order> {
  const { coupon, codes } = await couponCodes.create(fixture.project.client, {
    couponType: 2,
    value: '1',
    maxRedemptions: 1,
    count: 1,
  })
  const token = await createOwnedToken(fixture.gateway, fixture.project.projectId)
  const listing = await couponCodes.putOnShelf(fixture.project.client, {
    ...token,
    quantity: 10,
    payPrice: (PRICE + 1n).toString(),
    payTokenAddress: fixture.chain.token,
    couponId: coupon.id,
  })
  const sale = { marketType: listing.marketType, listingId: listing.id, quantity: 1 }
  return await orders.preOrder(fixture.project.client, { ...sale, recipient, couponCode: codes[0] ?? '' })
}

/** Orders everything that is left of an order's listing, without its coupon. */
async function orderTheRest({ marketType, listingId }: Order): Promise<Order> {
  const recipient = devAccount(5).address
  return await orders.preOrder(fixture.project.client, { marketType, listingId, quantity: 10, recipient })
}

async function anOldOrder(): Promise<Order> {
  const order = await createOrder()
  await fixture.gateway.owner.system
    .updateTable('gateway.orders')
    .set({ created_at: sql<Date>`clock_timestamp() - interval '2 hours'` })
    .where('order_no', '=', order.orderNo)
    .execute()
  return order
}

/** An order whose reported payment does not get on: the node that the gateway reads lags behind it. */
async function anInProgress(): Promise<Order> {
  const order = await anOldOrder()
  await fixture.node.lag()
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.orderFixture.verify()
  return order
}

/** An order that was paid with too little. */
async function anUnderpaid(): Promise<Order> {
  const order = await createOrder()
  await fixture.orderFixture.pay(order, await payToken(fixture, order, PRICE - 1n))
  await fixture.mineAndVerify()
  return order
}

/** An order that was paid after its time, when others had ordered the rest. */
async function aPaidTooLate(): Promise<Order & { rest: Order }> {
  const order = await createOrder()
  await fixture.orderFixture.expire(order)
  await fixture.orderFixture.verify()
  const rest = await orderTheRest(order)
  await fixture.orderFixture.pay(order, await payToken(fixture, order)).catch(() => {})
  await fixture.mineAndVerify()
  return { ...order, rest }
}

async function aReorganized(): Promise<Order> {
  const order = await createOrder()
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.mineAndVerify(1)
  await fixture.chain.client.request({ method: 'anvil_reorg', params: [4, []] } as never)
  await fixture.mineAndVerify(4)
  return order
}

/** An order that ended with an invented hash reported. */
async function anEnded(how: 'cancelled' | 'expired' | 'failed'): Promise<Order> {
  const order = await createOrder()
  if (how === 'cancelled') await orders.cancel(fixture.project.client, { orderNo: order.orderNo })
  if (how === 'expired') {
    await fixture.orderFixture.expire(order)
    await fixture.orderFixture.verify()
  }
  await fixture.orderFixture.pay(order, newHash()).catch(() => {})
  await fixture.orderFixture.ageReports(order, 601)
  await fixture.orderFixture.verify()
  return order
}

async function aPaidByOthers(): Promise<Order> {
  const order = await createOrder()
  const data = transfer(order.sender, PRICE)
  await fixture.orderFixture.pay(order, await send(fixture, fixture.chain.token, { data, account: 4 }))
  await fixture.mineAndVerify()
  return order
}

async function aPaidTwice(): Promise<Order> {
  const order = await createOrder()
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.mineAndVerify()
  await fixture.orderFixture.pay(order, await payToken(fixture, order)).catch(() => {})
  await fixture.mineAndVerify()
  return order
}

async function anOverdue(): Promise<Order> {
  const order = await createOrder()
  await fixture.gateway.owner.system
    .updateTable('gateway.orders')
    .set({ expires_at: sql<Date>`clock_timestamp() - interval '2 hours'` })
    .where('order_no', '=', order.orderNo)
    .execute()
  return order
}

interface StuckCase {
  readonly name: string
  begin(): Promise<Order>
  /** How `orders stuck` lists it. */
  readonly listed: { status: string; action: RegExp; reason?: string; refundDue?: boolean }
  readonly args: readonly string[] | ((order: Order) => Promise<readonly string[]>)
  readonly ends: Pick<OrderSnapshot, 'status' | 'stock' | 'listing'>
}

const sold = { status: 'SUCCESS', stock: 'committed', listing: [9, 0, 1] } as const
const ended = (status: string) => ({ status, stock: 'released', listing: [10, 0, 0] }) as const
const hashOf = async (order: Order) => ['--as', 'success', '--hash', await payToken(fixture, order)]
const [asSuccess, asFailed] = [
  ['--as', 'success'],
  ['--as', 'failed'],
]
const withoutPayment = [...asSuccess, '--payment', 'none']

const inProgress = { status: 'IN_PROGRESS', action: /nodes in CHAINS respond/ }
const underpaid = { status: 'UNRESOLVED', reason: 'not_enough', action: /paid too little/ }
const tooLate = { status: 'UNRESOLVED', reason: 'no_stock', refundDue: true, action: /pay the buyer back/ }
const reorganized = { status: 'UNRESOLVED', reason: 'reorganized', action: /reorganization took/ }
const unpaid = (status: string) => ({ status, action: /its stock is released/ })

const cases: readonly StuckCase[] = [
  {
    name: 'in progress too long, delivered by its payment',
    begin: anInProgress,
    listed: inProgress,
    args: hashOf,
    ends: sold,
  },
  { name: 'underpaid, delivered', begin: anUnderpaid, listed: underpaid, args: asSuccess, ends: sold },
  {
    name: 'underpaid, delivered by another transaction',
    begin: anUnderpaid,
    listed: underpaid,
    args: hashOf,
    ends: sold,
  },
  {
    name: 'underpaid, paid back',
    begin: anUnderpaid,
    listed: underpaid,
    args: asFailed,
    ends: ended('FAILED'),
  },
  {
    name: 'paid too late, paid back',
    begin: aPaidTooLate,
    listed: tooLate,
    args: asFailed,
    ends: { status: 'FAILED', stock: 'released', listing: [0, 10, 0] },
  },
  { name: 'reorganized, paid again', begin: aReorganized, listed: reorganized, args: hashOf, ends: sold },
  {
    name: 'reorganized, closed',
    begin: aReorganized,
    listed: reorganized,
    args: asFailed,
    ends: { ...sold, status: 'FAILED' },
  },
  {
    name: 'cancelled with a hash that no node has, delivered by a payment',
    begin: () => anEnded('cancelled'),
    listed: unpaid('CANCELLED'),
    args: hashOf,
    ends: sold,
  },
  {
    name: 'expired with a hash that no node has, delivered without a payment',
    begin: () => anEnded('expired'),
    listed: unpaid('EXPIRED'),
    args: withoutPayment,
    ends: sold,
  },
  {
    name: 'failed with a hash that no node has, closed',
    begin: () => anEnded('failed'),
    listed: unpaid('FAILED'),
    args: asFailed,
    ends: ended('FAILED'),
  },
  {
    name: 'paid by another wallet, delivered',
    begin: aPaidByOthers,
    listed: { status: 'FAILED', action: /other_payer/ },
    args: async (order) => [...asSuccess, '--hash', (await findStuck(order))?.payments[0]?.hash ?? ''],
    ends: sold,
  },
  {
    name: 'paid by another wallet, paid back',
    begin: aPaidByOthers,
    listed: { status: 'FAILED', action: /other_payer/ },
    args: asFailed,
    ends: ended('FAILED'),
  },
  {
    name: 'past its time with no server to end it',
    begin: anOverdue,
    listed: { status: 'PRE', action: /check that a gateway runs/ },
    args: asFailed,
    ends: ended('EXPIRED'),
  },
]

describe('orders resolve', () => {
  it.each(cases.map((each) => [each.name, each] as const))(
    'orders resolve ends an order that is %s once, and removes it from the list of unresolved orders',
    async (_, { begin, listed, args, ends }) => {
      const order = await begin()
      const { action, ...state } = listed
      expect(await findStuck(order)).toMatchObject({ ...state, action: expect.stringMatching(action) })

      const decision = typeof args === 'function' ? await args(order) : args
      const first = await resolve(order, ...decision)
      expect(first).toMatchObject({ error: '', status: 0 })
      expect(JSON.parse(first.out)).toMatchObject({ status: ends.status, refundDue: false })
      const events = await fixture.orderFixture.events(order)
      expect(await resolve(order, ...decision)).toEqual(first)
      expect(await fixture.orderFixture.events(order)).toEqual(events)

      expect(await fixture.orderFixture.readState(order)).toMatchObject(ends)
      await fixture.orderFixture.verify()
      await fixture.orderFixture.verify()
      expect(await fixture.orderFixture.readState(order)).toMatchObject(ends)
      expect(await findStuck(order)).toBeUndefined()
      expect(await listOrderViolations(fixture.gateway.owner.system)).toEqual([])
    },
  )

  it('orders resolve releases the stock of an order in progress, and a payment that the chain shows later counts all the same', async () => {
    const order = await anInProgress()
    expect(await resolve(order, ...asFailed)).toMatchObject({ status: 0 })
    await fixture.orderFixture.verify()
    expect(await fixture.orderFixture.readState(order)).toMatchObject(ended('FAILED'))
    expect(await findStuck(order)).toBeUndefined()
    fixture.node.catchUp()
    await fixture.mineAndVerify()
    expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
    expect(await listOrderViolations(fixture.gateway.owner.system)).toEqual([])
  })

  it('orders resolve counts no transaction as the payment of an order that is delivered without one', async () => {
    const order = await anUnderpaid()
    const { out } = await resolve(order, ...withoutPayment)
    expect(JSON.parse(out)).toMatchObject({ status: 'SUCCESS', hash: '' })
    expect(await orders.get(fixture.project.client, { orderNo: order.orderNo })).toMatchObject({ txId: '' })
  })

  it('orders resolve delivers an order that was paid too late once there is stock again, and then no refund is due', async () => {
    const { rest, ...order } = await aPaidTooLate()
    const refused = await resolve(order, ...asSuccess)
    expect(refused).toMatchObject({ status: 2, error: expect.stringContaining('sold to others') })
    await orders.cancel(fixture.project.client, { orderNo: rest.orderNo })
    const done = await resolve(order, ...asSuccess)
    expect(JSON.parse(done.out)).toMatchObject({ status: 'SUCCESS', refundDue: false })
    expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
    expect(await listOrderViolations(fixture.gateway.owner.system)).toEqual([])
  })

  it.each<[string, () => Promise<Order>, readonly string[], string]>([
    [
      'a success of an order in progress that names no payment',
      anInProgress,
      asSuccess,
      'give the --hash that paid it',
    ],
    ['to undo a success', aPaidTwice, asFailed, 'a SUCCESS cannot be undone'],
    [
      'to end an order that waits for its payment',
      () => createOrder(),
      asFailed,
      'waits for its payment until it expires',
    ],
    [
      'to deliver an order that waits for its payment',
      () => createOrder(),
      withoutPayment,
      'an order in PRE ends when it expires',
    ],
  ])('orders resolve refuses %s', async (_, begin, args, message) => {
    const order = await begin()
    const before = await fixture.orderFixture.readState(order)
    expect(await resolve(order, ...args)).toMatchObject({
      status: 2,
      out: '',
      error: expect.stringContaining(message),
    })
    expect(await fixture.orderFixture.readState(order)).toEqual(before)
  })

  it('orders resolve refuses to close an order that ended without a reported transaction', async () => {
    const order = await createOrder()
    await orders.cancel(fixture.project.client, { orderNo: order.orderNo })
    const { error } = await resolve(order, ...asFailed)
    expect(error).toContain('The order is CANCELLED and no transaction was reported for it')
  })

  it('orders resolve refuses a payment that counts for another order', async () => {
    const paid = await createOrder()
    const hash = await payToken(fixture, paid)
    await fixture.orderFixture.pay(paid, hash)
    await fixture.mineAndVerify()
    const order = await anUnderpaid()
    const { error } = await resolve(order, ...asSuccess, '--hash', hash)
    expect(error).toContain('The transaction counts for another order')
  })

  it('orders resolve closes an order so that the payment which its buyer has back pays no cheaper order later', async () => {
    const order = await createOrder()
    const cheap = await orderLike(fixture, order, { payPrice: '1' })
    const hash = await payToken(fixture, order, PRICE - 1n)
    await fixture.orderFixture.pay(order, hash)
    await fixture.mineAndVerify()
    expect(await resolve(order, ...asFailed)).toMatchObject({ status: 0 })
    await expect(fixture.orderFixture.pay(cheap, hash)).rejects.toMatchObject({ code: 40903 })
    await fixture.mineAndVerify()
    expect(await fixture.orderFixture.readState(cheap)).toMatchObject({ status: 'PRE' })
  })

  it('orders resolve refuses a success by another transaction than the one that counts', async () => {
    const order = await anUnderpaid()
    await resolve(order, ...asSuccess)
    const { error } = await resolve(order, ...asSuccess, '--hash', newHash())
    expect(error).toContain('The order is SUCCESS already, by 0x')
  })

  it.each([
    [['--as', 'success', '--payment', 'some'], '--payment: expected none'],
    [['--as', 'failed', '--payment', 'none'], 'expected with --as success only'],
    [['--as', 'success', '--payment', 'none', '--hash', newHash()], 'expected one of the two'],
  ])('orders resolve refuses %j', async (args, message) => {
    const { error, status } = await run('orders', 'resolve', 'x', '--actor', 'a', '--reason', 'b', ...args)
    expect(error).toContain(message)
    expect(status).toBe(2)
  })
})

describe('orders stuck', () => {
  it('orders stuck leaves out orders that ended by a transaction which the chain shows to be harmless', async () => {
    const reverted = await createOrder()
    const data = transfer(reverted.sender, 10n ** 30n)
    await fixture.orderFixture.pay(reverted, await send(fixture, fixture.chain.token, { data }))
    const unrelated = await createOrder()
    const others = transfer(devAccount(6).address, PRICE)
    await fixture.orderFixture.pay(
      unrelated,
      await send(fixture, fixture.chain.token, { data: others, account: 4 }),
    )
    await fixture.mineAndVerify()
    for (const order of [reverted, unrelated]) {
      expect(await fixture.orderFixture.readState(order)).toMatchObject(ended('FAILED'))
      expect(await findStuck(order)).toBeUndefined()
    }
  })

  it('orders stuck shows that a payment which was too small for an order counts for another one', async () => {
    const order = await createOrder()
    const cheap = await orderLike(fixture, order, { payPrice: '1' })
    const hash = await payToken(fixture, order, PRICE - 1n)
    await fixture.orderFixture.pay(order, hash)
    await fixture.mineAndVerify()
    expect((await findStuck(order))?.payments).toMatchObject([{ outcome: 'not_enough' }])
    await fixture.orderFixture.pay(cheap, hash)
    await fixture.mineAndVerify()
    expect(await fixture.orderFixture.readState(cheap)).toMatchObject({ status: 'SUCCESS' })
    expect(await findStuck(order)).toMatchObject({
      action: expect.stringMatching(/counts for another order.*nothing is to be paid back/),
      payments: [{ outcome: 'payment_used', paid: String(PRICE - 1n), refundDue: '0' }],
    })
    expect(await resolve(order, ...asFailed)).toMatchObject({ status: 0 })
    expect(await findStuck(order)).toBeUndefined()
  })

  it('orders stuck lists orders with money at stake before those whose reported transaction no node has', async () => {
    const invented = await anEnded('failed')
    const underpaid = await anUnderpaid()
    const { out } = await run('orders', 'stuck')
    const numbers = (JSON.parse(out) as StuckOrder[]).map(({ orderNo }) => orderNo)
    expect(numbers.indexOf(underpaid.orderNo)).toBeLessThan(numbers.indexOf(invented.orderNo))
  })
})
