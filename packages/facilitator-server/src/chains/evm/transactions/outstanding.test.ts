import { sql, type Transaction } from 'kysely'
import { expect, it } from 'vitest'
import type { Tables } from '../../../database/tables.ts'
import { testMoney } from '../../../engine/testing-engine.ts'
import { listOutstanding } from './outstanding.ts'

const money = await testMoney()

const CHAIN_ID = 8453
const SIGNER = '0x1'

it('lists what a signer has not finished without a scan of the transactions', async () => {
  // Enough rows for the planner to prefer an index.
  await sql`
    insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas, state, hash, succeeded,
      block_number, block_hash)
    select ${CHAIN_ID}, ${SIGNER}, n, 'fill', ${SIGNER}, '0x', 21000, s.state, h.hash, case when h.hash is not null then true end,
      length(h.hash), h.hash
    from generate_series(1, 3000) n
    cross join lateral (select case n when 1 then 'sent' when 2 then 'mined' when 3 then 'mined' else 'final' end as state) s
    cross join lateral (select case when s.state <> 'sent' then '0x' || n end as hash) h`.execute(money.db)
  await sql`
    update facilitator.transactions set created_at = created_at - interval '1 hour' where nonce = 2`.execute(
    money.db,
  )
  await money.db.transaction().execute(async (trx) => {
    // Earlier statements of the connection may be counted too.
    const before = await countScans(trx)
    const [work, ...others] = await listOutstanding(trx)
    expect(await countScans(trx)).toBe(before)
    expect(work).toMatchObject({ chainId: CHAIN_ID, signer: SIGNER, sent: 1, mined: 2 })
    expect(work?.oldestSeconds).toBeGreaterThanOrEqual(3600)
    expect(others).toEqual([])
  })
})

async function countScans(trx: Transaction<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ scans: number }>`
    select seq_scan::integer as scans from pg_stat_xact_user_tables
    where schemaname = 'facilitator' and relname = 'transactions'`.execute(trx)
  return rows[0]?.scans
}
