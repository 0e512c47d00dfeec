import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { operatorGrants } from '@mintmark/facilitator/operator'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import { signedBody } from '../../engine/testing.ts'
import { listGrants, readDayTotals } from '../../schemes/evm/shared/permit2/approvals/list-grants.ts'
import { storeGrants } from '../../schemes/evm/shared/permit2/approvals/testing-grants.ts'
import { type TestAccount, testFacilitator } from '../../testing.ts'
import { OPERATOR_TOKEN, operatorClient } from './testing-operator.ts'

const MANY = 20_000
/** Far below the rows, and above what a part of a list reads. */
const FEW = 500

const facilitator = await testFacilitator({
  chain: await testChain(),
  signerKeys: [devAccount(9).privateKey],
  env: { OPERATOR_TOKEN, APPROVAL_GRANT_WEI: '84532=100', APPROVAL_GRANTS_PER_DAY_WEI: '84532=1000' },
})
afterAll(() => facilitator.close())
const operator = operatorClient(facilitator.url)

let [busy, quiet]: TestAccount[] = []
beforeAll(async () => {
  for (const [prefix, count] of [
    ['aaaaaaa', 3],
    ['bbbbbbb', MANY],
  ] as const) {
    const account = await facilitator.account()
    const body = await signedBody({ account: devAccount(1) })
    expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
    const settlementId = (await facilitator.settlements()).at(-1)?.id ?? 0
    await storeGrants(facilitator.db, { settlementId, accountId: account.id, count, prefix })
    if (count === MANY) busy = account
    else quiet = account
  }
  await sql`analyze facilitator.approval_grants, facilitator.approval_grant_totals`.execute(facilitator.db)
})
const wallet = (prefix: string, number: number) =>
  `0x${prefix.padEnd(8, '0')}${number.toString(16).padStart(32, '0')}`

describe('operatorGrants.list', () => {
  it('lists all grants in parts, newest first, each once', async () => {
    const payers: string[] = []
    let before: number | undefined
    do {
      const { grants, next } = await operatorGrants.list(operator, {
        size: 2,
        ...(before && { before }),
        accountId: quiet?.id,
      })
      payers.push(...grants.map(({ payer }) => payer))
      before = next
    } while (before !== undefined)
    expect(payers).toEqual([3, 2, 1].map((number) => wallet('aaaaaaa', number)))
    const { grants, next } = await operatorGrants.list(operator)
    expect(grants).toHaveLength(20)
    expect(grants[0]?.payer).toBe(wallet('bbbbbbb', MANY))
    expect(next).toBe(grants.at(-1)?.id)
  })

  it('finds the grants of a wallet, whatever its letters, and of an account', async () => {
    const payer = wallet('aaaaaaa', 2)
    const { grants } = await operatorGrants.list(operator, { payer: payer.replaceAll('a', 'A') })
    expect(grants).toMatchObject([{ payer, accountId: quiet?.id, amount: '5', cost: '5', status: 'final' }])
    expect(await operatorGrants.list(operator, { payer, accountId: busy?.id })).toEqual({ grants: [] })
  })
})

describe('operatorGrants.today', () => {
  it('lists what accounts received today, largest first, with the limit of the chain', async () => {
    await sql`insert into facilitator.approval_grant_totals (account_id, chain_id, day, cost) values
      (${busy?.id}, 84532, (clock_timestamp() at time zone 'UTC')::date - 1, 900),
      (${quiet?.id}, 4711, (clock_timestamp() at time zone 'UTC')::date, 20)`.execute(facilitator.db)
    const { day, totals } = await operatorGrants.today(operator)
    expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(totals).toEqual([
      { accountId: busy?.id, chainId: 84532, cost: String(5 * MANY), limit: '1000' },
      { accountId: quiet?.id, chainId: 4711, cost: '20' },
      { accountId: quiet?.id, chainId: 84532, cost: '15', limit: '1000' },
    ])
  })
})

/** Counts the rows and index entries that a session has read of the tables of grants. */
async function readCounter(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ entries: string }>`
    select sum(pg_stat_get_xact_tuples_returned(c.oid)) as entries from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) in ('facilitator.approval_grants'::regclass,
      'facilitator.approval_grant_totals'::regclass, 'facilitator.transactions'::regclass)`.execute(trx)
  return Number(rows[0]?.entries)
}

/** Counts what `work` reads. The counters of a session also have what earlier transactions read. */
async function countReads(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<number> {
  return await facilitator.db.transaction().execute(async (trx) => {
    const before = await readCounter(trx)
    await work(trx)
    return (await readCounter(trx)) - before
  })
}

describe('the lists of grants', () => {
  const part = { before: undefined, size: 20 }
  it.each([
    ['all', {}],
    ['those of an account with few', () => ({ accountId: quiet?.id })],
    ['those of an account with many', () => ({ accountId: busy?.id })],
    ['those of a wallet', { payer: wallet('bbbbbbb', 7) }],
    ['those of a wallet without any', { payer: wallet('ccccccc', 7) }],
  ])('read few rows for %s, although there are many', async (_, filter) => {
    const read = typeof filter === 'function' ? filter() : filter
    expect(await countReads((db) => listGrants(db, read, part))).toBeLessThan(FEW)
  })

  it('read few rows for the totals of the day, although there were many days', async () => {
    await sql`insert into facilitator.approval_grant_totals (account_id, chain_id, day, cost)
      select ${quiet?.id}, 5, (clock_timestamp() at time zone 'UTC')::date - n, 900 from generate_series(1, ${MANY}::int) n`.execute(
      facilitator.db,
    )
    await sql`analyze facilitator.approval_grant_totals`.execute(facilitator.db)
    expect(await countReads((db) => readDayTotals(db))).toBeLessThan(FEW)
  })
})
