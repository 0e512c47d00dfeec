import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import {
  losesTheCall,
  price,
  refuses,
  sendsNothing,
  settles,
  somePayment,
  testMoney,
} from '../../engine/testing-engine.ts'
import { creditAccount } from '../accounts/accounts.ts'
import { creditDeposit } from '../deposits/deposits.ts'
import { checkLedger } from './check.ts'

const money = await testMoney()
beforeAll(async () => {
  const account = await money.account({ settles: 10 })
  for (const behavior of [settles, settles, refuses, losesTheCall]) {
    money.upstream.behavior = behavior
    await money.engine.settle(somePayment(), money.by(account))
  }
  const repeated = somePayment()
  money.upstream.behavior = sendsNothing
  await money.engine.settle(repeated, money.by(account))
  money.upstream.behavior = settles
  await money.engine.settle(repeated, money.by(account))
})

test('sound books have no problems, and totals that sum to zero', async () => {
  const { problems, totals } = await checkLedger(money.db)
  expect(problems).toEqual([])
  expect(totals).toMatchObject({
    available: 6n * price,
    held: price,
    revenue: 3n * price,
    granted: -10n * price,
  })
})

test('reports a treasury that does not cover the liabilities to payers', async () => {
  expect((await checkLedger(money.db, { treasury: 7n * price })).problems).toEqual([])
  expect((await checkLedger(money.db, { treasury: 7n * price - 1n })).problems).toMatchObject([
    { invariant: 'the treasury covers the liabilities to payers' },
  ])
})

test('counts deposits of wallets without an account among what the treasury must cover', async () => {
  const deposit = {
    chainId: 84532,
    hash: `0x${'5e'.repeat(32)}`,
    logIndex: 0,
    payer: `0x${'5e'.repeat(20)}`,
    amount: 5n,
    blockNumber: 7n,
    blockHash: '0x07',
  }
  expect(await creditDeposit(money.db, deposit)).toBe('suspended')
  expect((await checkLedger(money.db, { treasury: 7n * price + 5n })).problems).toEqual([])
  expect((await checkLedger(money.db, { treasury: 7n * price + 4n })).problems).toMatchObject([
    { invariant: 'the treasury covers the liabilities to payers' },
  ])
})

/** Changes rows without the tables' guards, checks the ledger, and rolls the change back. */
async function afterTampering(statement: string): Promise<string[]> {
  const owner = openDatabase<Tables>({ url: money.url, max: 1 })
  const found: string[] = []
  const takenBack = owner.system.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql.raw(statement).execute(trx)
    found.push(...(await checkLedger(trx)).problems.map(({ invariant }) => invariant))
    throw new Error('take it back')
  })
  await expect(takenBack).rejects.toThrow('take it back')
  await owner.close()
  return found
}

const violations = [
  [
    'update facilitator.accounts set available = available + 1',
    'the balance of an account equals its entries',
  ],
  [
    `insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id) values ('credit', 'granted', 'available', 1, 999)`,
    'transfers belong to existing accounts',
  ],
  [
    'update facilitator.settlements set quota_id = 999',
    'settlements belong to existing accounts and their quotas',
  ],
  [
    'update facilitator.payer_quotas set used = used + 1',
    'the use of a quota equals its holds without the released and refunded ones',
  ],
  [
    `delete from facilitator.ledger_transfers where kind = 'release'`,
    "the ledger account of a settlement's price matches its row",
  ],
  [
    `update facilitator.ledger_transfers set account_id = 999 where kind = 'capture'`,
    'transfers of settlements match an existing settlement, its account and its quota',
  ],
  [
    `update facilitator.ledger_transfers set quota_id = 999
      where kind = 'release' and settlement_id in (select id from facilitator.settlements where reservation = 2)`,
    'an earlier reservation of a settlement was released completely, in the quota of its hold',
  ],
  [
    `delete from facilitator.charges where settlement_id = (select min(settlement_id) from facilitator.charges)`,
    'every charge has a capture, and every capture a charge',
  ],
  [`delete from facilitator.charges`, 'every settled settlement was charged'],
  [
    `update facilitator.settlements set hold = 'captured' where state = 'failed'`,
    'nothing is charged without a 2xx of the upstream or a payment',
  ],
  [
    `update facilitator.total_changes set amount = amount + 1`,
    'the totals of an account equal its settlements',
  ],
  [
    `insert into facilitator.deposits (chain_id, hash, log_index, payer, amount, block_number, block_hash) values (1, '0x', 0, '0x', 5, 1, '0x')`,
    'a deposit is credited completely, or reversed completely',
  ],
] as const

test.each(violations.map(([statement, invariant]) => [invariant, statement]))(
  'reports a violation of the invariant: %s',
  async (invariant, statement) => {
    expect(await afterTampering(statement)).toContain(invariant)
    expect((await checkLedger(money.db)).problems).toEqual([])
  },
)

test('refuses changes of ledger rows by the server and by the owner', async () => {
  const owner = openDatabase<Tables>({ url: money.url, max: 1 })
  try {
    for (const db of [money.db, owner.system]) {
      for (const table of ['ledger_transfers', 'charges', 'events', 'settlement_resolutions']) {
        for (const change of [
          `update facilitator.${table} set created_at = null`,
          `delete from facilitator.${table}`,
        ]) {
          const statement = sql.raw(table === 'events' ? change.replace('created_at', 'subject') : change)
          await expect(statement.execute(db)).rejects.toThrow(/append-only/)
        }
      }
      for (const table of ['settlements', 'payer_quotas', 'accounts']) {
        const statement = sql.raw(`delete from facilitator.${table}`)
        await expect(statement.execute(db)).rejects.toThrow(/append-only/)
      }
    }
  } finally {
    await owner.close()
  }
})

test.for([
  ['capture', 'hold'],
  ['capture', 'capture'],
  ['capture', 'release'],
  ['release', 'capture'],
] as const)('refuses, after a %s of a reservation, a %s', async ([existing, added]) => {
  const insert = (kind: string) =>
    sql`
      insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id, reservation)
      select ${kind}, debit, credit, amount, account_id, quota_id, settlement_id, reservation
      from facilitator.ledger_transfers where kind = ${existing}`.execute(money.db)
  await expect(insert(added)).rejects.toThrow(/ledger_transfers_one_per_step/)
  expect((await checkLedger(money.db)).problems).toEqual([])
})

test('refuses changes of an ended settlement and negative balances', async () => {
  const set = (state: string, from: string) =>
    sql`update facilitator.settlements set state = ${state} where state = ${from}`.execute(money.db)
  for (const state of ['sent', 'settled', 'unknown']) {
    await expect(set(state, 'failed')).rejects.toThrow(/cannot change from failed/)
  }
  await expect(set('failed', 'settled')).rejects.toThrow(/cannot change from settled to failed/)
  await expect(set('sent', 'unknown')).rejects.toThrow(/cannot change from unknown to sent/)
  const overdraw = sql`update facilitator.accounts set available = -1`.execute(money.db)
  await expect(overdraw).rejects.toThrow(/accounts_available_not_negative/)
  const [account] = await money.db.selectFrom('facilitator.accounts').select('id').execute()
  const credit = { account: account?.id ?? 0, amount: -1n, actor: 'x', reason: 'y' }
  await expect(creditAccount(money.db, credit)).rejects.toThrow(RangeError)
})
