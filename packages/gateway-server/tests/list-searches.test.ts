import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepWithoutStatistics } from '../src/testing/copy-rows.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'

let gateway: TestGateway
/** Its tables have no rows. */
let fresh: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  fresh = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(async () => {
  await gateway.close()
  await fresh.close()
})

describe('the search for a keyword', () => {
  /** The parameters of the functions, as values of SQL. */
  const PARAMETERS = { book_owner: `'0xc1'`, card_program: `'event'`, pattern: `'%print%'`, max_rows: 'null' }

  it.each(['cards', 'nfts'])(
    'the search for a keyword reads the trigram index of %s, of analyzed tables and of new ones',
    async (table) => {
      for (const { owner } of [gateway, fresh]) {
        const { rows } = await sql<{ source: string; settings: string[] }>`
        select prosrc as source, proconfig as settings from pg_proc where proname = ${`search_${table}`}`.execute(
          owner.system,
        )
        const [definition] = rows
        const body = Object.entries(PARAMETERS).reduce(
          (text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value),
          definition?.source ?? '',
        )
        const plan = await owner.system.connection().execute(async (db) => {
          for (const setting of definition?.settings ?? []) {
            const [name = '', value = ''] = setting.split('=')
            await sql`select set_config(${name}, ${value}, false)`.execute(db)
          }
          await sql`set mintmark.project = '1'`.execute(db)
          const { rows: lines } = await sql.raw<{ 'QUERY PLAN': string }>(`explain ${body}`).execute(db)
          await sql`reset all`.execute(db)
          return lines.map((line) => line['QUERY PLAN']).join('\n')
        })
        expect(plan).toContain(`Bitmap Index Scan on ${table}_keyword`)
        expect(plan).toMatch(/Index Cond: [\s\S]*~~\*/)
      }
    },
  )
})
