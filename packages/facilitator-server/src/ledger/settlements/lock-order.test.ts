import { randomUUID } from 'node:crypto'
import { randomFrom } from '@mintmark/devkit/random'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordChecks } from '../../engine/reconcile/record-checks.ts'
import {
  letTimePass,
  losesTheCall,
  price,
  refusesForNow,
  sendsNothing,
  settles,
  settlesSilently,
  somePayment,
  testMoney,
} from '../../engine/testing-engine.ts'
import { checkLedger } from '../check/check.ts'
import { creditDeposit, reverseDeposit } from '../deposits/deposits.ts'
import { getNextQuotaNonce, registerQuota } from '../quotas/quotas.ts'
import type { PayingAccount } from './reserve.ts'
import { applyTransitions, type GuardedTransition } from './transition.ts'

const money = await testMoney()

/**
 * Reads how often PostgreSQL ended a statement of this database with SQLSTATE 40P01, including those that
 * were repeated.
 */
async function countDeadlocks(): Promise<number> {
  // Only a connection that ends reports all of its numbers at once.
  await sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    money.db,
  )
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(money.db)
  return rows[0]?.deadlocks ?? 0
}

/** Settlements of one account that are `sent`, with the attempt that owns them. */
async function createSent(count: number): Promise<{ ids: number[]; attempt: string }> {
  const account = await money.account({ settles: count })
  money.upstream.behavior = losesTheCall
  await Promise.all(
    Array.from({ length: count }, () => money.engine.settle(somePayment(), money.by(account))),
  )
  const attempt = randomUUID()
  const { rows } = await sql<{ id: number }>`
    update facilitator.settlements set attempt = ${attempt}
    where account_id = ${account.id} returning id`.execute(money.db)
  return { ids: rows.map(({ id }) => id), attempt }
}

const toRelease = (id: number, attempt: string): GuardedTransition => ({
  id,
  attempt,
  from: 'unknown',
  hold: 'held',
  transition: { to: 'not_sent', move: 'release', reason: 'not_sent' },
  lease: null,
})

const toCheck = (id: number, attempt: string) => ({
  settlement: { id, attempt, state: 'unknown' as const },
  nextCheck: 1000,
  final: false,
})

test('batches of the same settlements in opposite orders wait for each other and do not deadlock', async () => {
  const before = await countDeadlocks()
  for (let round = 0; round < 20; round += 1) {
    const { ids, attempt } = await createSent(40)
    const orders = [ids, ids.toReversed()]
    await Promise.all(
      orders.map((order) =>
        recordChecks(
          money.db,
          order.map((id) => toCheck(id, attempt)),
        ),
      ),
    )
    const changed = await Promise.all(
      orders.map((order) =>
        applyTransitions(
          money.db,
          order.map((id) => toRelease(id, attempt)),
        ),
      ),
    )
    expect(changed.flat()).toHaveLength(ids.length)
  }
  expect(await countDeadlocks()).toBe(before)
  expect((await checkLedger(money.db)).problems).toEqual([])
})

test('settles, reconciliations, deposits, reversals and quotas of several processes do not deadlock', async () => {
  const before = await countDeadlocks()
  const random = randomFrom(Number(process.env.MINTMARK_SEED ?? 1))
  const behaviors = [settles, settles, settlesSilently, losesTheCall, refusesForNow, sendsNothing]
  money.upstream.behavior = (payment, chain) => {
    const behavior = behaviors[Number.parseInt(payment.nonce.slice(2, 6), 16) % behaviors.length] ?? settles
    return chain.paid.includes(payment.nonce) ? losesTheCall(payment, chain) : behavior(payment, chain)
  }
  const processes = [money.engine, money.another(), money.another(), money.another()]
  const accounts = await Promise.all(Array.from({ length: 4 }, () => money.account({ settles: 500 })))
  const deposits = accounts.map(({ payer }, index) => ({
    chainId: 1,
    hash: `0x${String(index).padStart(64, '0')}`,
    logIndex: 0,
    payer,
    amount: price,
    blockNumber: 1n,
    blockHash: '0xb',
  }))
  const replaceQuota = async (account: PayingAccount) => {
    const nonce = await getNextQuotaNonce(money.db, account.id)
    const validity = { validAfter: 0n, validBefore: 4_000_000_000n }
    await registerQuota(
      money.db,
      { account, payer: account.payer },
      { limit: price * 500n, nonce, signature: '0x', ...validity },
    )
  }
  for (let round = 0; round < 15; round += 1) {
    const payments = Array.from({ length: 12 }, () => somePayment())
    const settled = Array.from({ length: 60 }, () =>
      random.pick(processes).settle(random.pick(payments), money.by(random.pick(accounts))),
    )
    const maintenance = processes.map(async (engine) => {
      await letTimePass(money.db)
      await engine.reconcile()
    })
    const deposited = deposits.flatMap((deposit) => [
      creditDeposit(money.db, deposit),
      reverseDeposit(money.db, deposit),
    ])
    await Promise.all([...settled, ...maintenance, ...deposited, ...accounts.map(replaceQuota)])
  }
  expect(await countDeadlocks()).toBe(before)
  expect((await checkLedger(money.db)).problems).toEqual([])
})
