import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../ledger/check.ts'
import { somePayment, type TestMoney, testMoney } from './testing.ts'

let money: TestMoney
beforeAll(async () => {
  money = await testMoney()
})
afterAll(async () => money.close())

test('a settle is executed, charged once and delivered', async () => {
  const account = await money.account()
  const payment = somePayment()
  const outcome = await money.engine.settle(payment, money.by(account))
  expect(outcome).toMatchObject({ kind: 'settled', again: false, settlement: { amount: 10_000n } })
  expect((await checkLedger(money.db)).problems).toEqual([])
})
