import type { Tables } from '@mintmark/facilitator-server'
import { type Kysely, sql } from 'kysely'
import {
  type CatalogFilter,
  type CatalogPage,
  type CatalogResult,
  MAX_MATCHES,
  searchCatalog,
} from '../../facilitator-server/src/catalog/search.ts'
import { ASSETS, addEntries, NEW_NETWORK, OLD_NETWORK, recipient } from './catalog-rows.ts'
import { startStorage } from './facilitator-environment.ts'
import { summarize, toFigure } from './figures.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { percentile, timed } from './statistics.ts'

const SIZES = [1000, 10_000, 100_000]
const MAX_QUICK_SIZE = 10_000
/** Rows that one statement inserts. */
const BATCH = 50_000
const LIMIT = 20
const MAX_P95_MS = 50

interface MeasuredSearch {
  readonly name: string
  readonly filter: CatalogFilter
  readonly page?: Partial<CatalogPage>
}

/** Lists the searches in a catalog of `size` entries. Ids are numbers from 1. */
function listSearches(size: number): MeasuredSearch[] {
  const topic = `topic${(size / 2) % 5000}`
  return [
    { name: 'all', filter: {} },
    { name: 'all, deepest offset', filter: {}, page: { offset: MAX_MATCHES - LIMIT } },
    { name: 'all, cursor in the middle', filter: {}, page: { before: size / 2 } },
    { name: 'all, cursor near the end', filter: {}, page: { before: 100 } },
    { name: 'word of all', filter: { query: 'api' } },
    { name: 'word of all, cursor in the middle', filter: { query: 'api' }, page: { before: size / 2 } },
    { name: 'word of each tenth', filter: { query: 'weather' } },
    { name: 'rare word', filter: { query: topic } },
    { name: 'word of one', filter: { query: 'word7' } },
    { name: 'unknown word', filter: { query: 'nothing' } },
    { name: 'two common words', filter: { query: 'api weather' } },
    { name: 'common and rare word', filter: { query: `api ${topic}` } },
    { name: 'two common words that no entry has together', filter: { query: 'even odd' } },
    { name: 'word of old entries only', filter: { query: 'old' } },
    { name: 'word of old entries, on the other network', filter: { query: 'old', network: NEW_NETWORK } },
    { name: 'eight words', filter: { query: `api www com even weather ${topic} old word7` } },
    { name: 'type', filter: { type: 'mcp' } },
    { name: 'recipient', filter: { payTo: recipient(7) } },
    { name: 'unknown recipient', filter: { payTo: recipient(7).replace('0x00', '0xff') } },
    { name: 'scheme', filter: { scheme: 'upto' } },
    { name: 'network', filter: { network: NEW_NETWORK } },
    { name: 'network of old entries only', filter: { network: OLD_NETWORK } },
    { name: 'network and scheme', filter: { network: OLD_NETWORK, scheme: 'upto' } },
    { name: 'common asset', filter: { asset: ASSETS.common } },
    { name: 'rare asset', filter: { asset: ASSETS.rare } },
    { name: 'wide price range', filter: { asset: ASSETS.common, minAmount: 1n, maxAmount: 500_000n } },
    { name: 'narrow price range', filter: { asset: ASSETS.common, minAmount: 10n, maxAmount: 20n } },
    { name: 'price range without matches', filter: { asset: ASSETS.common, minAmount: 2_000_000n } },
    { name: 'price range of any asset', filter: { maxAmount: 3n } },
    { name: 'word and price range', filter: { query: 'weather', asset: ASSETS.common, maxAmount: 500_000n } },
    {
      name: 'all filters',
      filter: {
        query: 'api',
        type: 'http',
        payTo: recipient(7),
        scheme: 'exact',
        network: NEW_NETWORK,
        asset: ASSETS.common,
        maxAmount: 900_000n,
      },
    },
  ]
}

const runSearch = (db: Kysely<Tables>, { filter, page }: MeasuredSearch): Promise<CatalogResult> =>
  searchCatalog(db, filter, { limit: LIMIT, offset: 0, ...page })

/** Measures each search at each size. Returns the times of the searches by name, for each size. */
async function measureSizes(
  db: Kysely<Tables>,
  owner: Kysely<Tables>,
  { sizes, calls, onStep }: { sizes: readonly number[]; calls: number; onStep: MeasureOptions['onStep'] },
): Promise<ReadonlyMap<string, readonly (readonly number[])[]>> {
  const times = new Map<string, number[][]>()
  let added = 0
  for (const [index, size] of sizes.entries()) {
    for (; added < size; added = Math.min(size, added + BATCH)) {
      await addEntries(db, added, Math.min(size, added + BATCH))
    }
    await sql`vacuum analyze`.execute(owner)
    for (const search of listSearches(size)) {
      // The first call, which fills caches, is not measured.
      await runSearch(db, search)
      const measured: number[] = []
      while (measured.length < calls) measured.push(await timed(() => runSearch(db, search)))
      times.set(search.name, [...(times.get(search.name) ?? []), measured])
    }
    onStep(index + 1, sizes.length)
  }
  return times
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const sizes = quick ? SIZES.filter((size) => size <= MAX_QUICK_SIZE) : SIZES
  const { database, owner } = await startStorage(stops)
  const times = await measureSizes(database.system, owner, { sizes, calls: quick ? 20 : 100, onStep })
  const columns = sizes.map((size) => ({ name: `${size.toLocaleString('en')} entries`, unit: 'ms' as const }))
  const rows = [...times].map(([name, measured]) => ({
    name,
    p95: Math.max(...measured.map((each) => percentile(each, 0.95))),
    figures: measured.map(summarize),
  }))
  const slow = rows.filter(({ p95 }) => p95 > MAX_P95_MS)
  return {
    columns: [...columns, { name: 'highest p95', unit: 'ms' }],
    rows: rows.map(({ name, p95, figures }) => ({ name, figures: [...figures, toFigure(p95)] })),
    aims: [
      {
        text: `95 % of the calls of each search take at most ${MAX_P95_MS} ms at every size: ${rows.length - slow.length} of ${rows.length}`,
        reached: slow.length === 0,
      },
    ],
  }
}

/** Measures searches in catalogs of different sizes. */
export const catalogSection: Section = {
  name: 'catalog',
  title: 'Searches in the catalog of paid resources by its size',
  measure,
}
