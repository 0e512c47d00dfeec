import { promoCodeCards } from '@mintmark/cards'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepWithoutStatistics } from './testing/copy-rows.ts'
import { type TestGateway, type TestKey, testGateway } from './testing/gateway.ts'
import { searchedLists } from './testing/indexed-lists.ts'
import {
  captureStatements,
  childrenOf,
  getPlan,
  isCount,
  isPage,
  type Plan,
} from './testing/list-statements.ts'
import { definePageTests } from './testing/page-tests.ts'
import { rawCallOf } from './testing/samples/calls.ts'

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

describe('the pages of a searched list', () => {
  // A search reads up to 200 rows in the order of the list. Several steps of its plan touch them.
  definePageTests(searchedLists, { copies: 2000, pageRows: 2500, directions: [' desc'] }, () => gateway)
})

describe('the search for a keyword', () => {
  /** The parameters of the functions, as values of SQL. */
  const PARAMETERS = { book_owner: `'0xc1'`, card_program: `'event'`, pattern: `'%print%'`, max_rows: 'null' }

  it.each(['address_book', 'cards', 'contracts', 'nfts'])(
    'reads the trigram index of %s, of analyzed tables and of new ones',
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

describe('a search with more than 10,000 results that are at the end of a long list', () => {
  const OTHERS = 100_500
  /** How many of the other cards were created later than all else. */
  const LATER = 99
  const RESULTS = 12_000
  /** How many rows are read in the order of the list before the results are found by their ids. */
  const SCANNED_ROWS = 20_000
  const PAGE_SIZE = 20

  let project: TestKey
  beforeAll(async () => {
    project = await gateway.newKey({ project: 'clustered' })
    await sql`
      insert into gateway.cards (project_id, program, name, creator, nft_address, start_time, end_time, validity_period, total_issued, qr_code, created_at)
      select ${project.projectId}, 'promo_code', case when n <= ${OTHERS}::int then 'Zoo card ' || n else 'Apple card ' || n end, '', '0xa', '2026-01-01', '2099-01-01',
        '2099-01-01', 1, gen_random_uuid(), case when n <= ${LATER}::int then '2026-06-01'::timestamptz else '2026-01-01' end
      from generate_series(1, ${OTHERS + RESULTS}::int) n`.execute(gateway.owner.system)
  })

  it.each([1, 3, 40])('reads a limited number of rows in its order for page %i', async (pageNumber) => {
    let page: { list: { name: string }[]; totalRow: number } = { list: [], totalRow: 0 }
    const statements = await captureStatements(async () => {
      const input = { keyword: 'apple', orderBy: 'name desc', pageNumber, pageSize: PAGE_SIZE }
      const { json } = await project.call(rawCallOf(promoCodeCards.search, input))
      page = json.data as unknown as typeof page
    })
    expect(page.totalRow).toBe(RESULTS)
    const numbers = Array.from({ length: RESULTS }, (_, index) => `Apple card ${OTHERS + 1 + index}`)
      .toSorted()
      .toReversed()
    expect(page.list.map(({ name }) => name)).toEqual(
      numbers.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE),
    )
    for (const statement of statements.filter((each) => isPage(each) || isCount(each))) {
      const plan = await getPlan(gateway, project.projectId, statement)
      expect(getMostRows(plan), statement.text).toBeLessThanOrEqual(SCANNED_ROWS)
    }
  })

  it('reads the list in its order if an index finds more than 100,000 items', async () => {
    // The index of keywords finds every card. Few of them were created since.
    const input = { keyword: 'card', from: '2026-05-01T00:00:00Z', orderBy: 'name', pageSize: PAGE_SIZE }
    const { json } = await project.call(rawCallOf(promoCodeCards.search, { ...input, pageNumber: 2 }))
    const page = json.data as unknown as { list: { name: string }[]; totalRow: number }
    const names = Array.from({ length: LATER }, (_, index) => `Zoo card ${1 + index}`).toSorted()
    expect(page.totalRow).toBe(names.length)
    expect(page.list.map(({ name }) => name)).toEqual(names.slice(PAGE_SIZE, 2 * PAGE_SIZE))
  })
})

/** Returns the highest number of rows that a step of a plan reads at once. */
function getMostRows(plan: Plan): number {
  const read = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return Math.max(read, ...childrenOf(plan).map(getMostRows))
}
