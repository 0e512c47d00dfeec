// Repeats of a settle whose outcome is not known yet wait for it.
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { facilitatorSchema } from '../../database/schema.ts'
import type { Tables } from '../../database/tables.ts'
import type { Payment } from '../../payment/payment.ts'
import type { Engine } from '../engine.ts'
import { letTimePass, losesTheCall, settles, somePayment, testMoney } from '../testing-engine.ts'
import type { SettleOutcome } from './outcome.ts'

const money = await testMoney()
afterEach(() => money.endTest())

/** Longer than any test takes. */
const FOREVER = 600_000

/** Waits until the calls have either ended or wait for an outcome. */
async function untilWaiting(calls: readonly Promise<SettleOutcome>[]): Promise<void> {
  let ended = 0
  for (const call of calls) void call.then(() => (ended += 1))
  await untilPolled()
  expect(ended).toBe(0)
}

/** Waits until awaited settlements were read twice from now on. */
async function untilPolled(): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    onPoll = resolve
    await promise
  }
}
let onPoll = () => {}
/** The database of a process whose polls are noticed. */
const watched = money.db.withPlugin({
  transformQuery({ node }) {
    if (node.kind === 'RawNode' && node.sqlFragments.join('').includes("state not in ('sent', 'unknown')"))
      onPoll()
    return node
  },
  transformResult: async ({ result }) => result,
})
const patient = (options: Parameters<typeof money.another>[0] = {}): Engine =>
  money.another({ db: watched, repeatTimeout: FOREVER, ...options })

/** Settles a payment whose first call responds that the outcome is not known, and which is not made yet. */
async function settleLate() {
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  money.upstream.behavior = losesTheCall
  expect((await money.engine.settle(payment, money.by(account))).kind).toBe('pending')
  return { account, payment }
}

const countCalls = ({ nonce }: Payment) => money.upstream.calls.filter((called) => called === nonce).length

test('a repeat in another process waits for a pending payment, and its success is delivered to one of the repeats', async () => {
  const { account, payment } = await settleLate()
  const engines = [patient(), patient(), patient()]
  const repeats = engines.map((engine) => engine.settle(payment, money.by(account)))
  await untilWaiting(repeats)
  money.chain.execute(payment)
  await letTimePass(money.db)
  await money.engine.reconcile()
  const kinds = (await Promise.all(repeats)).map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual(['duplicate', 'duplicate', 'settled'])
  expect(countCalls(payment)).toBe(1)
})

test.each([
  ['in the same process', () => [patient()]],
  ['in another process', () => [patient(), patient()]],
])(
  'a repeat %s waits while the first call executes the payment, and learns that it was delivered',
  async (_, open) => {
    const account = await money.account()
    const payment = somePayment()
    const respond = Promise.withResolvers<void>()
    onTestFinished(() => respond.resolve())
    money.upstream.behavior = async (...call) => {
      await respond.promise
      return settles(...call)
    }
    const [one = money.engine, other = one] = open()
    const first = one.settle(payment, money.by(account))
    await expect.poll(() => countCalls(payment)).toBe(1)
    const repeat = other.settle(payment, money.by(account))
    await untilWaiting([first, repeat])
    respond.resolve()
    expect((await first).kind).toBe('settled')
    expect((await repeat).kind).toBe('duplicate')
    expect(countCalls(payment)).toBe(1)
  },
)

test('a repeat of a payment that fails meanwhile learns the reason', async () => {
  const { account, payment } = await settleLate()
  const repeat = patient().settle(payment, money.by(account))
  await untilWaiting([repeat])
  money.chain.says(payment, { kind: 'failed', reason: 'authorization_expired' })
  await letTimePass(money.db)
  await money.engine.reconcile()
  expect(await repeat).toMatchObject({ kind: 'failed', reason: 'authorization_expired' })
})

test('a repeat that waits ends when its caller hangs up, when the server stops, and after its time', async () => {
  const { account, payment } = await settleLate()
  const engine = patient()
  const caller = new AbortController()
  const left = engine.settle(payment, money.by(account, { signal: caller.signal }))
  const staying = engine.settle(payment, money.by(account))
  await untilWaiting([left, staying])
  caller.abort()
  expect((await left).kind).toBe('pending')
  await untilWaiting([staying])
  engine.stopWaits()
  expect((await staying).kind).toBe('pending')
  expect((await engine.settle(payment, money.by(account))).kind).toBe('pending')
  const brief = patient({ repeatTimeout: 300 })
  expect((await brief.settle(payment, money.by(account))).kind).toBe('pending')
})

test('a thousand repeats that wait hold no connection of new settles, and most respond at once', async () => {
  // On a busy machine a thousand calls wait long for four connections.
  const pool = { max: 4, connectTimeoutMs: FOREVER }
  const opened = openDatabase<Tables>({ url: money.url, role: facilitatorSchema.role, ...pool })
  onTestFinished(() => opened.close())
  const engine = money.another({ db: opened.system, repeatTimeout: FOREVER, maxWaits: 100 })
  const late = []
  for (let index = 0; index < 20; index += 1) late.push(await settleLate())
  let responded = 0
  const repeats = late.flatMap(({ account, payment }) =>
    Array.from({ length: 50 }, async () => {
      const outcome = await engine.settle(payment, money.by(account))
      responded += 1
      return outcome
    }),
  )
  await expect.poll(() => responded).toBe(900)
  money.upstream.behavior = settles
  const account = await money.account({ settles: 20 })
  const created = Array.from({ length: 20 }, () => engine.settle(somePayment(), money.by(account)))
  for (const outcome of await Promise.all(created)) expect(outcome.kind).toBe('settled')
  expect(responded).toBe(900)
  for (const { payment } of late) money.chain.execute(payment)
  await letTimePass(money.db)
  await money.engine.reconcile()
  const delivered = (await Promise.all(repeats)).filter(({ kind }) => kind === 'settled')
  expect(delivered.length).toBeGreaterThan(0)
  const { rows } = await sql<{ delivered: number }>`
    select count(*)::int as delivered from facilitator.settlements
    where account_id = any (${late.map(({ account: { id } }) => id)}) and delivered_at is not null`.execute(
    money.db,
  )
  expect(rows).toEqual([{ delivered: delivered.length }])
})

test('one payment that is repeated very often leaves the waits to the others', async () => {
  const popular = await settleLate()
  const other = await settleLate()
  const engine = patient({ maxWaits: 20 })
  const repeats = Array.from({ length: 30 }, () => engine.settle(popular.payment, money.by(popular.account)))
  const repeat = engine.settle(other.payment, money.by(other.account))
  await untilWaiting([repeat])
  for (const { payment } of [popular, other]) money.chain.execute(payment)
  await letTimePass(money.db)
  await money.engine.reconcile()
  expect((await repeat).kind).toBe('settled')
  const outcomes = await Promise.all(repeats)
  expect(outcomes.filter(({ kind }) => kind === 'pending').length).toBeGreaterThan(20)
  expect(outcomes.filter(({ kind }) => kind === 'settled')).toHaveLength(1)
})
