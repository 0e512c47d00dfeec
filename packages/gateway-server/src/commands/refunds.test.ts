import { captureCommand } from '@mintmark/devkit/command-output'
import { type Order, orders } from '@mintmark/orders'
import { runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStuckOrders } from '../domains/orders/verification/gauges.ts'
import type { StuckOrder } from '../domains/orders/verification/stuck-orders.ts'
import { newHash } from '../testing/order-fixture.ts'
import { listOrderViolations } from '../testing/order-invariants.ts'
import { createOrder, PRICE, payToken } from '../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../testing/payment-fixture.ts'
import { orderCommands } from './orders.ts'

let fixture: PaymentFixture
beforeAll(async () => {
  fixture = await paymentFixture({ watchBlocks: 8 })
})
afterAll(() => fixture?.close())

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const environment = { DATABASE_URL: fixture.gateway.url, SECRET_KEYS: fixture.gateway.secretKeys }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, orderCommands, args),
  )
}

const refund = ({ orderNo }: Order, ...args: string[]) =>
  run('orders', 'refunded', orderNo, '--actor', 'ada', '--reason', 'a test', ...args)

async function findStuck({ orderNo }: Order): Promise<StuckOrder | undefined> {
  const { out } = await run('orders', 'stuck')
  return (JSON.parse(out) as StuckOrder[]).find((each) => each.orderNo === orderNo)
}

const get = ({ orderNo }: Order) => orders.get(fixture.project.client, { orderNo })
const alertsOf = ({ orderNo }: Order) =>
  fixture.orderFixture.alerts.map((line) => JSON.parse(line)).filter((alert) => alert.orderNo === orderNo)

/**
 * Creates an order that is paid by each of these amounts, one transaction after another. Returns the
 * transactions.
 */
async function createPaidOrder(...amounts: bigint[]): Promise<{ order: Order; hashes: string[] }> {
  const { order } = await createOrder(fixture)
  const hashes: string[] = []
  for (const amount of amounts) {
    const hash = await payToken(fixture, order, amount)
    hashes.push(hash)
    // Further payments are refused and recorded.
    await fixture.orderFixture.pay(order, hash).catch(() => {})
    await fixture.mineAndVerify()
  }
  // Each check records one excess.
  await fixture.orderFixture.verify()
  return { order, hashes }
}

async function listConsumed({ orderNo }: Order): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select c.hash from gateway.consumed_payments c join gateway.orders o on o.project_id = c.project_id and o.id = c.order_id
    where o.order_no = ${orderNo}`.execute(fixture.gateway.owner.system)
  return rows.map(({ hash }) => hash)
}

async function listRefundEvents({ orderNo }: Order) {
  const { rows } = await sql`
    select e.actor, e.reason, e.hash, e.created_at is not null as dated from gateway.order_events e
    join gateway.orders o on o.project_id = e.project_id and o.id = e.order_id
    where o.order_no = ${orderNo} and e.event = 'refunded' order by e.id`.execute(
    fixture.gateway.owner.system,
  )
  return rows
}

describe('an order that was paid three times', () => {
  it('an order that was paid three times counts each payment and needs a refund of the second and the third one', async () => {
    const { order, hashes } = await createPaidOrder(PRICE, PRICE, PRICE + 7n)
    expect((await listConsumed(order)).sort()).toEqual([...hashes].sort())
    expect(await get(order)).toMatchObject({ orderStatus: 2, txId: hashes[0], refundDue: true })
    expect(alertsOf(order).map(({ event, hash }) => [event, hash])).toEqual([
      ['paid_again', hashes[1]],
      ['paid_again', hashes[2]],
    ])
    const stuck = await findStuck(order)
    expect(stuck?.action).toContain('orders refunded')
    expect(stuck?.payments.map(({ hash, paid, refundDue }) => [hash, paid, refundDue])).toEqual([
      [hashes[0], `${PRICE}`, '0'],
      [hashes[1], `${PRICE}`, `${PRICE}`],
      [hashes[2], `${PRICE + 7n}`, `${PRICE + 7n}`],
    ])
    expect(await listOrderViolations(fixture.gateway.owner.system)).toEqual([])
  })

  it('an order that was paid three times needs a refund until each of them was paid back, and keeps who decided, why and when', async () => {
    const { order, hashes } = await createPaidOrder(PRICE, PRICE, PRICE)
    const [, second = '', third = ''] = hashes
    const [firstRefund, secondRefund] = [newHash(), newHash()]
    expect(await refund(order, '--hash', firstRefund)).toMatchObject({
      status: 2,
      error: expect.stringContaining('give the --payment'),
    })
    const first = await refund(order, '--payment', second, '--hash', firstRefund)
    expect(JSON.parse(first.out)).toMatchObject({ status: 'SUCCESS', refundDue: true })
    expect(JSON.parse((await refund(order, '--hash', secondRefund)).out)).toMatchObject({ refundDue: false })
    expect(await get(order)).toMatchObject({ refundDue: false })
    expect(await findStuck(order)).toBeUndefined()
    expect(await listRefundEvents(order)).toEqual([
      { actor: 'ada', reason: 'a test', hash: second, dated: true },
      { actor: 'ada', reason: 'a test', hash: third, dated: true },
    ])
    expect(await listOrderViolations(fixture.gateway.owner.system)).toEqual([])
  })
})

describe('an order that was paid ten times too much', () => {
  it('an order that was paid ten times too much succeeds, and needs a refund of what is more than its price', async () => {
    const { order, hashes } = await createPaidOrder(PRICE * 10n)
    expect(await get(order)).toMatchObject({ orderStatus: 2, refundDue: true })
    expect(alertsOf(order)).toMatchObject([
      { event: 'overpaid', hash: hashes[0], refundDue: `${PRICE * 9n}` },
    ])
    expect((await findStuck(order))?.payments).toEqual([
      { hash: hashes[0], outcome: 'paid', paid: `${PRICE * 10n}`, refundDue: `${PRICE * 9n}` },
    ])
  })

  it('an order that was paid ten times too much needs none once it was paid back, and alerts no second time', async () => {
    const { order } = await createPaidOrder(PRICE * 10n)
    expect((await readStuckOrders(fixture.gateway.database)).get('refund')).toBeGreaterThan(0)
    await refund(order)
    const alerts = alertsOf(order).length
    await fixture.mineAndVerify()
    await fixture.mineAndVerify(10)
    expect(await get(order)).toMatchObject({ orderStatus: 2, refundDue: false })
    expect(alertsOf(order)).toHaveLength(alerts)
    expect(await findStuck(order)).toBeUndefined()
    expect(await fixture.orderFixture.readState(order)).toMatchObject({ listing: [9, 0, 1] })
  })
})

describe('orders refunded', () => {
  it('orders refunded returns the same result when it is repeated, even after another payment has become due', async () => {
    const { order } = await createPaidOrder(PRICE, PRICE)
    const hash = newHash()
    const first = await refund(order, '--hash', hash)
    expect(first).toMatchObject({ status: 0, error: '' })
    expect(await refund(order, '--hash', hash)).toEqual(first)
    expect(await refund(order)).toEqual(first)
    const third = await payToken(fixture, order)
    await fixture.orderFixture.pay(order, third).catch(() => {})
    await fixture.mineAndVerify()
    expect(JSON.parse((await refund(order, '--hash', hash)).out)).toMatchObject({ refundDue: true })
    expect(await listRefundEvents(order)).toHaveLength(1)
  })

  it('orders refunded refuses another transaction for a refund that is recorded', async () => {
    const { order, hashes } = await createPaidOrder(PRICE, PRICE)
    const hash = newHash()
    await refund(order, '--hash', hash)
    const { error } = await refund(order, '--payment', hashes[1] ?? '', '--hash', newHash())
    expect(error).toContain(`is recorded already, by ${hash}`)
  })

  it('orders refunded refuses an order that was paid once, the payment that counts, and an order that is no SUCCESS', async () => {
    const { order, hashes } = await createPaidOrder(PRICE)
    expect((await refund(order)).error).toContain('No refund is due')
    expect((await refund(order, '--payment', hashes[0] ?? '')).error).toContain('No refund of this --payment')
    const { order: underpaid } = await createPaidOrder(PRICE - 1n)
    expect((await refund(underpaid)).error).toContain('"orders resolve --as failed"')
    expect((await refund(order, '--hash', '0x1')).error).toContain('--hash: expected 0x')
  })
})
