import { expect, test } from 'vitest'
import {
  type Behavior,
  losesTheCall,
  price,
  refuses,
  responded,
  sendsNothing,
  settles,
  somePayment,
  testMoney,
} from '../../engine/testing-engine.ts'
import type { Payment } from '../../payment/payment.ts'
import type { PayingAccount } from '../settlements/reserve.ts'
import { createListAccountDays } from './account-totals.ts'

const money = await testMoney()
const listAccountDays = createListAccountDays(money.db)
const OTHER_ASSET = `0x${'e'.repeat(40)}`

/** Refuses in a well-formed 2xx, which is charged. */
const refusesWithSuccess: Behavior = ({ network }) =>
  responded({
    success: false,
    errorReason: 'invalid_exact_evm_payload_authorization_valid_before',
    transaction: '',
    network,
  })

const TODAY = new Date().toISOString().slice(0, 10)
const midnight = Date.parse(TODAY)
const DAY_MS = 86_400_000

/** Settles a payment of an account that was requested at a time. */
async function settleAt(
  account: PayingAccount,
  createdAt: number,
  given: Partial<Payment> & { behavior?: Behavior } = {},
) {
  const { behavior = settles, ...terms } = given
  money.upstream.behavior = behavior
  const payment = somePayment(terms)
  await money.engine.settle(payment, money.by(account))
  await money.db
    .updateTable('facilitator.settlements')
    .set({ created_at: new Date(createdAt) })
    .where('nonce', '=', payment.nonce)
    .execute()
}

test('adds up the payments of each UTC day by asset, with what is charged, failed and unresolved', async () => {
  const account = await money.account()
  await settleAt(account, midnight)
  await settleAt(account, midnight, { amount: 10n ** 30n })
  await settleAt(account, midnight, { asset: OTHER_ASSET })
  for (const behavior of [refuses, refusesWithSuccess, losesTheCall, sendsNothing])
    await settleAt(account, midnight, { behavior, amount: 5n })
  await settleAt(account, midnight - 1, { amount: 7n })
  await settleAt(account, midnight - DAY_MS - 1)
  await settleAt(await money.account(), midnight)

  const days = await listAccountDays(account.id, 3)
  // The day may end during the test.
  const index = days.findIndex(({ day }) => day === TODAY)
  const [yesterday, today] = [days[index - 1], days[index]]
  const total = { network: 'eip155:84532', failed: 0, unresolved: 0 }
  const asset = somePayment().asset
  expect(yesterday?.totals).toEqual([{ ...total, asset, settled: 1, amount: '7', charged: `${price}` }])
  expect(today?.totals).toHaveLength(2)
  expect(today?.totals).toEqual(
    expect.arrayContaining([
      {
        ...total,
        asset,
        settled: 2,
        failed: 2,
        unresolved: 1,
        amount: `${10n ** 30n + 10_000n}`,
        charged: `${price * 3n}`,
      },
      { ...total, asset: OTHER_ASSET, settled: 1, amount: '10000', charged: `${price}` },
    ]),
  )
  await money.endTest()
})

test('concurrent calls for different numbers of days get their own days', async () => {
  const account = await money.account()
  await settleAt(account, midnight)
  const [one, many, other] = await Promise.all([
    listAccountDays(account.id, 1),
    listAccountDays(account.id, 366),
    listAccountDays((await money.account()).id, 3),
  ])
  expect(many).toHaveLength(366)
  expect(one).toEqual(many.slice(-1))
  expect(many.flatMap(({ totals }) => totals)).toHaveLength(1)
  expect(other.map(({ totals }) => totals)).toEqual([[], [], []])
})
