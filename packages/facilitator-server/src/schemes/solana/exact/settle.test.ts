import { readPageQuery } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CallNode, SvmChain } from '../../../chains/solana/svm-nodes.ts'
import { letTimePass } from '../../../engine/testing-engine.ts'
import { readSettlementDetails } from '../../../http/operator/settlement-details.ts'
import { checkLedger } from '../../../ledger/check/check.ts'
import { listOrders, ORDER_COLUMNS } from '../../../ledger/orders/orders.ts'
import { listSettlements } from '../../../operations/settlement-list.ts'
import type { Payment } from '../../../payment/payment.ts'
import { createSvmReader } from './svm-reader.ts'
import { startSvmFixture } from './testing-fixture.ts'

type Fixture = Awaited<ReturnType<typeof startSvmFixture>>

/** More than a blockhash lives, and more than what is not final. */
const AFTER_EXPIRY = 150 + 32 + 5

async function readSettlement({ money }: Fixture) {
  const rows = await money.db.selectFrom('facilitator.settlements').selectAll().execute()
  expect(rows).toHaveLength(1)
  return rows[0]
}

async function reconcile(fixture: Fixture) {
  await letTimePass(fixture.money.db)
  return fixture.engine.reconcile()
}

/** Expects that the invariants of the ledger hold. */
async function expectSound(fixture: Fixture) {
  expect((await checkLedger(fixture.money.db)).problems).toEqual([])
}

/** Waits until a condition holds. */
const until = (condition: () => boolean | Promise<boolean>) =>
  expect.poll(condition, { timeout: 20_000, interval: 20 }).toBe(true)

async function startSettle(fixture: Fixture, payment: Payment) {
  const account = await fixture.money.account()
  const outcome = fixture.engine.settle(payment, fixture.money.by(account))
  outcome.catch(() => {})
  return { account, outcome }
}

test('settles a payment that a stock client signed on Solana, charges it once and finds it final', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const payment = await fixture.pay()
  const { account, outcome } = await startSettle(fixture, payment)
  expect(await outcome).toMatchObject({ kind: 'settled', settlement: { amount: 10_000n } })
  expect(await fixture.received()).toBe(10_000n)
  const again = await fixture.engine.settle(payment, fixture.money.by(account))
  expect(again.kind).toBe('duplicate')
  await reconcile(fixture)
  expect((await readSettlement(fixture))?.final_at).toBeNull()
  fixture.ledger.advance(40)
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'settled', hold: 'captured' })
  expect((await readSettlement(fixture))?.final_at).not.toBeNull()
  expect(await fixture.received()).toBe(10_000n)
  await expectSound(fixture)
})

test('a settlement on Solana is found by its payer and by its transaction, which its details have', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const payment = await fixture.pay()
  const { account, outcome } = await startSettle(fixture, payment)
  await outcome
  const settlement = await readSettlement(fixture)
  const { db } = fixture.money
  const { payer } = payment
  expect(payer).toMatch(/[A-Z]/)
  const query = readPageQuery({}, ORDER_COLUMNS, (field) => expect.unreachable(field))
  const orders = await listOrders(db, account, { payer }, query)
  expect(orders.rows.map(({ orderNo }) => orderNo)).toEqual([settlement?.order_no])
  const part = { before: undefined, size: 20 }
  for (const filter of [{ payer }, { transaction: settlement?.transaction ?? '' }]) {
    const { rows } = await listSettlements(db, filter, part)
    expect(rows.map(({ id }) => id)).toEqual([settlement?.id])
  }
  const details = await readSettlementDetails(
    db,
    createSvmReader([fixture.svmChain], db, (error) => void fixture.errors.push(error)),
    settlement?.id ?? 0,
  )
  expect(details?.solanaTransaction).toMatchObject({ signature: settlement?.transaction, status: 'landed' })
})

test.each([
  ['before the transaction is written', 'svm-checked', false],
  ['after the transaction is written', 'svm-stored', true],
  ['after the transaction is sent', 'svm-sent', true],
] as const)(
  'a Solana settle that is killed %s neither loses nor doubles a payment',
  async (_, point, isPaid) => {
    await using stops = new AsyncDisposableStack()
    const fixture = await startSvmFixture(stops)
    fixture.ledger.landing = 'held'
    const payment = await fixture.pay()
    let hasStopped = false
    fixture.faults.onReach = () => {
      hasStopped = true
    }
    fixture.faults.at = point
    const { account } = await startSettle(fixture, payment)
    await until(() => hasStopped)
    fixture.faults.at = undefined
    await reconcile(fixture)
    const before = await readSettlement(fixture)
    expect(before).toMatchObject(
      isPaid ? { state: 'unknown', hold: 'held' } : { state: 'not_sent', hold: 'released' },
    )

    await fixture.upstream.sweep()
    expect(fixture.ledger.pending).toHaveLength(isPaid ? 1 : 0)
    for (const signature of fixture.ledger.pending) fixture.ledger.land(signature)
    fixture.ledger.advance(AFTER_EXPIRY)
    await fixture.upstream.sweep()
    await reconcile(fixture)
    const after = await readSettlement(fixture)
    expect(after?.state).toBe(isPaid ? 'settled' : 'not_sent')
    expect(await fixture.received()).toBe(isPaid ? 10_000n : 0n)
    const repeated = await fixture.engine.settle(payment, fixture.money.by(account))
    // The transaction that was never sent has expired by now.
    expect(repeated.kind).toBe(isPaid ? 'settled' : 'refused')
    expect(await fixture.received()).toBe(isPaid ? 10_000n : 0n)
    await expectSound(fixture)
  },
)

test('a Solana settle that times out names its signature, and so do its repeats', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  fixture.ledger.landing = 'held'
  const payment = await fixture.pay()
  const account = await fixture.money.account()
  const hasty = fixture.openEngine(500)
  for (const engine of [hasty, hasty, fixture.engine]) {
    const outcome = await engine.settle(payment, fixture.money.by(account))
    const [transaction] = fixture.ledger.pending
    expect(transaction).toEqual(expect.any(String))
    expect(outcome).toMatchObject({ kind: 'pending', transaction })
  }
  await expectSound(fixture)
})

test('a Solana transaction that expires without landing fails, and returns the price only when every node proves it', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, chain, second } = fixture
  ledger.landing = 'held'
  fixture.faults.at = 'svm-sent'
  await startSettle(fixture, await fixture.pay())
  await until(() => ledger.pending.length === 1)
  const expectWaiting = async () => {
    await reconcile(fixture)
    expect(await readSettlement(fixture)).toMatchObject({ state: 'unknown', hold: 'held' })
  }
  // Expired at the newest block, but not at a final one.
  ledger.advance(151)
  await expectWaiting()
  // One node lags.
  second.view.lag = 100
  ledger.advance(40)
  await expectWaiting()
  second.view.lag = 0
  // One node has deleted the blocks.
  chain.view.firstAvailableSlot = ledger.slot
  await expectWaiting()
  chain.view.firstAvailableSlot = 0
  // One node does not respond.
  second.view.failing.add('getSignatureStatuses')
  await expectWaiting()
  second.view.failing.clear()
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({
    state: 'failed',
    hold: 'released',
    reason: 'invalid_exact_svm_transaction_failed',
  })
  expect(await fixture.received()).toBe(0n)
  await expectSound(fixture)
})

test('a node that does not find a landed Solana transaction does not return its price', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, chain, second } = fixture
  fixture.faults.at = 'svm-sent'
  await startSettle(fixture, await fixture.pay())
  await until(() => ledger.landed.size === 1)
  ledger.advance(AFTER_EXPIRY)
  chain.view.forgetsTransactions = true
  second.view.lag = AFTER_EXPIRY + 1
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'unknown', hold: 'held' })
  second.view.lag = 0
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'settled', hold: 'captured' })
  await expectSound(fixture)
})

test('a settled Solana payment whose block is abandoned is sent again and stays charged once', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger } = fixture
  const { outcome } = await startSettle(fixture, await fixture.pay())
  expect((await outcome).kind).toBe('settled')
  await reconcile(fixture)
  ledger.fork(1)
  expect(await fixture.received()).toBe(0n)
  ledger.advance(1)
  await reconcile(fixture)
  expect(await fixture.received()).toBe(10_000n)
  ledger.advance(40)
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'settled', hold: 'captured' })
  const charges = await fixture.money.db.selectFrom('facilitator.charges').selectAll().execute()
  expect(charges).toHaveLength(1)
  await expectSound(fixture)
})

test('a settled Solana payment is sent again when the final chain skips the slot of its block', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, chain, second } = fixture
  const { outcome } = await startSettle(fixture, await fixture.pay())
  expect((await outcome).kind).toBe('settled')
  await reconcile(fixture)
  const abandoned = Number((await readSettlement(fixture))?.block_number)
  ledger.fork(1)
  ledger.skippedSlots.add(abandoned)
  const expectUndecided = async () => {
    await reconcile(fixture)
    expect(await readSettlement(fixture)).toMatchObject({ state: 'settled', final_at: null })
    expect(await fixture.received()).toBe(0n)
  }
  // No block after the slot is final.
  ledger.advance(10)
  await expectUndecided()
  // The nodes have deleted the block after the slot.
  ledger.advance(40)
  for (const { view } of [chain, second]) view.firstAvailableSlot = abandoned + 3
  await expectUndecided()
  for (const { view } of [chain, second]) view.firstAvailableSlot = 0
  await reconcile(fixture)
  expect(await fixture.received()).toBe(10_000n)
  ledger.advance(40)
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'settled', hold: 'captured' })
  await reconcile(fixture)
  expect((await readSettlement(fixture))?.final_at).not.toBeNull()
  const charges = await fixture.money.db.selectFrom('facilitator.charges').selectAll().execute()
  expect(charges).toHaveLength(1)
  await expectSound(fixture)
})

test('a Solana block that no node returns hides no other block, and many are read a few at a time', async () => {
  await using stops = new AsyncDisposableStack()
  const { ledger, network, svmChain, money, errors } = await startSvmFixture(stops)
  ledger.advance(100)
  const blocks = Array.from({ length: 60 }, (_, index) => ({
    number: BigInt(index + 10),
    hash: ledger.getBlockhash(index + 10),
  }))
  let running = 0
  let most = 0
  const nodes = svmChain.nodes.map(
    (call): CallNode =>
      async (method, params = []) => {
        if (method === 'getBlock' && params[0] === 12)
          throw new Error('The node responded with the status 500')
        running += 1
        most = Math.max(most, running)
        try {
          return await call(method, params)
        } finally {
          running -= 1
        }
      },
  )
  const reader = createSvmReader([{ network, nodes }], money.db, (error) => void errors.push(error))
  const { comparisons } = await reader.compareWithFinal(network, blocks)
  expect(comparisons.filter((comparison) => comparison === 'same')).toHaveLength(59)
  expect(comparisons[2]).toBe('unknown')
  expect(errors).toHaveLength(1)
  expect(most).toBeLessThanOrEqual(16)
})

test('concurrent settles of one Solana transaction pay and charge once', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const payment = await fixture.pay()
  const account = await fixture.money.account()
  const other = await fixture.money.account()
  const outcomes = await Promise.all(
    [account, account, account, other].map((by) => fixture.engine.settle(payment, fixture.money.by(by))),
  )
  expect(outcomes.filter(({ kind }) => kind === 'settled')).toHaveLength(1)
  expect(await fixture.received()).toBe(10_000n)
  const charges = await fixture.money.db.selectFrom('facilitator.charges').selectAll().execute()
  expect(charges).toHaveLength(1)
  await expectSound(fixture)
})

test('a Solana settle does not wait for a node that does not respond', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, second, money } = fixture
  second.view.isSilent = true
  ledger.landing = 'held'
  // Less than a request to the silent node takes.
  const engine = fixture.openEngine(8_000)
  const outcome = engine.settle(await fixture.pay(), money.by(await money.account()))
  await until(() => ledger.pending.length === 1)
  // It is sent again after the other node has shown that it has not landed.
  await until(() => ledger.pending.some((signature) => (ledger.sends.get(signature) ?? 0) > 1))
  for (const signature of ledger.pending) ledger.land(signature)
  expect((await outcome).kind).toBe('settled')
  await expectSound(fixture)
})

test('sends Solana transactions again although nodes of this and of another network do not respond', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, second, money, svmChain, openUpstream } = fixture
  ledger.landing = 'held'
  fixture.faults.at = 'svm-sent'
  for (const count of [1, 2]) {
    await startSettle(fixture, await fixture.pay())
    await until(() => ledger.pending.length === count)
  }
  for (const signature of ledger.pending) ledger.drop(signature)
  const { rows } = await sql`
    insert into facilitator.svm_transactions (signature, network, nonce, settlement_id, raw, last_valid_block_height,
      signed_after_slot)
    select 'of another network', 'solana:silent', nonce, settlement_id, raw, last_valid_block_height, signed_after_slot
    from facilitator.svm_transactions limit 1 returning signature`.execute(money.db)
  expect(rows).toHaveLength(1)
  second.view.isSilent = true
  const silent: SvmChain = { network: 'solana:silent', nodes: [() => new Promise(() => {})] }
  const sweeping = openUpstream([silent, svmChain]).sweep()
  sweeping.catch(() => {})
  await until(() => ledger.pending.length === 2)
})

test('a Solana transfer that fails on the chain is charged as a response and pays nothing', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, requirements, payer } = fixture
  ledger.landing = 'held'
  const { outcome } = await startSettle(fixture, await fixture.pay())
  await until(() => ledger.pending.length === 1)
  // The payer spends the tokens between the simulation and the block.
  await ledger.setTokens(requirements.asset as typeof payer.address, payer.address, 0n)
  for (const signature of ledger.pending) ledger.land(signature)
  expect((await outcome).kind).toBe('pending')
  ledger.advance(40)
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'failed', hold: 'captured' })
  expect(await fixture.received()).toBe(0n)
  await expectSound(fixture)
})

test('a Solana settle that is slower than its lease sends nothing after its price was released', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  let hasStopped = false
  fixture.faults.onReach = () => {
    hasStopped = true
  }
  fixture.faults.at = 'svm-checked'
  const { outcome } = await startSettle(fixture, await fixture.pay())
  await until(() => hasStopped)
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'not_sent', hold: 'released' })
  fixture.faults.resume()
  expect((await outcome).kind).toBe('not-sent')
  await fixture.upstream.sweep()
  expect(fixture.ledger.sends.size).toBe(0)
  expect(await fixture.received()).toBe(0n)
  await expectSound(fixture)
})

test('a Solana node behind a load balancer whose search lags behind its height does not return a price', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { ledger, chain, second } = fixture
  fixture.faults.at = 'svm-sent'
  await startSettle(fixture, await fixture.pay())
  await until(() => ledger.landed.size === 1)
  ledger.advance(AFTER_EXPIRY)
  for (const { view } of [chain, second]) view.statusLag = AFTER_EXPIRY + 1
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'unknown', hold: 'held' })
  for (const { view } of [chain, second]) view.statusLag = 0
  await reconcile(fixture)
  expect(await readSettlement(fixture)).toMatchObject({ state: 'settled', hold: 'captured' })
  await expectSound(fixture)
})
