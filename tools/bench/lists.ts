import type { GatewayClient } from '@mintmark/transport'
import { sql } from 'kysely'
import {
  createProjectClient,
  type GatewayStorage,
  startGateway,
  startStorage,
} from './gateway-environment.ts'
import { measuredLists } from './list-calls.ts'
import { addContract, FILLED_TABLES, insertRows } from './list-rows.ts'
import { type MixedLoad, runMixedLoad, type Span } from './mixed-load.ts'
import type { Aim, Measurement, Row, Section } from './section.ts'
import { formatMs, median, percentile, timed } from './statistics.ts'

const PAGE_SIZE = 20
const WARM_UP = { rate: 40, spanMs: 10_000, spans: 1 }
const SIZES = [100, 1000, 10_000, 100_000, 1_000_000]
const MAX_QUICK_SIZE = 100_000
/** The rows that another project has in each list. */
const OTHER_ROWS = 10_000
/** How much longer calls of an empty database may take than later ones. */
const MAX_MIXED_RATIO = 2
/** How much longer a list may take than the empty list. */
const MAX_SIZE_RATIO = 2
/** How long the calls of one list at one size may take together. */
const MAX_LIST_MS = 5000
interface Environment {
  readonly client: GatewayClient
  readonly storage: GatewayStorage
  readonly projectId: number
}

/** Starts the gateway's own command on an empty database. Its code is warmed up, because only the database is measured. */
async function startEnvironment(stops: AsyncDisposableStack): Promise<Environment> {
  const storage = await startStorage(stops)
  const baseUrl = `http://127.0.0.1:${await startGateway(stops, storage)}`
  const { client } = await createProjectClient(storage, 'warm-up', { baseUrl })
  await runMixedLoad({ client, ...WARM_UP })
  // Truncated tables are like new ones.
  await sql`truncate gateway.cards, gateway.wallet_info cascade`.execute(storage.owner.system)
  return { storage, ...(await createProjectClient(storage, 'bench', { baseUrl })) }
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
        const page = { pageNumber: getPage(pages), pageSize: PAGE_SIZE, ...(orderBy !== '' && { orderBy }) }
        const label = [name, ...(orderBy === '' ? [] : [`by ${orderBy}`]), position].join(', ')
        calls.push({ name: label, call: (caller) => list(caller, page) })
      }
    }
  }
  return calls
}

/** Calls a list up to `calls` times. Returns the median. The first call, which fills caches, is not measured. */
async function measureList(list: () => Promise<unknown>, calls: number): Promise<number> {
  await list()
  const times = [await timed(list)]
  const deadline = performance.now() + MAX_LIST_MS
  while (times.length < calls && performance.now() < deadline) times.push(await timed(list))
  return median(times)
}

/** Measures each list at each size, on tables that were never analyzed and were filled just before. */
async function measureSizes(
  { client, storage, projectId }: Environment,
  calls: number,
  sizes: readonly number[],
): Promise<ReadonlyMap<string, number[]>> {
  const { system } = storage.owner
  for (const table of FILLED_TABLES) {
    const name = sql.table(`gateway.${table}`)
    await sql`alter table ${name} set (autovacuum_enabled = false)`.execute(system)
  }
  // No measured list reads the stores of a card, and the trigger writes them row by row.
  await sql`alter table gateway.cards disable trigger keep_card_stores_of_new`.execute(system)
  const times = new Map<string, number[]>()
  const measureAll = async () => {
    for (const { name, call } of await createCalls(client)) {
      const time = await measureList(() => call(client), calls)
      times.set(name, [...(times.get(name) ?? []), time])
    }
  }
  await measureAll()
  const { projectId: otherId } = await storage.newKey('other')
  await insertRows(storage, await addContract(storage, otherId, false), 0, OTHER_ROWS)
  const project = await addContract(storage, projectId, true)
  let inserted = 0
  for (const size of sizes) {
    await insertRows(storage, project, inserted, size)
    inserted = size
    await measureAll()
  }
  return times
}

function summarize({ milliseconds }: Span) {
  return { median: median(milliseconds), p99: percentile(milliseconds, 0.99) }
}

function createMixedRow(name: string, span: Span): Row {
  const { median: middle, p99 } = summarize(span)
  const failed = `${span.failed} of ${span.milliseconds.length} failed`
  return { name, figures: ['median', formatMs(middle), 'p99', formatMs(p99), failed] }
}

function createMixedAim(spans: readonly Span[], seconds: number): Aim {
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) throw new Error('Nothing was measured')
  const [early, late] = [summarize(first), summarize(last)]
  const ratios = { median: early.median / late.median, p99: early.p99 / late.p99 }
  return {
    text: `the first ${seconds} s of a mixed load on an empty database take at most ${MAX_MIXED_RATIO} times the last: median ${ratios.median.toFixed(2)} ×, p99 ${ratios.p99.toFixed(2)} ×`,
    reached: ratios.median <= MAX_MIXED_RATIO && ratios.p99 <= MAX_MIXED_RATIO,
  }
}

/** Returns the longest time of a list at any size, as a multiple of the empty list's. */
function getRatio([empty = 0, ...others]: readonly number[]): number {
  return Math.max(...others) / empty
}

function createSizeAim(times: ReadonlyMap<string, readonly number[]>): Aim {
  const flat = [...times.values()].filter((figures) => getRatio(figures) <= MAX_SIZE_RATIO)
  return {
    text: `every list of a project of any size takes at most ${MAX_SIZE_RATIO} times the empty list: ${flat.length} of ${times.size}`,
    reached: flat.length === times.size,
  }
}

async function measureMixedLoad(load: Omit<MixedLoad, 'client'>): Promise<Span[]> {
  await using stops = new AsyncDisposableStack()
  const { client } = await startEnvironment(stops)
  return await runMixedLoad({ client, ...load })
}

async function measure({ quick }: { quick: boolean }): Promise<Measurement> {
  const load = quick ? { rate: 40, spanMs: 10_000, spans: 6 } : { rate: 150, spanMs: 60_000, spans: 10 }
  const spans = await measureMixedLoad(load)
  await using stops = new AsyncDisposableStack()
  const sizes = quick ? SIZES.filter((size) => size <= MAX_QUICK_SIZE) : SIZES
  const times = await measureSizes(await startEnvironment(stops), quick ? 11 : 41, sizes)
  const slowestFirst = [...times].sort(([, left], [, right]) => getRatio(right) - getRatio(left))
  const seconds = load.spanMs / 1000
  return {
    columns: ['empty', ...sizes.map((size) => `${size.toLocaleString('en')} rows`), 'ratio'],
    rows: [
      ...slowestFirst.map(([name, figures]) => ({
        name,
        figures: [...figures.map(formatMs), `${getRatio(figures).toFixed(2)} ×`],
      })),
      ...spans.map((span, index) =>
        createMixedRow(`mixed load, ${load.rate}/s, second ${index * seconds} on`, span),
      ),
    ],
    aims: [createSizeAim(times), createMixedAim(spans, seconds)],
  }
}

/** Measures lists on tables that have no statistics yet, and beside writes that fill them. */
export const listsSection: Section = {
  name: 'lists',
  title: 'Lists of young tables, by the client over HTTP',
  measure,
}
