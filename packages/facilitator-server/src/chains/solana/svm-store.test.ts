import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startSvmFixture } from '../../schemes/solana/exact/testing-fixture.ts'
import { addSvmTransaction, findSvmTransactionOf } from './svm-store.ts'

/** Starts a settle that waits before its transaction is written, as the owner of its settlement. */
async function startOwned(stops: AsyncDisposableStack) {
  const fixture = await startSvmFixture(stops)
  const { money, faults, engine } = fixture
  const stopped = Promise.withResolvers<void>()
  faults.onReach = stopped.resolve
  faults.at = 'svm-checked'
  const payment = await fixture.pay()
  const account = await money.account()
  engine.settle(payment, money.by(account)).catch((error) => fixture.errors.push(error))
  await stopped.promise
  const { id, attempt } = await money.db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .executeTakeFirstOrThrow()
  if (attempt === null) throw new Error('The settlement has no owner')
  const { network, nonce } = payment
  const settlement = { settlementId: String(id), attempt, network, nonce }
  const transaction = {
    signature: 'a signature',
    raw: 'bytes',
    lastValidBlockHeight: 150n,
    signedAfterSlot: 0n,
  }
  return {
    db: money.db,
    settlement,
    add: (changes: Partial<typeof settlement> = {}) =>
      addSvmTransaction(money.db, { ...settlement, ...changes }, transaction),
    find: () => findSvmTransactionOf(money.db, settlement.settlementId),
  }
}

test('the owner of a Solana settlement writes its transaction once', async () => {
  await using stops = new AsyncDisposableStack()
  const { add, find } = await startOwned(stops)
  expect(await add()).toBe('added')
  expect(await add()).toBe('taken')
  expect(await find()).toMatchObject({ signature: 'a signature', state: 'sent' })
})

test('a call whose Solana settlement another call has taken over writes no transaction', async () => {
  await using stops = new AsyncDisposableStack()
  const { add, find } = await startOwned(stops)
  expect(await add({ attempt: randomUUID() })).toBe('disowned')
  expect(await find()).toBeUndefined()
})

test.each(['unknown', 'not_sent'])(
  'a call whose Solana settlement was changed to %s writes no transaction within its lease',
  async (state) => {
    await using stops = new AsyncDisposableStack()
    const { db, settlement, add, find } = await startOwned(stops)
    await sql`
      update facilitator.settlements
      set state = ${state}, hold = ${state === 'unknown' ? 'held' : 'released'}
      where id = ${settlement.settlementId}::bigint`.execute(db)
    const { rows } = await sql<{ owned: boolean }>`
      select attempt = ${settlement.attempt}::uuid and lease_until > clock_timestamp() as owned
      from facilitator.settlements where id = ${settlement.settlementId}::bigint`.execute(db)
    // Only the state forbids it.
    expect(rows).toEqual([{ owned: true }])
    expect(await add()).toBe('disowned')
    expect(await find()).toBeUndefined()
  },
)

test('a call whose lease of a Solana settlement has ended writes no transaction', async () => {
  await using stops = new AsyncDisposableStack()
  const { db, settlement, add, find } = await startOwned(stops)
  await sql`
    update facilitator.settlements set lease_until = clock_timestamp()
    where id = ${settlement.settlementId}::bigint`.execute(db)
  expect(await add()).toBe('disowned')
  expect(await find()).toBeUndefined()
})
