import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../database/tables.ts'
import { keepWithoutStatistics, withStatistics } from '../../testing/copy-rows.ts'
import { countRowsRead } from '../../testing/count-rows-read.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'

const ROWS = 10_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())

const sales = [
  {
    table: 'listings',
    listFunction: 'ended_listings',
    columns:
      'market_type, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, remaining, pay_price, start_time, end_time',
    values: `1, 1, '1', '0x', '1', 'ERC1155', '0x', 1, 1, 1, now() - interval '2 days'`,
    parameters: '',
  },
  {
    table: 'offers',
    listFunction: 'ended_offers',
    columns:
      'offer_no, chain_id, nft_address, nft_id, offerer, quantity, total_price, pay_token_address, expire_time',
    values: `gen_random_uuid()::text, '1', '0x', '1', '0x', 1, 1, '0x'`,
    parameters: '',
  },
  {
    table: 'auctions',
    listFunction: 'ended_auctions',
    columns:
      'asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, minimum_bid_amount, bid_buffer_bps, time_buffer_seconds, start_time, end_time',
    values: `1, '1', '0x', '1', 'ERC1155', '0x', 1, 1, 0, 0, now() - interval '2 days'`,
    parameters: `, '-infinity', 0, '{}'`,
  },
] as const

it.each(sales)(
  '$listFunction reads the ended $table only, also if it was planned while there were none',
  async ({ table, listFunction, columns, values, parameters }) => {
    const add = (trx: Db, count: number, end: string) =>
      sql`insert into ${sql.table(`gateway.${table}`)} (project_id, ${sql.raw(columns)})
        select 1, ${sql.raw(values)}, now() + ${end}::interval from generate_series(1, ${count}::int)`.execute(
        trx,
      )
    const read = await countRowsRead(gateway, [table], async (trx) => {
      const listEnded = () =>
        sql`select * from ${sql.table(`gateway.${listFunction}`)}(100${sql.raw(parameters)})`.execute(trx)
      expect((await listEnded()).rows).toEqual([])
      // Triggers and foreign keys are not checked.
      await sql`set local session_replication_role = replica`.execute(trx)
      await add(trx, ROWS, '1 day')
      await add(trx, 3, '-1 day')
      expect((await listEnded()).rows).toHaveLength(3)
    })
    expect(read).toBeLessThan(10)
    expect(await withStatistics(gateway, [table])).toEqual([])
  },
)
