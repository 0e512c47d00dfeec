import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { getNextQuotaNonce } from '../../ledger/quotas/quotas.ts'
import { allow, price, refuses, settles, somePayment, testMoney } from '../testing-engine.ts'
import type { SettleOutcome } from './outcome.ts'

const money = await testMoney()

const count = (outcomes: SettleOutcome[]) => {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
const soundBooks = async () => expect((await checkLedger(money.db)).problems).toEqual([])
const times = <T>(number: number, each: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: number }, (_, index) => each(index)))

test('makes one transaction, charge and delivery for 20 concurrent settles of a payment in two processes and both HTTP APIs', async () => {
  const engines = [money.another(), money.another()]
  for (let round = 0; round < 10; round += 1) {
    const account = await money.account({ settles: 30 })
    const payment = somePayment()
    const outcomes = await times(20, async (index) => {
      const engine = engines[index % 2] ?? money.engine
      return engine.settle(payment, money.by(account, { api: index % 3 ? 'native' : 'x402' }))
    })
    const counts = count(outcomes)
    expect(counts.settled).toBe(1)
    // A repeat that does not wait does not know the outcome of a call that still runs.
    const { pending = 0, duplicate = 0 } = counts
    expect(pending + duplicate).toBe(19)
    expect(money.upstream.calls.filter((nonce) => nonce === payment.nonce)).toHaveLength(1)
    expect((await getAccount(money.db, account.id)).available).toBe(29n * price)
  }
  await soundBooks()
})

test('charges 30 and refuses 70 of 100 concurrent settles of an account that can pay for 30, in one process or several', async () => {
  for (const engines of [1, 4]) {
    for (const means of [
      { settles: 30, quota: 100 },
      { settles: 100, quota: 30 },
    ]) {
      const account = await money.account(means)
      const running = Array.from({ length: engines }, () => money.another())
      const outcomes = await times(100, async (index) =>
        (running[index % engines] ?? money.engine).settle(somePayment(), money.by(account)),
      )
      expect(count(outcomes)).toEqual({ settled: 30, insufficient: 70 })
      const { available, held } = await getAccount(money.db, account.id)
      expect({ available, held }).toEqual({ available: BigInt(means.settles - 30) * price, held: 0n })
    }
  }
  await soundBooks()
})

test('a price that waits for a locked account to be returned delays no end of another payment', async () => {
  const [locked, free] = [await money.account(), await money.account()]
  const refused = somePayment()
  const isLocked = Promise.withResolvers<void>()
  const isEnding = Promise.withResolvers<void>()
  const unlock = Promise.withResolvers<void>()
  onTestFinished(() => unlock.resolve())
  let lock: Promise<void> | undefined
  money.upstream.behavior = async (payment, chain) => {
    if (payment.nonce !== refused.nonce) return settles(payment, chain)
    // The price is held already, so that only the end waits for the account.
    lock = money.db.transaction().execute(async (trx) => {
      await sql`select from facilitator.accounts where id = ${locked.id} for no key update`.execute(trx)
      isLocked.resolve()
      await unlock.promise
    })
    await isLocked.promise
    return refuses(payment, chain)
  }
  const engine = money.another({
    faultPoint: (point) => {
      if (point === 'ending-in-flight') isEnding.resolve()
    },
  })
  const waiting = engine.settle(refused, money.by(locked))
  await isEnding.promise
  expect((await engine.settle(somePayment(), money.by(free))).kind).toBe('settled')
  unlock.resolve()
  await lock
  expect(await waiting).toMatchObject({ kind: 'failed', charged: false })
  expect((await getAccount(money.db, locked.id)).held).toBe(0n)
  money.upstream.behavior = settles
  await soundBooks()
})

test('concurrent settles of the same payments spend the last of the balance exactly', async () => {
  const account = await money.account({ settles: 5 })
  const payments = Array.from({ length: 5 }, () => somePayment())
  const engines = [money.another(), money.another()]
  const outcomes = await times(50, async (index) => {
    const payment = payments[index % 5] ?? somePayment()
    return (engines[index % 2] ?? money.engine).settle(payment, money.by(account))
  })
  expect(count(outcomes).settled).toBe(5)
  expect((await getAccount(money.db, account.id)).available).toBe(0n)
  await soundBooks()
})

test('settles each payment once, for one account, if two accounts present the same payments concurrently', async () => {
  const accounts = [await money.account({ settles: 50 }), await money.account({ settles: 50 })]
  const payments = Array.from({ length: 40 }, () => somePayment())
  const engines = [money.another(), money.another()]
  const outcomes = await times(80, async (index) => {
    const account = accounts[index % 2]
    // One of them presents them the other way round, so that the two meet with locks in opposite order.
    const payment = payments[index % 2 ? index >> 1 : 39 - (index >> 1)]
    if (account === undefined || payment === undefined) throw new Error('out of range')
    return (engines[index % 2] ?? money.engine).settle(payment, money.by(account))
  })
  expect(count(outcomes)).toEqual({ settled: 40, conflict: 40 })
  await soundBooks()
})

test('quotas that are replaced again and again while settles run are never used above their limit', async () => {
  const account = await money.account({ settles: 200, quota: 5 })
  money.upstream.behavior = async (payment, chain) =>
    payment.nonce.endsWith('0') ? refuses(payment, chain) : settles(payment, chain)
  const engines = [money.another(), money.another()]
  const replacing = (async () => {
    for (let replaced = 0; replaced < 15; replaced += 1) {
      await allow(money.db, account, { settles: 5, nonce: await getNextQuotaNonce(money.db, account.id) })
    }
  })()
  const outcomes = await times(150, async (index) =>
    (engines[index % 2] ?? money.engine).settle(somePayment(), money.by(account)),
  )
  await replacing
  money.upstream.behavior = settles
  const { settled = 0, failed = 0, insufficient = 0 } = count(outcomes)
  expect(settled + failed + insufficient).toBe(150)
  expect((await getAccount(money.db, account.id)).available).toBe(BigInt(200 - settled) * price)
  // The limit itself is held by the table's own check; the books say where each price went.
  await soundBooks()
})
