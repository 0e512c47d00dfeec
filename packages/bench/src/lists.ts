import type { GatewayClient } from '@mintmark/transport'
import { sql } from 'kysely'
import { type Column, summarize, toFigure } from './figures.ts'
import {
  createProjectClient,
  type GatewayStorage,
  startGateway,
  startStorage,
} from './gateway-environment.ts'
import { measuredLists } from './list-calls.ts'
import { addContract, FILLED_TABLES, insertRows } from './list-rows.ts'
import type { Aim, LineChart, Measurement, MeasureOptions, Section } from './section.ts'
import { median, timed } from './statistics.ts'

const PAGE_SIZE = 20
const SIZES = [100, 1000, 10_000, 100_000, 1_000_000]
const MAX_QUICK_SIZE = 100_000
/** The rows that another project has in each list. */
const OTHER_ROWS = 10_000
/** How much longer a list may take than the empty list. */
const MAX_SIZE_RATIO = 2
/** How long the calls of one list at one size may take together. */
const MAX_LIST_MS = 3000
/** The chart has a line for this many lists. */
const CHARTED_LISTS = 6

interface Environment {
  readonly storage: GatewayStorage
  /** The client of the project whose lists are measured. */
  readonly client: GatewayClient
  readonly projectId: number
  /** The client of a project whose lists are empty. */
  readonly emptyClient: GatewayClient
}

async function startEnvironment(stops: AsyncDisposableStack): Promise<Environment> {
  const storage = await startStorage(stops)
  const baseUrl = `http://127.0.0.1:${await startGateway(stops, storage)}`
  const { client: emptyClient } = await createProjectClient(storage, 'empty', { baseUrl })
  return { storage, emptyClient, ...(await createProjectClient(storage, 'bench', { baseUrl })) }
}

/** The positions of the pages that are measured, in a list of `pages` pages. */
const POSITIONS: { readonly [name: string]: (pages: number) => number } = {
  'first page': () => 1,
  'page 3': () => 3,
  'middle page': (pages) => Math.ceil(pages / 2),
  'last page': (pages) => pages,
}

interface MeasuredCall {
  readonly name: string
  call(client: GatewayClient): Promise<unknown>
}

/** Creates the calls of every list in each order, at each position. */
async function createCalls(client: GatewayClient): Promise<MeasuredCall[]> {
  const calls: MeasuredCall[] = []
  for (const { name, orders, list } of measuredLists) {
    const { totalRow } = await list(client, { pageNumber: 1, pageSize: PAGE_SIZE })
    const pages = Math.max(1, Math.ceil(totalRow / PAGE_SIZE))
    for (const orderBy of orders) {
      for (const [position, getPage] of Object.entries(POSITIONS)) {
        // The list's own order, as the only one that the types of all lists have in common.
        const page = {
          pageNumber: getPage(pages),
          pageSize: PAGE_SIZE,
          ...(orderBy !== '' && { orderBy: orderBy as '' }),
        }
        const label = [name, ...(orderBy === '' ? [] : [`by ${orderBy}`]), position].join(', ')
        calls.push({ name: label, call: (caller) => list(caller, page) })
      }
    }
  }
  return calls
}

/** The times of a list at one size. */
interface SizeTimes {
  readonly empty: readonly number[]
  readonly filled: readonly number[]
}

/**
 * Calls the empty and the filled list in turns, up to `calls` times. The first calls are not measured: they
 * fill caches.
 */
async function measureList(
  { client, emptyClient }: Environment,
  { call }: MeasuredCall,
  calls: number,
): Promise<SizeTimes> {
  const empty: number[] = []
  const filled: number[] = []
  await call(emptyClient)
  await call(client)
  const deadline = performance.now() + MAX_LIST_MS
  do {
    empty.push(await timed(() => call(emptyClient)))
    filled.push(await timed(() => call(client)))
  } while (empty.length < calls && performance.now() < deadline)
  return { empty, filled }
}

/**
 * Measures each list at each size, on tables that were never analyzed and were filled just before, and at the
 * last size on analyzed tables.
 */
async function measureSizes(
  environment: Environment,
  calls: number,
  sizes: readonly number[],
  onStep: MeasureOptions['onStep'],
): Promise<ReadonlyMap<string, SizeTimes[]>> {
  const { client, storage, projectId } = environment
  const { system } = storage.owner
  for (const table of FILLED_TABLES) {
    const name = sql.table(`gateway.${table}`)
    await sql`alter table ${name} set (autovacuum_enabled = false)`.execute(system)
  }
  const times = new Map<string, SizeTimes[]>()
  // Each size, and the analyzed tables.
  const passes = sizes.length + 1
  const measureAll = async (pass: number) => {
    const measured = await createCalls(client)
    for (const [index, each] of measured.entries()) {
      const time = await measureList(environment, each, calls)
      times.set(each.name, [...(times.get(each.name) ?? []), time])
      onStep(pass * measured.length + index + 1, passes * measured.length)
    }
  }
  const { projectId: otherId } = await storage.newKey('other')
  await insertRows(storage, await addContract(storage, otherId, false), 0, OTHER_ROWS)
  const project = await addContract(storage, projectId, true)
  let inserted = 0
  for (const [pass, size] of sizes.entries()) {
    await insertRows(storage, project, inserted, size)
    inserted = size
    await measureAll(pass)
  }
  await sql`vacuum analyze`.execute(system)
  await measureAll(sizes.length)
  return times
}

const getRatio = ({ empty, filled }: SizeTimes) => median(filled) / median(empty)
const getHighestRatio = (times: readonly SizeTimes[]) => Math.max(...times.map(getRatio))

function createSizeAim(times: ReadonlyMap<string, readonly SizeTimes[]>): Aim {
  const flat = [...times.values()].filter((each) => getHighestRatio(each) <= MAX_SIZE_RATIO)
  return {
    text: `every list of a project of any size takes at most ${MAX_SIZE_RATIO} times the empty list: ${flat.length} of ${times.size}`,
    reached: flat.length === times.size,
  }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const sizes = quick ? SIZES.filter((size) => size <= MAX_QUICK_SIZE) : SIZES
  const times = await measureSizes(await startEnvironment(stops), quick ? 7 : 15, sizes, onStep)
  const slowestFirst = [...times].sort(
    ([, left], [, right]) => getHighestRatio(right) - getHighestRatio(left),
  )
  return {
    columns: [
      { name: 'empty', unit: 'ms' },
      ...sizes.flatMap(createSizeColumns),
      { name: 'analyzed', unit: 'ms' },
      { name: 'analyzed, of empty', unit: '×' },
      { name: 'highest', unit: '×' },
    ],
    rows: slowestFirst.map(([name, each]) => ({
      name,
      figures: [
        summarize(each.flatMap(({ empty }) => empty)),
        ...each.flatMap((time) => [summarize(time.filled), toFigure(getRatio(time))]),
        toFigure(getHighestRatio(each)),
      ],
    })),
    chart: createChart(
      slowestFirst.slice(0, CHARTED_LISTS).map(([name]) => name),
      times.size,
      sizes,
    ),
    aims: [createSizeAim(times)],
  }
}

const nameSize = (size: number) => `${size.toLocaleString('en')} rows`

/** The time at a size, and how many times that of the empty list it is. */
function createSizeColumns(size: number): Column[] {
  return [
    { name: nameSize(size), unit: 'ms' },
    { name: `${nameSize(size)}, of empty`, unit: '×' },
  ]
}

function createChart(names: readonly string[], count: number, sizes: readonly number[]): LineChart {
  return {
    kind: 'lines',
    title: `Milliseconds of a page by the rows of the project: the ${names.length} of ${count} lists that grow most`,
    xLabel: 'rows',
    lines: names.map((name) => ({
      name,
      points: sizes.map((size) => ({ x: size, row: name, column: nameSize(size) })),
    })),
  }
}

/** Measures lists of projects of different sizes, before and after their tables are analyzed. */
export const listsSection: Section = {
  name: 'lists',
  title: 'Lists by size, each beside the empty list, by the client over HTTP',
  measure,
}
