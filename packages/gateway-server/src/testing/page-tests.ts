import type { OperationShape } from '@mintmark/operation'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { routes } from '../main/routes.ts'
import { copyRows, projectTablesOf } from './copy-rows.ts'
import type { TestGateway } from './gateway.ts'
import { type IndexedList, UNMATCHED } from './indexed-lists.ts'
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
  { uncopied, filterTables = [] }: IndexedList,
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
  // The first table of a list is the one that its rows belong to. Those of transfers belong to a view.
  const read = listTables(statements.filter((statement) => isPage(statement) || isCount(statement)))
  const listed = read.map((table) => (table === 'transfer_history' ? 'transfers' : table))
  const tables = await projectTablesOf(gateway, [...read, ...filterTables])
  const pinned = Object.values(input).flatMap((value) => [String(value), String(value).toLowerCase()])
  const copied = tables.filter((table) => table !== uncopied)
  await copyRows(gateway, project.projectId, copied, pinned, copies)
  return { project: project.projectId, input: { ...item, ...input }, required, call, tables: listed }
}

/** Calls a list and captures its statements under a label. */
type Recorder = (label: string, values: Input) => Promise<ListPage>

async function callPagePositions(record: Recorder, label: string, values: Input, { copies }: Limits) {
  const { totalRow, paras } = await record(`${label}, first page`, values)
  expect(totalRow, label).toBeGreaterThanOrEqual(copies)
  await record(`${label}, page 3`, { ...values, pageNumber: 3 })
  await record(`${label}, last page`, { ...values, pageNumber: Math.ceil(totalRow / PAGE_SIZE) })
  await record(`${label}, by cursor`, { ...values, pageNumber: 2, cursor: paras.next })
}

/** Calls every page position of every indexed filter and order of a list, and captures the statements. */
async function callList(gateway: TestGateway, list: IndexedList, name: string, limits: Limits) {
  const { operation: id, orders, matching = {}, columns = {}, unmatched = {} } = list
  const operation = routes.map((route) => route.operation).find((each) => each.id === id) as OperationShape
  const { project, input, required, call, tables } = await fillProject(
    gateway,
    operation,
    name,
    list,
    limits.copies,
  )
  const [table = ''] = tables
  const calls: ListCall[] = []
  const slow: string[] = []
  // By field, because the update of almost all rows takes more time than everything else.
  const rareCases = new Map<string, RareCase[]>()
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
      const values = Object.fromEntries(names.map((field) => [field, matching[field] ?? input[field] ?? '']))
      for (const orderBy of limits.directions.map((direction) => `${order}${direction}`)) {
        await callPagePositions(record, `by ${orderBy} with [${filter}]`, { ...values, orderBy }, limits)
      }
      for (const field of names.filter((name) => !RANGES.includes(name) && columns[name] !== null)) {
        const { list: items } = await call({ ...required, ...values, orderBy: order })
        const cases = rareCases.get(field) ?? []
        const [first] = items
        rareCases.set(field, [...cases, { filter, order, values, id: first?.id ?? first?.sequence }])
      }
      for (const field of names) {
        const { totalRow } = await record(`unmatched ${field} of [${filter}]`, {
          ...values,
          [field]: unmatched[field] ?? UNMATCHED[field],
          orderBy: order,
        })
        expect(totalRow, `${field} of [${filter}]`).toBe(0)
      }
    }
  }
  for (const [field, cases] of rareCases) {
    const match: RareMatch = {
      table,
      project,
      column: columns[field] ?? toColumn(field),
      value: unmatched[field] ?? UNMATCHED[field],
      ids: cases.map((each) => each.id),
    }
    await withRareMatch(gateway, match, async () => {
      for (const { filter, order, values } of cases) {
        const label = `rare ${field} of [${filter}] by ${order} desc`
        const { totalRow } = await record(label, { ...values, orderBy: `${order} desc` })
        expect(totalRow, label).toBeLessThan(limits.copies / 2)
        slow.push(...(await findSlowPlans(gateway, calls.splice(-1), limits)))
      }
    })
  }
  return { calls, slow }
}

/** Columns of filters, where their names differ from those of the fields. */
const COLUMNS: Readonly<Record<string, string>> = { address: 'recipient', orderStatus: 'status' }
/** Fields of ranges. Their matches are adjacent in the order of the list. */
const RANGES = ['from', 'to', 'minPrice', 'maxPrice']

const toColumn = (field: string) =>
  COLUMNS[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A filter and an order of a list whose filter will match few rows. */
interface RareCase {
  readonly filter: string
  readonly order: string
  readonly values: Input
  /** The row at the end of the order, descending. */
  readonly id: unknown
}

interface RareMatch {
  readonly table: string
  readonly project: number
  readonly column: string
  /** A value that does not match. */
  readonly value: unknown
  /** The rows that match. */
  readonly ids: readonly unknown[]
}

/**
 * Runs `work` while only a few of the rows that match a field of a filter still do. An index that has the
 * rows in their order, but not the field, reads all of them to find rows at the end.
 */
async function withRareMatch(
  gateway: TestGateway,
  { table, project, column: name, value: unmatched, ids }: RareMatch,
  work: () => Promise<void>,
) {
  const { system } = gateway.owner
  const [target, column] = [sql.table(`gateway.${table}`), sql.ref(name)]
  const { rows } = await sql<{ value: unknown }>`
    select ${column} as value from ${target} where project_id = ${project} and id = ${ids[0]}`.execute(system)
  const value = rows[0]?.value
  const replace = (from: unknown, to: unknown) =>
    system.connection().execute(async (db) => {
      await sql`set session_replication_role = replica`.execute(db)
      await sql`
        update ${target} set ${column} = ${to}
        where project_id = ${project} and ${column} = ${from} and id <> all(${[...ids]}::bigint[])`.execute(
        db,
      )
      await sql`reset session_replication_role`.execute(db)
    })
  await replace(value, unmatched)
  await work()
  await replace(unmatched, value)
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
 * match all rows, one row and no row.
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
      calls.push(...early.calls)
      expect([...early.slow, ...(await findSlowPlans(gateway, early.calls, limits))]).toEqual([])
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
      expect([...late.slow, ...(await findSlowPlans(gateway, late.calls, limits))]).toEqual([])
    },
  )
}
