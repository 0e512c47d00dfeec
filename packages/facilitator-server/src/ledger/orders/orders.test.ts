import { readPageQuery } from '@mintmark/server-kit'
import { expect, test } from 'vitest'
import { losesTheCall, price, refuses, settles, somePayment, testMoney } from '../../engine/testing-engine.ts'
import type { PayingAccount } from '../settlements/reserve.ts'
import { findOrder, listOrders, ORDER_COLUMNS, type OrderFilter } from './orders.ts'

const money = await testMoney()

const page = (input: object) =>
  readPageQuery(input, ORDER_COLUMNS, (field, message) => {
    throw new Error(`${field}: ${message}`)
  })
const list = async (account: PayingAccount, filter: OrderFilter = {}, input = {}) =>
  listOrders(money.db, account, filter, page(input))

test('lists one order with the present status for every settle', async () => {
  const account = await money.account()
  const payment = somePayment()
  const outcome = await money.engine.settle(payment, money.by(account))
  if (outcome.kind !== 'settled') throw new Error(outcome.kind)
  const { orderNo, transaction } = outcome.settlement
  expect(await findOrder(money.db, account, orderNo)).toEqual({
    orderNo,
    payer: payment.payer,
    account: account.payer,
    status: 'settled',
    price: price.toString(),
    network: payment.network,
    scheme: 'exact',
    asset: payment.asset,
    payTo: payment.payTo,
    amount: '10000',
    transaction,
    upstreamStatus: 200,
    createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    settleTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(await findOrder(money.db, await money.account(), orderNo)).toBeUndefined()
})

test('orders are listed by status, payer and time, newest first, and to their own account only', async () => {
  const account = await money.account()
  const other = `0x${'b'.repeat(40)}`
  for (const [behavior, given] of [
    [settles, {}],
    [refuses, {}],
    [losesTheCall, { payer: other }],
    [settles, { payer: other }],
  ] as const) {
    money.upstream.behavior = behavior
    await money.engine.settle(somePayment(given), money.by(account))
  }
  const statuses = async (filter: OrderFilter) =>
    (await list(account, filter)).rows.map(({ status }) => status)
  expect(await statuses({})).toEqual(['settled', 'unknown', 'failed', 'settled'])
  expect(await statuses({ status: 'settled' })).toEqual(['settled', 'settled'])
  expect(await statuses({ payer: other.toUpperCase().replace('0X', '0x') })).toEqual(['settled', 'unknown'])
  const [newest, before] = (await list(account)).rows
  if (newest === undefined || before === undefined) throw new Error('too few')
  expect(await statuses({ from: new Date(0), to: new Date(0) })).toEqual([])
  expect((await statuses({ from: new Date(before.createTime) })).length).toBeGreaterThanOrEqual(2)
  expect(await list(await money.account())).toMatchObject({ rows: [], totalRow: 0 })
})

test('pages follow each other without gap or repeat, by number and by cursor', async () => {
  money.upstream.behavior = settles
  const account = await money.account({ settles: 25 })
  await Promise.all(Array.from({ length: 25 }, () => money.engine.settle(somePayment(), money.by(account))))
  const all = (await list(account, {}, { pageSize: 100 })).rows.map(({ orderNo }) => orderNo)
  expect(new Set(all).size).toBe(25)
  const byNumber: string[] = []
  for (let pageNumber = 1; pageNumber <= 3; pageNumber += 1) {
    byNumber.push(
      ...(await list(account, {}, { pageNumber, pageSize: 10 })).rows.map(({ orderNo }) => orderNo),
    )
  }
  expect(byNumber).toEqual(all)
  const byCursor: string[] = []
  let cursor: string | undefined
  do {
    const found = await list(account, {}, { pageSize: 10, ...(cursor && { cursor }) })
    byCursor.push(...found.rows.map(({ orderNo }) => orderNo))
    cursor = found.next
  } while (cursor !== undefined)
  expect(byCursor).toEqual(all)
})
