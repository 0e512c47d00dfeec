import type { GatewayClient } from '@mintmark/transport'
import { sql } from 'kysely'
import { summarize } from './figures.ts'
import {
  createProjectClient,
  type GatewayStorage,
  startGateway,
  startStorage,
} from './gateway-environment.ts'
import { type List, measuredLists } from './list-calls.ts'
import { addContract, FILLED_TABLES, insertRows } from './list-rows.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median, timed } from './statistics.ts'

const PAGE_SIZE = 20
const SIZES = [100, 10_000, 1_000_000]
const MAX_QUICK_SIZE = 10_000
/** Larger sizes fill these tables only. */
const LARGE_TABLES = ['cards', 'card_stores', 'orders']
const LARGE_LISTS = /^(orders|promoCodeCards)\./
/** The rows that another project has in each list. */
const OTHER_ROWS = 10_000
/** A page may take this many times as long as the empty list, and this much longer. */
const MAX_RATIO = 2
const MAX_MORE_MS = 4
/** How long a jump to the middle of a list may take, and any page in an order without an index. */
const MAX_JUMP_MS = 1000

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
  // Nothing analyzes the tables before the last column.
  for (const table of FILLED_TABLES) {
    const name = sql.table(`gateway.${table}`)
    await sql`alter table ${name} set (autovacuum_enabled = false)`.execute(storage.owner.system)
  }
  return { storage, emptyClient, ...(await createProjectClient(storage, 'bench', { baseUrl })) }
}

const POSITIONS = ['first page', 'by cursor', 'middle page', 'last page'] as const
type Position = (typeof POSITIONS)[number]

/** Returns the input of a page of a list. */
async function findPageInput(list: List, client: GatewayClient, position: Position) {
  const page = { pageSize: PAGE_SIZE }
  const { totalRow, paras } = await list(client, page)
  const pages = Math.ceil(totalRow / PAGE_SIZE)
  if (position === 'middle page') return { ...page, pageNumber: Math.ceil(pages / 2) }
  if (position === 'last page') return { ...page, pageNumber: pages }
  const { next } = paras as { next?: string }
  if (position === 'first page') return page
  if (next === undefined) throw new Error('The list has one page')
  return { ...page, cursor: next }
}

/** The milliseconds of the calls of a page, and of those of the empty list in between. */
interface Times {
  readonly empty: readonly number[]
  readonly filled: readonly number[]
}

async function measurePage(
  { client, emptyClient }: Environment,
  list: List,
  position: Position,
  calls: number,
): Promise<Times> {
  const page = await findPageInput(list, client, position)
  const times = { empty: [] as number[], filled: [] as number[] }
  for (let call = 0; call < calls; call++) {
    times.empty.push(await timed(() => list(emptyClient, { pageSize: PAGE_SIZE })))
    times.filled.push(await timed(() => list(client, page)))
  }
  // The first calls fill caches.
  return { empty: times.empty.slice(1), filled: times.filled.slice(1) }
}

/** The times of each page by its name; null at a size that its list does not have. */
type Results = Map<string, { isJump: boolean; times: (Times | null)[] }>

async function measureSizes(
  environment: Environment,
  sizes: readonly number[],
  { calls, onStep }: { calls: number; onStep: MeasureOptions['onStep'] },
): Promise<Results> {
  const { storage, projectId } = environment
  const results: Results = new Map()
  const steps = (sizes.length + 1) * measuredLists.length
  let step = 0
  const measureAll = async (size: number) => {
    for (const { name, list, isSorted = false } of measuredLists) {
      for (const position of POSITIONS) {
        const label = `${name}, ${position}`
        const result = results.get(label) ?? { isJump: isSorted || position === 'middle page', times: [] }
        const isMeasured = size <= MAX_QUICK_SIZE || LARGE_LISTS.test(name)
        result.times.push(isMeasured ? await measurePage(environment, list, position, calls) : null)
        results.set(label, result)
      }
      onStep(++step, steps)
    }
  }
  const { projectId: otherId } = await storage.newKey('other')
  await insertRows(storage, await addContract(storage, otherId, false), 0, OTHER_ROWS)
  const project = await addContract(storage, projectId, true)
  let inserted = 0
  for (const size of sizes) {
    await insertRows(storage, project, inserted, size, size > MAX_QUICK_SIZE ? LARGE_TABLES : FILLED_TABLES)
    inserted = size
    await measureAll(size)
  }
  await sql`vacuum analyze`.execute(storage.owner.system)
  await measureAll(inserted)
  return results
}

const isFast = (times: Times) => median(times.filled) <= MAX_RATIO * median(times.empty) + MAX_MORE_MS
const isSoon = (times: Times) => median(times.filled) <= MAX_JUMP_MS

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const sizes = SIZES.filter((size) => !quick || size <= MAX_QUICK_SIZE)
  const environment = await startEnvironment(stops)
  const results = await measureSizes(environment, sizes, { calls: quick ? 6 : 10, onStep })
  const pages = [...results.values()].flatMap(({ isJump, times }) =>
    times.flatMap((each) => (each === null ? [] : [{ isJump, times: each }])),
  )
  const jumps = pages.filter(({ isJump }) => isJump)
  const others = pages.filter(({ isJump }) => !isJump)
  const fast = others.filter(({ times }) => isFast(times))
  const soon = jumps.filter(({ times }) => isSoon(times))
  const names = [...sizes.map((size) => `${size.toLocaleString('en')} rows`), 'analyzed']
  return {
    columns: ['empty', ...names].map((name) => ({ name, unit: 'ms' })),
    rows: [...results].map(([name, { times }]) => ({
      name,
      figures: [
        summarize(times.flatMap((each) => each?.empty ?? [])),
        ...times.map((each) => (each === null ? null : summarize(each.filled))),
      ],
    })),
    aims: [
      {
        text: `a first or last page, or one by cursor, takes at most ${MAX_RATIO} × the empty list + ${MAX_MORE_MS} ms: ${fast.length} of ${others.length}`,
        reached: fast.length === others.length,
      },
      {
        text: `a jump to the middle, or a page in an order without an index, takes at most ${MAX_JUMP_MS} ms: ${soon.length} of ${jumps.length}`,
        reached: soon.length === jumps.length,
      },
    ],
  }
}

/** Measures lists of projects of different sizes, before and after their tables are analyzed. */
export const listsSection: Section = {
  name: 'lists',
  title: 'Pages of lists by size, each beside the empty list, by the client over HTTP',
  measure,
}
