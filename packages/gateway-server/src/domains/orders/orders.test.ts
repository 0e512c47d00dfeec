import {
  ORDER_NOT_PAYABLE,
  ORDER_RECIPIENT_MISMATCH,
  PAYMENT_HASH_TAKEN,
  PAYMENT_MINED,
  TOO_MANY_PAYMENTS,
} from '@mintmark/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { CREATOR, WALLET } from '../../testing/stated-operations.ts'
import { buildOrderRow } from '../../testing/stated-rows.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

let made = 0
let orderNo = ''
beforeEach(async () => {
  orderNo = await addOrder()
})

async function addOrder(more: Parameters<typeof buildOrderRow>[1] = {}): Promise<string> {
  made += 1
  const order = buildOrderRow(gateway.key.projectId, { order_no: `order-${made}`, ...more })
  await gateway.owner.system.insertInto('gateway.orders').values(order).execute()
  return order.order_no
}

/** A hash that no other order has. */
function newHash(): string {
  made += 1
  return `0x${made.toString(16).padStart(64, '0')}`
}

const pay = (hash: string, more: object = {}, headers: Record<string, string> = {}) =>
  gateway.key.call({
    path: '/api/v1/order/payOrder',
    body: { hash, orderNo, recipient: WALLET, ...more },
    headers,
  })

async function stored(number = orderNo) {
  const order = await gateway.owner.system
    .selectFrom('gateway.orders')
    .selectAll()
    .where('order_no', '=', number)
    .executeTakeFirstOrThrow()
  const payments = await gateway.owner.system
    .selectFrom('gateway.order_payments')
    .select('hash')
    .where('order_id', '=', order.id)
    .orderBy('hash')
    .execute()
  return { status: order.status, hash: order.hash, payments: payments.map(({ hash }) => hash) }
}

async function isScheduled(): Promise<boolean> {
  const check = await gateway.owner.system
    .selectFrom('gateway.order_checks as c')
    .innerJoin('gateway.orders as o', 'o.id', 'c.order_id')
    .select('c.due_at')
    .where('o.order_no', '=', orderNo)
    .executeTakeFirst()
  return check !== undefined
}

async function reportedAt(hash: string): Promise<Date> {
  const row = await gateway.owner.system
    .selectFrom('gateway.order_payments')
    .select('reported_at')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return row.reported_at
}

/** Reports a payment whose transaction is mined afterwards. */
async function payAndMine(hash: string): Promise<void> {
  await pay(hash)
  await gateway.owner.system
    .updateTable('gateway.order_payments')
    .set({ mined_block: 101 })
    .where('hash', '=', hash)
    .execute()
}

/** Counts a transaction as the payment of an order. */
async function count(hash: string, number: string): Promise<void> {
  const order = await gateway.owner.system
    .selectFrom('gateway.orders')
    .select(['project_id', 'id as order_id', 'chain_id'])
    .where('order_no', '=', number)
    .executeTakeFirstOrThrow()
  await gateway.owner.system
    .insertInto('gateway.consumed_payments')
    .values({ ...order, hash })
    .execute()
}

it('reporting a payment moves a waiting order to IN_PROGRESS and stores the hash in lower case', async () => {
  const hash = newHash()
  const { status, json } = await pay(hash.replace('0x', '0x').toUpperCase().replace('0X', '0x'))
  expect(status).toBe(200)
  expect(json.data).toMatchObject({ orderNo, hash, orderStatus: 1 })
  expect(await stored()).toEqual({ status: 1, hash, payments: [hash] })
})

it('reporting a payment is idempotent: a repeat returns the same response', async () => {
  const hash = newHash()
  const first = await pay(hash)
  const again = await pay(hash)
  expect(again.text).toBe(first.text)
  expect((await stored()).payments).toEqual([hash])
})

it('reporting a payment that is no longer checked, because no node knew it for days, has it checked again', async () => {
  const hash = newHash()
  await pay(hash)
  await gateway.owner.system.deleteFrom('gateway.order_checks').execute()
  expect(await isScheduled()).toBe(false)
  await pay(hash)
  expect(await isScheduled()).toBe(true)
})

it('reporting a payment of a sped-up transaction replaces the hash and keeps both claims', async () => {
  const [slow, fast] = [newHash(), newHash()]
  await pay(slow)
  const { json } = await pay(fast)
  expect(json.data).toMatchObject({ hash: fast, orderStatus: 1 })
  expect(await stored()).toEqual({ status: 1, hash: fast, payments: [slow, fast].sort() })
  expect((await pay(slow)).json.data.hash).toBe(slow)
})

it('reporting a payment twenty times concurrently records one payment and returns one response', async () => {
  const hash = newHash()
  const responses = await Promise.all(Array.from({ length: 20 }, () => pay(hash)))
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  expect(await stored()).toEqual({ status: 1, hash, payments: [hash] })
})

it('reporting a payment by two concurrent transactions records both, and one of them is the newest', async () => {
  const hashes = [newHash(), newHash()]
  const responses = await Promise.all(hashes.map((hash) => pay(hash)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  const { hash, payments, status } = await stored()
  expect(status).toBe(1)
  expect(payments).toEqual([...hashes].sort())
  expect(hashes).toContain(hash)
})

it('reporting a payment accepts one transaction for two orders concurrently: the chain decides which order it pays', async () => {
  const hash = newHash()
  const other = await addOrder()
  const responses = await Promise.all([pay(hash), pay(hash, { orderNo: other })])
  expect(responses.map(({ json }) => json.code)).toEqual([200, 200])
  const claimed = { status: 1, hash, payments: [hash] }
  expect([await stored(), await stored(other)]).toEqual([claimed, claimed])
})

it('reporting a payment accepts a hash that was reported for an order that has ended', async () => {
  const hash = newHash()
  const other = await addOrder({ status: 4 })
  expect((await pay(hash, { orderNo: other })).json.code).toBe(40901)
  expect((await pay(hash)).status).toBe(200)
  expect(await stored()).toEqual({ status: 1, hash, payments: [hash] })
})

it('reporting a payment keeps the first report time of a transaction, however often it is reported', async () => {
  const [slow, fast] = [newHash(), newHash()]
  await pay(slow)
  const first = await reportedAt(slow)
  await pay(fast)
  await pay(slow)
  expect(await reportedAt(slow)).toEqual(first)
})

describe('a payment is refused', () => {
  const refusal = ({ code, reason }: { code: number; reason: string }) => ({
    code,
    data: { reason },
    msg: expect.any(String),
    success: false,
  })

  it('a payment is refused for another recipient, whatever the state', async () => {
    for (const status of [0, 1, 2, 3, 4, 5, 6]) {
      orderNo = await addOrder({ status })
      const answer = await pay(newHash(), { recipient: CREATOR })
      expect(answer.status).toBe(409)
      expect(answer.json).toEqual(refusal(ORDER_RECIPIENT_MISMATCH))
      expect(await stored()).toEqual({ status, hash: '', payments: [] })
    }
  })

  it('a payment is refused by a hash that counts for another order', async () => {
    const hash = newHash()
    const other = await addOrder({ status: 2 })
    await count(hash, other)
    const answer = await pay(hash)
    expect(answer.status).toBe(409)
    expect(answer.json).toEqual(refusal(PAYMENT_HASH_TAKEN))
    expect(await stored()).toEqual({ status: 0, hash: '', payments: [] })
  })

  it.each([2, 3, 4, 5, 6])(
    'a payment is refused for an order in state %i, and noted: it may be a payment all the same',
    async (status) => {
      orderNo = await addOrder({ status })
      const hash = newHash()
      const answer = await pay(hash)
      expect(answer.status).toBe(409)
      expect(answer.json).toEqual(refusal(ORDER_NOT_PAYABLE))
      expect(await stored()).toEqual({ status, hash: '', payments: [hash] })
    },
  )

  it('a payment is refused when another of its transactions is mined, and is recorded because it would have to be refunded', async () => {
    const [mined, second] = [newHash(), newHash()]
    await payAndMine(mined)
    expect((await pay(second)).json).toEqual(refusal(PAYMENT_MINED))
    expect(await stored()).toEqual({ status: 1, hash: mined, payments: [mined, second].sort() })
    expect((await pay(mined)).status).toBe(200)
  })

  it('a payment is refused past twenty transactions of one order', async () => {
    for (let n = 0; n < 20; n += 1) expect((await pay(newHash())).status).toBe(200)
    expect((await pay(newHash())).json).toEqual(refusal(TOO_MANY_PAYMENTS))
  })

  it('a payment is refused for an order that is expired by the database’s clock', async () => {
    orderNo = await addOrder({ expires_at: new Date(Date.now() - 60_000) })
    const hash = newHash()
    const answer = await pay(hash)
    expect(answer.status).toBe(409)
    expect(answer.json).toEqual({ ...refusal(ORDER_NOT_PAYABLE), msg: 'The order has expired' })
    expect(await stored()).toEqual({ status: 5, hash: '', payments: [hash] })
  })

  it('a payment is refused for an order that was removed', async () => {
    orderNo = await addOrder({ deleted: true })
    expect((await pay(newHash())).status).toBe(404)
  })
})

describe('a refused report of a payment under an Idempotency-Key', () => {
  const payWithKey = (hash: string) => pay(hash, {}, { 'idempotency-key': hash })

  it('a refused report of a payment under an Idempotency-Key is recorded for an order that has expired, which releases its inventory', async () => {
    orderNo = await addOrder({ expires_at: new Date(Date.now() - 60_000) })
    const hash = newHash()
    const first = await payWithKey(hash)
    expect(first.json.code).toBe(40901)
    const recorded = { status: 5, hash: '', payments: [hash] }
    expect(await stored()).toEqual(recorded)
    expect(await isScheduled()).toBe(true)
    expect((await payWithKey(hash)).text).toBe(first.text)
    expect(await stored()).toEqual(recorded)
  })

  it('a refused report of a payment under an Idempotency-Key is recorded after another transaction of the order was mined', async () => {
    const [mined, second] = [newHash(), newHash()]
    await payAndMine(mined)
    expect((await payWithKey(second)).json.code).toBe(40904)
    expect(await stored()).toEqual({ status: 1, hash: mined, payments: [mined, second].sort() })
  })
})
