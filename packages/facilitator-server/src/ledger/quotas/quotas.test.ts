import { readPageQuery, transaction } from '@mintmark/server-kit'
import { sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import { losesTheCall, price, settles, somePayment, testMoney } from '../../engine/testing-engine.ts'
import {
  findActiveQuota,
  getNextQuotaNonce,
  listQuotas,
  QUOTA_COLUMNS,
  registerQuota,
  type SignedQuota,
} from './quotas.ts'

const money = await testMoney()

async function payer() {
  const account = await money.account({ settles: 10, quota: 0 })
  return { account, payer: account.payer }
}
const pageOf = (pageNumber: number, pageSize: number) =>
  readPageQuery({ pageNumber, pageSize }, QUOTA_COLUMNS, (field, message) => {
    throw new Error(`${field}: ${message}`)
  })
const signed = (given: Partial<SignedQuota> = {}): SignedQuota => ({
  limit: 5n * price,
  validAfter: 0n,
  validBefore: 4_000_000_000n,
  nonce: 0n,
  signature: '0xabcd',
  ...given,
})

test('used, held and remaining say where the limit went', async () => {
  const owner = await payer()
  await registerQuota(money.db, owner, signed())
  await money.engine.settle(somePayment(), money.by(owner.account))
  money.upstream.behavior = losesTheCall
  await money.engine.settle(somePayment(), money.by(owner.account))
  money.upstream.behavior = settles
  const quota = await findActiveQuota(money.db, owner.account.id)
  expect(quota).toMatchObject({ used: price, held: price, remaining: 3n * price, balance: 8n * price })
})

test('a page far from the newest quota reads the held prices of its own quotas only', async () => {
  const { account } = await payer()
  await sql`
    insert into facilitator.payer_quotas (account_id, payer, limit_amount, valid_after, valid_before, nonce, signature,
      ended_at, ended_by)
    select ${account.id}, ${account.payer}, 1, 0, 4000000000, i, '0x', now(), 'replaced'
    from generate_series(1, 1000) i`.execute(money.db)
  const countScans = async (trx: Transaction<Tables>) => {
    const { rows } = await sql<{ scans: number }>`
      select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans
      from pg_stat_xact_user_tables where relid = 'facilitator.settlements'::regclass`.execute(trx)
    return rows[0]?.scans ?? 0
  }
  const scans = await transaction(money.db, async (trx) => {
    const before = await countScans(trx)
    const { rows } = await listQuotas(trx, account.id, pageOf(25, 20))
    expect(rows.map(({ nonce }) => nonce)).toEqual(
      Array.from({ length: 20 }, (_, index) => BigInt(520 - index)),
    )
    return (await countScans(trx)) - before
  })
  expect(scans).toBe(20)
})

test('accepts one of several concurrent registrations with the same nonce', async () => {
  const owner = await payer()
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      registerQuota(money.db, owner, signed({ limit: BigInt(index + 1) * price })),
    ),
  )
  expect(results.filter(({ kind }) => kind === 'done')).toHaveLength(1)
  expect((await listQuotas(money.db, owner.account.id, pageOf(1, 10))).totalRow).toBe(1)
})

test.each([
  ['no limit', { limit: 0n }],
  ['a limit above uint256', { limit: 1n << 256n }],
  ['a negative nonce', { nonce: -1n }],
  ['an end before its beginning', { validAfter: 9n, validBefore: 9n }],
  ['an end above uint64', { validBefore: 1n << 64n }],
  ['an end that has passed', { validBefore: 1_000_000_000n }],
])('a quota with %s is refused and does not use its nonce', async (_, given) => {
  const owner = await payer()
  expect((await registerQuota(money.db, owner, signed(given))).kind).toBe('not-valid')
  expect(await getNextQuotaNonce(money.db, owner.account.id)).toBe(0n)
})
