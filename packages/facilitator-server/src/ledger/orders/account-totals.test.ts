import { sql } from 'kysely'
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
import { addTotalChanges, createListAccountDays, MAX_RESOURCES } from './account-totals.ts'

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
const YESTERDAY = new Date(midnight - DAY_MS).toISOString().slice(0, 10)

/** Settles a payment of an account that was requested at a time, for a resource. */
async function settleAt(
  account: PayingAccount,
  createdAt: number,
  given: Partial<Payment> & { behavior?: Behavior; url?: string } = {},
) {
  const { behavior = settles, url, ...terms } = given
  const paymentPayload = url === undefined ? {} : { resource: { url } }
  const payment = somePayment({
    request: { x402Version: 2, paymentPayload, paymentRequirements: {} },
    ...terms,
  })
  money.upstream.behavior = async (...call) => {
    await money.db
      .updateTable('facilitator.settlements')
      .set({ created_at: new Date(createdAt) })
      .where('nonce', '=', payment.nonce)
      .execute()
    return await behavior(...call)
  }
  await money.engine.settle(payment, money.by(account))
}

/** Reads the totals, which are the same after the changes were added to the sums of their days. */
async function readTotals(account: PayingAccount, days: number) {
  const totals = await listAccountDays(account.id, days)
  await addTotalChanges(money.db, 2)
  const { rows } = await sql`select from facilitator.total_changes`.execute(money.db)
  expect(rows).toEqual([])
  const added = await listAccountDays(account.id, days)
  expect(new Set(added.totals)).toEqual(new Set(totals.totals))
  expect({ ...added, totals: [] }).toEqual({ ...totals, totals: [] })
  return added
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

  // The day may end during the test.
  const { totals } = await readTotals(account, 3)
  const ofDay = (day: string) => totals.filter((total) => total.day === day)
  const total = { network: 'eip155:84532', failed: 0, unresolved: 0, unresolvedAmount: '0', refunded: '0' }
  const asset = somePayment().asset
  expect(ofDay(YESTERDAY)).toEqual([
    { ...total, day: YESTERDAY, asset, settled: 1, amount: '7', charged: `${price}` },
  ])
  expect(ofDay(TODAY)).toHaveLength(2)
  expect(ofDay(TODAY)).toEqual(
    expect.arrayContaining([
      {
        ...total,
        day: TODAY,
        asset,
        settled: 2,
        failed: 2,
        unresolved: 1,
        unresolvedAmount: '5',
        amount: `${10n ** 30n + 10_000n}`,
        charged: `${price * 3n}`,
      },
      { ...total, day: TODAY, asset: OTHER_ASSET, settled: 1, amount: '10000', charged: `${price}` },
    ]),
  )
  await money.endTest()
})

test('adds up the payments of each resource in each asset, and all but the 20 with the largest amounts together', async () => {
  const account = await money.account({ settles: 100 })
  const at = (path: string) => `https://api.shop.example${path}`
  for (let each = 1; each <= MAX_RESOURCES + 2; each += 1)
    await settleAt(account, midnight, { url: at(`/things/${each}?token=secret`), amount: BigInt(each) })
  await settleAt(account, midnight - DAY_MS, { url: at('/things/22'), amount: 1n })
  await settleAt(account, midnight, { asset: OTHER_ASSET })
  await settleAt(account, midnight, { url: at('/failed'), behavior: refuses })
  const { resources } = await readTotals(account, 2)
  const ofAsset = resources.filter(({ asset }) => asset === somePayment().asset)
  const network = 'eip155:84532'
  const { asset } = somePayment()
  expect(ofAsset).toHaveLength(MAX_RESOURCES + 1)
  expect(ofAsset.slice(0, 2)).toMatchObject([
    { network, asset, resource: at('/things/22'), settled: 2, amount: '23' },
    { network, asset, resource: at('/things/21'), settled: 1, amount: '21' },
  ])
  expect(ofAsset.at(-1)).toMatchObject({ network, asset, resource: '*', settled: 2, amount: '3' })
  expect(resources.filter((each) => each.asset === OTHER_ASSET)).toMatchObject([
    { network, asset: OTHER_ASSET, resource: '', settled: 1, amount: '10000' },
  ])
  await money.endTest()
})

test('jobs that run at the same time add each change of the totals once', async () => {
  const account = await money.account()
  for (const url of ['https://shop.example/a', 'https://shop.example/b', 'https://shop.example/a'])
    await settleAt(account, midnight, { url })
  await Promise.all([1, 2, 3].map(() => addTotalChanges(money.db, 1)))
  const { totals } = await readTotals(account, 1)
  expect(totals).toMatchObject([{ settled: 3, amount: '30000' }])
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
  expect(many?.days).toHaveLength(366)
  expect(one?.days).toEqual(many?.days.slice(-1))
  expect(many?.totals).toHaveLength(1)
  expect(other).toMatchObject({ totals: [], resources: [] })
})
