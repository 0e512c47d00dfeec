import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import type { PayingAccount } from '../../ledger/settlements/reserve.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import { fingerprint } from '../../payment/fingerprint.ts'
import type { Payment } from '../../payment/payment.ts'
import { upto } from '../../schemes/evm/upto/upto.ts'
import type { FaultPoint } from '../settings/fault-points.ts'
import {
  letTimePass,
  losesTheCall,
  network,
  price,
  refuses,
  refusesForNow,
  responded,
  sendsNothing,
  settles,
  somePayment,
  testMoney,
} from '../testing-engine.ts'

const money = await testMoney()
afterEach(() => money.endTest())

const createId = () => `pay_${randomBytes(16).toString('hex')}`
const createPayer = () => `0x${randomBytes(20).toString('hex')}`
const conflict = { kind: 'refused', reason: 'payment_identifier_conflict' }
const settle = (account: PayingAccount, payment: Payment) => money.engine.settle(payment, money.by(account))
const check = (account: PayingAccount, payment: Payment) => money.engine.check(payment, money.by(account))
const countCalls = ({ nonce }: Payment) => money.upstream.calls.filter((called) => called === nonce).length
const spent = async ({ id }: PayingAccount, settles: bigint) => {
  const { available, held } = await getAccount(money.db, id)
  return { charges: settles - (available + held) / price, held: held / price }
}

test('refuses a second payment of the payer under the same identifier, in verify and in settle, without a row or a charge', async () => {
  const account = await money.account({ settles: 5 })
  const identifier = createId()
  const first = somePayment({ identifier })
  expect((await settle(account, first)).kind).toBe('settled')
  // What a client sends that lost the response: another signature for the same purchase, or for a cheaper
  // one.
  for (const second of [somePayment({ identifier }), somePayment({ identifier, amount: 1n })]) {
    expect(await check(account, second)).toMatchObject(conflict)
    expect(await settle(account, second)).toMatchObject({ ...conflict, payer: second.payer })
    expect(await findByPayment(money.db, paymentKey(second))).toBeUndefined()
    expect(countCalls(second)).toBe(0)
  }
  expect(await spent(account, 5n)).toEqual({ charges: 1n, held: 0n })
})

test('the same payment under its identifier has its own outcome, and its success is delivered once', async () => {
  const account = await money.account({ settles: 5 })
  const payment = somePayment({ identifier: createId() })
  const outcome = await settle(account, payment)
  if (outcome.kind !== 'settled') throw new Error(outcome.kind)
  const { transaction } = outcome.settlement
  for (const identifier of [payment.identifier, createId()]) {
    const repeated = { ...payment, ...(identifier !== undefined && { identifier }) }
    expect(await settle(account, repeated)).toEqual({ kind: 'duplicate', transaction, payer: payment.payer })
    expect(await check(account, repeated)).toMatchObject({ kind: 'refused', reason: 'duplicate_settlement' })
  }
  expect(countCalls(payment)).toBe(1)
  expect(await spent(account, 5n)).toEqual({ charges: 1n, held: 0n })
})

test('a seller that repeats successes receives that of the same payment and identifier again, in another process too', async () => {
  const account = await money.account({ settles: 5 })
  const payment = somePayment({ identifier: createId() })
  const first = await settle(account, payment)
  const call = money.by(account, { repeatsSuccess: true })
  for (const engine of [money.engine, money.another()]) {
    expect(await engine.check(payment, call)).toEqual({ kind: 'valid', payer: payment.payer })
    expect(await engine.settle(payment, call)).toEqual({ ...first, repeated: true })
  }
  expect(countCalls(payment)).toBe(1)
  expect(await spent(account, 5n)).toEqual({ charges: 1n, held: 0n })
})

test('a repeated success needs the same identifier, signature and account, and a seller that repeats successes', async () => {
  const account = await money.account({ settles: 5 })
  const stranger = await money.account({ settles: 5 })
  const payment = somePayment({ identifier: createId() })
  const plain = somePayment()
  for (const each of [payment, plain]) expect((await settle(account, each)).kind).toBe('settled')
  const { identifier: _, ...unnamed } = payment
  const others: [string, PayingAccount, Payment][] = [
    ['duplicate', account, { ...payment, identifier: createId() }],
    ['duplicate', account, unnamed],
    // Anybody can add an identifier, because it is not signed.
    ['duplicate', account, { ...plain, identifier: createId() }],
    ['conflict', account, { ...payment, fingerprint: plain.fingerprint }],
    ['conflict', stranger, payment],
  ]
  for (const [kind, by, other] of others) {
    const call = money.by(by, { repeatsSuccess: true })
    expect((await money.engine.settle(other, call)).kind).toBe(kind)
    expect((await money.engine.check(other, call)).kind).toBe('refused')
  }
  expect((await settle(account, payment)).kind).toBe('duplicate')
  expect((await check(account, payment)).kind).toBe('refused')
})

test('a repeated payment of the scheme upto has its first amount, whichever its seller names now', async () => {
  const account = await money.account({ settles: 5 })
  const details = { maximum: 10_000n, facilitator: `0x${'5e'.repeat(20)}` }
  const unsigned = somePayment({ identifier: createId(), scheme: upto, details, amount: 2_500n })
  const payment = { ...unsigned, fingerprint: fingerprint(unsigned) }
  const first = await settle(account, payment)
  const changed = { ...payment, amount: 3_000n }
  const other = { ...changed, fingerprint: fingerprint(changed) }
  const call = money.by(account, { repeatsSuccess: true })
  expect((await money.engine.check(other, call)).kind).toBe('valid')
  expect(await money.engine.settle(other, call)).toEqual({ ...first, repeated: true })
  expect((await settle(account, other)).kind).toBe('conflict')
})

test.each([
  ['pending', losesTheCall, 'pending'],
  ['failed', refuses, 'failed'],
] as const)(
  'a payment that is %s has the same outcome again under its identifier',
  async (_, behavior, kind) => {
    const account = await money.account({ settles: 5 })
    const payment = somePayment({ identifier: createId() })
    money.upstream.behavior = behavior
    const call = money.by(account, { repeatsSuccess: true })
    const first = await money.engine.settle(payment, call)
    expect(first.kind).toBe(kind)
    expect(await money.engine.settle(payment, call)).toEqual(first)
    expect(countCalls(payment)).toBe(1)
    if (kind === 'pending') money.chain.says(payment, { kind: 'failed', reason: 'authorization_expired' })
  },
)

test('a payment that was settled is not delivered again under the identifier of another payment', async () => {
  const account = await money.account({ settles: 5 })
  const payments = [somePayment({ identifier: createId() }), somePayment({ identifier: createId() })] as const
  for (const payment of payments) expect((await settle(account, payment)).kind).toBe('settled')
  const swapped = { ...payments[0], identifier: payments[1].identifier ?? '' }
  expect((await settle(account, swapped)).kind).toBe('duplicate')
})

test('an identifier belongs to the payer and the account: neither another payer nor another seller is affected', async () => {
  const account = await money.account({ settles: 5 })
  const identifier = createId()
  expect((await settle(account, somePayment({ identifier }))).kind).toBe('settled')
  const stranger = somePayment({ identifier, payer: createPayer() })
  expect(await check(account, stranger)).toMatchObject({ kind: 'valid' })
  expect((await settle(account, stranger)).kind).toBe('settled')
  const elsewhere = somePayment({ identifier })
  const otherSeller = await money.account({ settles: 5 })
  expect(await check(otherSeller, elsewhere)).toMatchObject({ kind: 'valid' })
  expect((await settle(otherSeller, elsewhere)).kind).toBe('settled')
})

test('a payment that is not signed by its payer reveals no identifier and takes none', async () => {
  const account = await money.account({ settles: 5 })
  const used = somePayment({ identifier: createId() })
  await settle(account, used)
  const unused = createId()
  const forger = money.another({
    verifier: {
      verify: async ({ payer }) => ({
        isValid: false,
        invalidReason: 'invalid_exact_evm_payload_signature',
        payer,
      }),
    },
  })
  const reasons: unknown[] = []
  for (const identifier of [used.identifier ?? '', unused]) {
    const forged = somePayment({ identifier })
    const checked = await forger.check(forged, money.by(account))
    const settled = await forger.settle(forged, money.by(account))
    reasons.push([checked, settled])
    expect(await findByPayment(money.db, paymentKey(forged))).toBeUndefined()
  }
  expect(reasons[0]).toEqual(reasons[1])
  expect((await settle(account, somePayment({ identifier: unused }))).kind).toBe('settled')
})

test.each([
  ['in flight', losesTheCall, 'pending'],
  ['reported as broadcast', () => responded({ success: false, transaction: '0x12', network }), 'pending'],
] as const)('the identifier of a payment that is %s belongs to it', async (_, behavior, kind) => {
  const account = await money.account({ settles: 5 })
  const identifier = createId()
  money.upstream.behavior = behavior
  const first = somePayment({ identifier })
  expect((await settle(account, first)).kind).toBe(kind)
  money.upstream.behavior = settles
  expect(await settle(account, somePayment({ identifier }))).toMatchObject(conflict)
  expect(await check(account, somePayment({ identifier }))).toMatchObject(conflict)
  // The first payment can never settle, once that is final.
  money.chain.says(first, { kind: 'failed', reason: 'authorization_expired' })
  await letTimePass(money.db)
  await money.engine.reconcile()
  expect(await check(account, somePayment({ identifier }))).toMatchObject({ kind: 'valid' })
  expect((await settle(account, somePayment({ identifier }))).kind).toBe('settled')
})

test.each([
  ['was refused for good', refuses, 'failed'],
  ['was refused for now', refusesForNow, 'not-sent'],
  ['was not sent', sendsNothing, 'not-sent'],
] as const)(
  'a payment that %s leaves its identifier to the next one, and cannot be executed beside it',
  async (_, behavior, kind) => {
    const account = await money.account({ settles: 5 })
    const identifier = createId()
    const first = somePayment({ identifier })
    money.upstream.behavior = behavior
    expect((await settle(account, first)).kind).toBe(kind)
    money.upstream.behavior = settles
    const second = somePayment({ identifier })
    expect(await check(account, second)).toMatchObject({ kind: 'valid' })
    expect((await settle(account, second)).kind).toBe('settled')
    const repeat = await settle(account, first)
    if (kind === 'not-sent') {
      expect(repeat).toMatchObject(conflict)
      expect(await check(account, first)).toMatchObject(conflict)
    } else {
      expect(repeat.kind).toBe('failed')
    }
    expect(money.chain.paid).not.toContain(first.nonce)
    expect(await spent(account, 5n)).toMatchObject({ held: 0n })
  },
)

test('a payment that was not sent can be settled later under its identifier', async () => {
  const account = await money.account({ settles: 5 })
  const payment = somePayment({ identifier: createId() })
  money.upstream.behavior = sendsNothing
  expect((await settle(account, payment)).kind).toBe('not-sent')
  money.upstream.behavior = settles
  expect((await settle(account, payment)).kind).toBe('settled')
  expect(await settle(account, somePayment({ identifier: payment.identifier ?? '' }))).toMatchObject(conflict)
})

test('a settlement that a reorganization removed keeps its identifier', async () => {
  const account = await money.account({ settles: 5 })
  const payment = somePayment({ identifier: createId() })
  money.chain.final = false
  expect((await settle(account, payment)).kind).toBe('settled')
  await letTimePass(money.db)
  await money.engine.reconcile()
  money.chain.reorganize(payment)
  money.chain.final = true
  await letTimePass(money.db)
  await money.engine.reconcile()
  expect((await findByPayment(money.db, paymentKey(payment)))?.state).toBe('unknown')
  expect(await settle(account, somePayment({ identifier: payment.identifier ?? '' }))).toMatchObject(conflict)
})

test('one of 20 concurrent payments under one identifier is executed, in two processes', async () => {
  const engines = [money.another(), money.another()]
  for (let round = 0; round < 10; round += 1) {
    const account = await money.account({ settles: 30 })
    const identifier = createId()
    const payments = Array.from({ length: 20 }, () => somePayment({ identifier }))
    const outcomes = await Promise.all(
      payments.map((payment, index) =>
        (engines[index % 2] ?? money.engine).settle(payment, money.by(account)),
      ),
    )
    expect(outcomes.filter(({ kind }) => kind === 'settled')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(19)
    for (const outcome of outcomes.filter(({ kind }) => kind === 'refused'))
      expect(outcome).toMatchObject(conflict)
    expect(payments.map(countCalls).reduce((sum, calls) => sum + calls)).toBe(1)
    expect(await spent(account, 30n)).toEqual({ charges: 1n, held: 0n })
  }
})

const settlePoints: readonly FaultPoint[] = [
  'before-hold',
  'hold-in-flight',
  'after-hold-commit',
  'after-upstream',
  'ending-in-flight',
  'after-ending-commit',
]
test.each(
  settlePoints.flatMap((point) => [
    { point, upstream: 'settles', behavior: settles },
    { point, upstream: 'sends nothing', behavior: sendsNothing },
    { point, upstream: 'loses the call', behavior: losesTheCall },
  ]),
)(
  'one payment at most is executed under an identifier if the process dies at $point and the upstream $upstream',
  async ({ point, behavior }) => {
    const account = await money.account({ settles: 9 })
    const identifier = createId()
    let isDead = false
    const dying = money.another({
      faultPoint: (reached) => {
        isDead ||= reached === point
        if (isDead) throw new Error('The process died')
      },
    })
    const payments = Array.from({ length: 4 }, () => somePayment({ identifier }))
    const [first, ...others] = payments
    if (first === undefined) throw new Error('There are payments')
    money.upstream.behavior = behavior
    const died = dying.settle(first, money.by(account)).then(
      ({ kind }) => kind,
      (error: Error) => error.message,
    )
    // Whatever fails while the end is recorded leaves the outcome pending.
    expect(await died).toBe(point === 'ending-in-flight' ? 'pending' : 'The process died')
    money.upstream.behavior = settles
    const countExecuted = () => payments.filter(({ nonce }) => money.chain.paid.includes(nonce)).length
    for (const payment of others) {
      await settle(account, payment)
      expect(countExecuted()).toBeLessThanOrEqual(1)
      // The reconciler finds out what became of the first payment.
      if (!money.chain.paid.includes(first.nonce)) {
        money.chain.says(first, { kind: 'failed', reason: 'authorization_expired' })
      }
      await reconcileUntilEnded(first)
    }
    expect(countExecuted()).toBe(1)
    expect(await spent(account, 9n)).toEqual({ charges: 1n, held: 0n })
  },
)

/**
 * Reconciles until a payment has no open settlement. A statement of the dead process may lock its row for a
 * while.
 */
async function reconcileUntilEnded(payment: Payment): Promise<void> {
  await vi.waitFor(
    async () => {
      await letTimePass(money.db)
      await money.engine.reconcile()
      const settlement = await findByPayment(money.db, paymentKey(payment))
      expect(['sent', 'unknown']).not.toContain(settlement?.state)
    },
    { timeout: 20_000 },
  )
}

test('a conflict in a batch neither fails the batch nor refuses others: of the account, of other accounts and without identifiers', async () => {
  const accounts = await Promise.all([money.account({ settles: 40 }), money.account({ settles: 40 })])
  const identifier = createId()
  const requests = accounts.flatMap((account) =>
    Array.from({ length: 30 }, (_, index) => {
      // A third shares one identifier, a third has its own ones, and a third has none.
      const given = [{ identifier }, { identifier: createId() }, {}][index % 3]
      return { account, payment: somePayment(given) }
    }),
  )
  let statements = 0
  const countStatements = (point: string) => {
    if (point === 'hold-in-flight') statements += 1
  }
  const engine = money.another({ faultPoint: countStatements })
  const outcomes = await Promise.all(
    requests.map(({ account, payment }) => engine.settle(payment, money.by(account))),
  )
  expect(outcomes.filter(({ kind }) => kind === 'settled')).toHaveLength(2 * (1 + 10 + 10))
  expect(
    outcomes.filter((outcome) => 'reason' in outcome && outcome.reason === conflict.reason),
  ).toHaveLength(2 * 9)
  // A statement that fails is repeated for each payment.
  expect(statements).toBe(1)
})

test('a payment that is refused for its identifier takes nothing of the balance that the payer’s other payments need', async () => {
  const account = await money.account({ settles: 9 })
  const payer = createPayer()
  const engine = money.another({
    verifier: {
      verify: async () => ({
        isValid: true,
        payer,
        funds: { balance: 20_000n, block: 1n, readAt: performance.now() },
      }),
    },
  })
  const identifier = createId()
  const first = somePayment({ payer, identifier })
  money.upstream.behavior = losesTheCall
  expect((await engine.settle(first, money.by(account))).kind).toBe('pending')
  money.upstream.behavior = settles
  const [refused, other] = await Promise.all([
    engine.settle(somePayment({ payer, identifier, amount: 1n }), money.by(account)),
    engine.settle(somePayment({ payer, amount: 10_000n }), money.by(account)),
  ])
  expect(refused).toMatchObject(conflict)
  expect(other.kind).toBe('settled')
})

test.each([
  ['none', undefined],
  ['another one', createId()],
])('a payment that is reserved again takes the identifier of this call, after %s', async (_, earlier) => {
  const account = await money.account({ settles: 5 })
  const payment = somePayment(earlier === undefined ? {} : { identifier: earlier })
  money.upstream.behavior = sendsNothing
  expect((await settle(account, payment)).kind).toBe('not-sent')
  money.upstream.behavior = settles
  const identifier = createId()
  expect((await settle(account, { ...payment, identifier })).kind).toBe('settled')
  expect(await settle(account, somePayment({ identifier }))).toMatchObject(conflict)
  if (earlier !== undefined) {
    expect((await settle(account, somePayment({ identifier: earlier }))).kind).toBe('settled')
  }
})

test('the database refuses a second row with an identifier, whatever a statement does', async () => {
  const account = await money.account({ settles: 5 })
  const payment = somePayment({ identifier: createId() })
  await settle(account, payment)
  await settle(account, somePayment())
  const rename = sql`update facilitator.settlements set payment_identifier = ${payment.identifier ?? ''}
    where account_id = ${account.id} and payment_identifier is null`.execute(money.db)
  await expect(rename).rejects.toThrow('settlements_unique_identifier')
})
