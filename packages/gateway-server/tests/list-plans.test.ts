import { promoCodeCards } from '@mintmark/cards'
import { commonSales, offers } from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { copyRows, keepWithoutStatistics, projectTablesOf, withStatistics } from '../src/testing/copy-rows.ts'
import { type TestGateway, type TestKey, testGateway } from '../src/testing/gateway.ts'
import { addAssets, addCards, addListings, LISTED_OWNER } from '../src/testing/list-rows.ts'
import {
  captureStatements,
  childrenOf,
  countRowsTouched,
  getPlan,
  isCount,
  isPage,
  listTables,
  type Plan,
  type Statement,
} from '../src/testing/list-statements.ts'
import { type Input, rawCallOf, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'

const COPIES = 300
const PAGE_SIZE = 5
/**
 * How many rows a list may touch for each row that it has: a plan that compares all rows with all rows
 * touches hundreds.
 */
const ROWS_TOUCHED = 30
let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())

const holdsLimit = (plan: Plan): boolean => plan['Node Type'] === 'Limit' || childrenOf(plan).some(holdsLimit)

/**
 * Nodes of a plan in which the rows of a page are found more than once, or are looked for among more rows
 * than the page has.
 */
function repeatedWork(plan: Plan): string[] {
  const found: string[] = []
  const { 'Node Type': type, 'Actual Loops': loops } = plan
  if (type === 'Limit' && loops > 1) found.push(`the rows of the page are found ${loops} times`)
  if (type === 'Nested Loop') {
    const [outer, inner] = childrenOf(plan)
    if (outer && inner && (holdsLimit(outer) || holdsLimit(inner))) {
      if (inner['Actual Loops'] > PAGE_SIZE)
        found.push(`the inner side of a join runs ${inner['Actual Loops']} times`)
      const removed = (inner['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)
      if (removed > PAGE_SIZE) found.push(`a join looks at ${removed} rows that it does not return`)
    }
  }
  // A condition or an output column that is a sub-select of its own runs once a row, whatever the page.
  for (const child of childrenOf(plan)) {
    if (child['Parent Relationship'] !== 'SubPlan') found.push(...repeatedWork(child))
  }
  return found
}

/** Lists the columns of which a statement limits the range by a comparison of rows, and has another condition. */
function findColumnsLimitedTwice({ text }: Statement): string[] {
  const comparisons = [...text.matchAll(/\(("gateway"[^()]+)\) [<>]=? \(/g)].map(
    ([, columns = '']) => columns,
  )
  const columns = new Set(comparisons.flatMap((names) => names.split(', ')))
  // Kysely names a column without its table where there is only one.
  const isCompared = (column: string) =>
    text.includes(`${column} = `) || text.includes(` ${column.slice(column.lastIndexOf('.') + 1)} = `)
  return [...columns].filter(isCompared)
}

const pagedOperations = routes
  .map(({ operation }) => operation)
  // Operators only. It reads what `audit.list` reads, of project 0.
  .filter(({ paged, id }) => paged === true && id !== 'serverAudit.list')

function inputValues(input: Input): string[] {
  return Object.values(input).flatMap((value) => [String(value), String(value).toLowerCase()])
}

describe('a list on tables without statistics', () => {
  it.each(pagedOperations.map((operation) => [operation.id, operation] as const))(
    'a list on tables without statistics finds the rows of a later page once: %s',
    async (id, operation: OperationShape) => {
      const each = samples.find(({ operation: { id: other } }) => other === id)
      if (each === undefined) throw new Error(`${id} has no sample`)
      const project = await sampleProject(gateway, id)
      const input = (await each.input(project)) as Input
      const page = async (pageNumber: number) => {
        const call = rawCallOf(operation, { ...input, pageNumber, pageSize: PAGE_SIZE })
        const { status, json } = await project.key.call(call)
        expect(status, JSON.stringify(json)).toBe(200)
        return json.data
      }
      const first = await captureStatements(() => page(1))
      // Its rows are creators, and the sample's is the owner, whom the list is of.
      if (id === 'auctions.ownedTokens') {
        const { projectId } = project
        await gateway.owner.system
          .updateTable('gateway.contracts')
          .set({ owner: '0xcreator' })
          .where('project_id', '=', projectId)
          .execute()
      }
      const tables = await projectTablesOf(gateway, listTables(first.filter(isPage)))
      await copyRows(gateway, project.projectId, tables, inputValues(input), COPIES)
      expect(await withStatistics(gateway, tables)).toEqual([])

      for (const pageNumber of [3, 50]) {
        const statements = await captureStatements(async () => {
          const { list, totalRow } = await page(pageNumber)
          expect(list).toHaveLength(PAGE_SIZE)
          expect(totalRow).toBeGreaterThanOrEqual(COPIES)
        })
        const pages = statements.filter(isPage)
        expect(pages).toHaveLength(1)
        expect(pages.flatMap(findColumnsLimitedTwice)).toEqual([])
        for (const statement of statements.filter((each) => isPage(each) || isCount(each))) {
          const plan = await getPlan(gateway, project.projectId, statement)
          expect(repeatedWork(plan), JSON.stringify(plan, undefined, 1)).toEqual([])
          expect(countRowsTouched(plan), JSON.stringify(plan, undefined, 1)).toBeLessThan(
            ROWS_TOUCHED * COPIES,
          )
        }
      }
    },
  )
})

// An index scan does not begin at the cursor's row if a column before the order column has a condition of its
// own: it reads the entries of all rows before it.
describe('the pages of a list with a filter that no index has in its order', () => {
  let project: TestKey
  beforeAll(async () => {
    project = await gateway.newKey({ project: 'filters' })
    const { system } = gateway.owner
    await addCards(system, project.projectId, 3)
    await addAssets(system, project.projectId, 6)
    await addListings(system, project.projectId)
    await sql`
      insert into gateway.offers (project_id, offer_no, chain_id, nft_address, nft_id, offerer, quantity, total_price, pay_token_address, expire_time, reference, reference_owner)
      select ${project.projectId}, n::text, '1', '0x', '1', ${LISTED_OWNER}, 1, 1, '0x', '2099-01-01', 'shop', ''
      from generate_series(1, 3) n`.execute(system)
  })

  it.each([
    ['cards of a creator, by name', promoCodeCards.listByCreator, { creator: LISTED_OWNER, orderBy: 'name' }],
    ['listings of a seller, by end', commonSales.list, { seller: LISTED_OWNER, orderBy: 'endTime' }],
    [
      'offers with a reference, by price',
      offers.mine,
      { address: LISTED_OWNER, reference: 'shop', orderBy: 'totalPrice' },
    ],
  ] as const)(
    'the pages of a list with a filter that no index has in its order begin at the row of a cursor: %s',
    async (_, operation, input) => {
      const read = async (page: Input) => {
        const { status, json } = await project.call(rawCallOf(operation, { ...input, pageSize: 1, ...page }))
        expect(status, JSON.stringify(json)).toBe(200)
        expect(json.data.list).toHaveLength(1)
        return (json.data.paras as { next?: string }).next
      }
      const cursor = await read({})
      const [page, ...others] = (await captureStatements(() => read({ cursor }))).filter(isPage)
      if (page === undefined || others.length > 0) throw new Error('The page was not read in one statement')
      expect(page.text).toMatch(/"gateway"[^()]+\) > \(/)
      expect(findColumnsLimitedTwice(page)).toEqual([])
    },
  )
})

describe('the cards of a rare status among 5,000 on a table without statistics', () => {
  const CARDS = 5000
  const RARE = 3
  /** The rows of two scans of 200 cards and of the results, each in a few nodes of a plan. */
  const TOUCHED = 2000
  const columns = {
    ACTIVE: { validity: '2099-01-01', used: 0 },
    EXHAUSTED: { validity: '2099-01-01', used: 1 },
    EXPIRED: { validity: '2026-01-02', used: 0 },
  } as const

  it.each([
    ['ACTIVE', 'EXPIRED'],
    ['ACTIVE', 'EXHAUSTED'],
    ['EXHAUSTED', 'ACTIVE'],
    ['EXHAUSTED', 'EXPIRED'],
    ['EXPIRED', 'ACTIVE'],
    ['EXPIRED', 'EXHAUSTED'],
  ] as const)(
    'the cards of a rare status among 5,000 on a table without statistics finds %s cards among %s ones by an index',
    async (rare, frequent) => {
      const key = await gateway.newKey({ project: `${rare} among ${frequent}` })
      // The rare ones are at the end of the list.
      const isRare = sql`n <= ${RARE}::int`
      const { [rare]: few, [frequent]: many } = columns
      await sql`
      insert into gateway.cards (project_id, program, name, nft_address, start_time, end_time, validity_period, total_issued, used_count, qr_code)
      select ${key.projectId}, 'promo_code', 'Card', '0xa', '2026-01-01', '2026-01-02',
        case when ${isRare} then ${few.validity}::timestamptz else ${many.validity} end, 1, case when ${isRare} then ${few.used}::int else ${many.used} end,
        gen_random_uuid()
      from generate_series(1, ${CARDS}::int) n`.execute(gateway.owner.system)
      let touched = 0
      const statements = await captureStatements(async () => {
        const { status, json } = await key.call(rawCallOf(promoCodeCards.search, { status: rare }))
        expect(status, JSON.stringify(json)).toBe(200)
        expect(json.data.list).toHaveLength(RARE)
        expect(json.data.totalRow).toBe(RARE)
      })
      for (const statement of statements.filter((each) => isPage(each) || isCount(each)))
        touched += countRowsTouched(await getPlan(gateway, key.projectId, statement))
      expect(touched).toBeLessThan(TOUCHED)
    },
  )
})
