import type { OperationShape } from '@mintmark/operation'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { routes } from '../main/routes.ts'
import { copyRows, projectTablesOf } from './copy-rows.ts'
import type { TestGateway } from './gateway.ts'
import { type IndexedList, UNMATCHED, WITHIN } from './indexed-lists.ts'
import {
  captureStatements,
  countRowsTouched,
  getPlan,
  isCount,
  isPage,
  listTables,
  type Statement,
} from './list-statements.ts'
import { type Input, isRequired, rawCallOf, sampleProject } from './samples/calls.ts'
import { samples } from './samples/index.ts'

const PAGE_SIZE = 5
/**
 * How many rows the lists have, and how many of them a page may touch. A plan that reads the whole list
 * touches all of them.
 */
export interface Limits {
  readonly copies: number
  readonly pageRows: number
  readonly directions: readonly string[]
}
/** The rows that a count may touch for each row of its list. */
const COUNT_ROWS = 6

interface ListPage {
  readonly list: readonly Input[]
  readonly totalRow: number
  readonly paras: { readonly next?: string }
}

interface ListCall {
  readonly name: string
  readonly project: number
  readonly totalRow: number
  readonly statements: readonly Statement[]
}

const PAGE_FIELDS = ['pageNumber', 'pageSize', 'orderBy', 'cursor']

/** A project with `copies` rows of a list, all of which match its sample's filters. */
async function fillProject(
  gateway: TestGateway,
  operation: OperationShape,
  name: string,
  { uncopied }: IndexedList,
  copies: number,
) {
  const project = await sampleProject(gateway, name)
  const sample = samples.find((each) => each.operation.id === operation.id)
  if (sample === undefined) throw new Error(`${operation.id} has no sample`)
  const input = (await sample.input(project)) as Input
  const fields = { ...operation.params, ...operation.query, ...operation.body }
  const required = Object.fromEntries(
    Object.entries(fields)
      .filter(([field, schema]) => !PAGE_FIELDS.includes(field) && isRequired(schema))
      .map(([field]) => [field, input[field]]),
  )
  const call = async (values: Input): Promise<ListPage> => {
    const { status, json } = await project.key.call(rawCallOf(operation, { pageSize: PAGE_SIZE, ...values }))
    expect(status, JSON.stringify(json)).toBe(200)
    // Every list returns a page.
    return json.data as unknown as ListPage
  }
  let item: Input = {}
  const statements = await captureStatements(async () => {
    const { list } = await call(required)
    item = list[0] ?? {}
  })
  const read = listTables(statements.filter((statement) => isPage(statement) || isCount(statement)))
  const tables = await projectTablesOf(gateway, read)
  const pinned = Object.values(input).flatMap((value) => [String(value), String(value).toLowerCase()])
  const copied = tables.filter((table) => table !== uncopied)
  await copyRows(gateway, project.projectId, copied, pinned, copies)
  return { project: project.projectId, input: { ...item, ...input }, required, call }
}

/** Calls a list and captures its statements under a label. */
type Recorder = (label: string, values: Input) => Promise<ListPage>

/** Calls each page position of a list. Returns the cursor after the first page. */
async function callPagePositions(record: Recorder, label: string, values: Input, { copies }: Limits) {
  const { totalRow, paras } = await record(`${label}, first page`, values)
  expect(totalRow, label).toBeGreaterThanOrEqual(copies)
  await record(`${label}, page 3`, { ...values, pageNumber: 3 })
  await record(`${label}, last page`, { ...values, pageNumber: Math.ceil(totalRow / PAGE_SIZE) })
  await record(`${label}, by cursor`, { ...values, pageNumber: 2, cursor: paras.next })
  return paras.next
}

/** Calls every page position of every indexed filter and order of a list, and captures the statements. */
async function callList(gateway: TestGateway, list: IndexedList, name: string, limits: Limits) {
  const { operation: id, orders } = list
  const operation = routes.map((route) => route.operation).find((each) => each.id === id) as OperationShape
  const { project, input, required, call } = await fillProject(gateway, operation, name, list, limits.copies)
  const calls: ListCall[] = []
  const record: Recorder = async (label, values) => {
    let page: ListPage = { list: [], totalRow: 0, paras: {} }
    const statements = await captureStatements(async () => {
      page = await call({ ...required, ...values })
    })
    calls.push({ name: `${id} ${label}`, project, totalRow: page.totalRow, statements })
    return page
  }
  for (const [order, filters] of Object.entries(orders)) {
    for (const filter of filters) {
      const names = filter === '' ? [] : filter.split(' ')
      const values = Object.fromEntries(names.map((field) => [field, WITHIN[field] ?? input[field] ?? '']))
      for (const orderBy of limits.directions.map((direction) => `${order}${direction}`)) {
        const label = `by ${orderBy} with [${filter}]`
        const cursor = await callPagePositions(record, label, { ...values, orderBy }, limits)
        for (const field of names) {
          // Without a cursor, an empty list is counted and not read.
          const unmatched = { ...values, [field]: UNMATCHED[field], orderBy, pageNumber: 2, cursor }
          const { totalRow } = await record(`${label}, unmatched ${field}`, unmatched)
          expect(totalRow, `${field} of [${filter}]`).toBe(0)
        }
      }
    }
  }
  return calls
}

/** Lists the statements whose plans touch more rows than they may. */
async function findSlowPlans(
  gateway: TestGateway,
  calls: readonly ListCall[],
  { pageRows }: Limits,
): Promise<string[]> {
  const slow: string[] = []
  const explained = new Set<string>()
  for (const { name, project, totalRow, statements } of calls) {
    for (const statement of statements) {
      const key = JSON.stringify([project, statement])
      if (explained.has(key) || (!isPage(statement) && !isCount(statement))) continue
      explained.add(key)
      const plan = await getPlan(gateway, project, statement)
      const touched = countRowsTouched(plan)
      const limit = pageRows + (isCount(statement) ? COUNT_ROWS * totalRow : 0)
      if (touched > limit)
        slow.push(`${name}: ${isCount(statement) ? 'count' : 'page'} touches ${touched} rows`)
    }
  }
  return slow
}

/**
 * Defines tests that call every page position of lists, in each order and with each filter, with values that
 * match all rows and no row.
 *
 * @param getGateway Returns the gateway, which is started before the tests. Its tables have no statistics.
 */
export function definePageTests(
  lists: readonly IndexedList[],
  limits: Limits,
  getGateway: () => TestGateway,
): void {
  const calls: ListCall[] = []

  it.each(lists.map((list) => [list.operation, list] as const))(
    'touch a bounded number of rows of tables without statistics: %s',
    async (_id, list) => {
      const gateway = getGateway()
      const early = await callList(gateway, list, `early ${list.operation}`, limits)
      calls.push(...early)
      expect(await findSlowPlans(gateway, early, limits)).toEqual([])
    },
  )

  it('touch a bounded number of rows of analyzed tables', async () => {
    await sql`analyze`.execute(getGateway().owner.system)
    expect(await findSlowPlans(getGateway(), calls, limits)).toEqual([])
  })

  it.each(lists.map((list) => [list.operation, list] as const))(
    'touch a bounded number of rows of a project that was filled after its tables were analyzed: %s',
    async (_id, list) => {
      const gateway = getGateway()
      const late = await callList(gateway, list, `late ${list.operation}`, limits)
      expect(await findSlowPlans(gateway, late, limits)).toEqual([])
    },
  )
}
