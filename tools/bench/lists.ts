import { promoCodeCards } from '@mintmark/cards'
import { commonSales } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/transport'
import { sql } from 'kysely'
import {
  createProjectClient,
  type GatewayStorage,
  startGateway,
  startStorage,
} from './gateway-environment.ts'
import { type MixedLoad, runMixedLoad, type Span } from './mixed-load.ts'
import type { Aim, Measurement, Row, Section } from './section.ts'
import { formatMs, median, percentile, timed } from './statistics.ts'

const PAGE_SIZE = 20
const WARM_UP = { rate: 40, spanMs: 10_000, spans: 1 }
const SIZES = [0, 1000, 9000, 25_000, 100_000]
/** How much longer calls of an empty database may take than later ones. */
const MAX_MIXED_RATIO = 2
/** How much longer a list may take than the empty list, plus a margin. */
const MAX_SIZE_RATIO = 3
const SIZE_MARGIN_MS = 4
/** How long the calls of one list at one size may take together. */
const MAX_LIST_MS = 5000
const OWNER = '0x00000000000000000000000000000000000000c1'
const CONTRACT = '0x00000000000000000000000000000000000000a1'

interface Environment {
  readonly client: GatewayClient
  readonly owner: GatewayStorage['owner']
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
  return { owner: storage.owner, ...(await createProjectClient(storage, 'bench', { baseUrl })) }
}

/** Inserts the cards and listings with the numbers after `from`, up to `to`. */
async function insertRows({ owner, projectId }: Environment, from: number, to: number): Promise<void> {
  await sql`
    insert into gateway.cards (project_id, program, name, creator, chain_id, nft_address, nft_id, start_time, end_time,
      validity_period, total_issued, qr_code)
    select ${projectId}, 'promo_code', 'Card ' || n * 7919 % 1000, ${OWNER}, '84532', ${CONTRACT}, n::text,
      '2026-01-01', '2099-01-01', '2099-01-01', 1, md5(n::text)
    from generate_series(${from + 1}::int, ${to}::int) n`.execute(owner.system)
  await sql`
    with owned as (
      insert into gateway.assets (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
      select ${projectId}, '84532', '0xprints', n::text, 'ERC1155', 'seller ' || n % 1000, 1
      from generate_series(${from + 1}::int, ${to}::int) n returning id, nft_id, owner
    )
    insert into gateway.listings (project_id, market_type, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, remaining,
      pay_price, start_time, end_time)
    select ${projectId}, 1, id, '84532', '0xprints', nft_id, 'ERC1155', owner, 1, 1, 1 + id * 7919 % 1000, '2026-01-01', '2099-01-01'
    from owned`.execute(owner.system)
}

const getLastPage = (rows: number) => Math.max(1, Math.ceil(rows / PAGE_SIZE))

/** The lists that are measured, by their names, for tables of `rows` rows. */
const lists: { readonly [name: string]: (client: GatewayClient, rows: number) => Promise<unknown> } = {
  'promoCodeCards.list, first page': (client) => promoCodeCards.list(client),
  'promoCodeCards.list, page 3': (client) => promoCodeCards.list(client, { pageNumber: 3 }),
  'promoCodeCards.list, last page': (client, rows) =>
    promoCodeCards.list(client, { pageNumber: getLastPage(rows) }),
  'promoCodeCards.list, page 3 by name': (client) =>
    promoCodeCards.list(client, { pageNumber: 3, orderBy: 'name' }),
  'promoCodeCards.list, last page by name': (client, rows) =>
    promoCodeCards.list(client, { pageNumber: getLastPage(rows), orderBy: 'name desc' }),
  'promoCodeCards.listByNft, page 3': (client) =>
    promoCodeCards.listByNft(client, { nftAddress: CONTRACT, pageNumber: 3 }),
  'promoCodeCards.listByOwner, page 3': (client) =>
    promoCodeCards.listByOwner(client, { owner: OWNER, pageNumber: 3 }),
  'commonSales.list, page 3 by price': (client) =>
    commonSales.list(client, { pageNumber: 3, orderBy: 'payPrice' }),
}

/** Calls a list up to `calls` times. Returns the median. The first call, which fills caches, is not measured. */
async function measureList(list: () => Promise<unknown>, calls: number): Promise<number> {
  await list()
  const times = [await timed(list)]
  const deadline = performance.now() + MAX_LIST_MS
  while (times.length < calls && performance.now() < deadline) times.push(await timed(list))
  return median(times)
}

/** Measures each list at each size, on tables that were never analyzed. */
async function measureSizes(environment: Environment, calls: number): Promise<ReadonlyMap<string, number[]>> {
  const { client, owner } = environment
  for (const table of ['cards', 'card_stores', 'assets', 'listings']) {
    const name = sql.table(`gateway.${table}`)
    await sql`alter table ${name} set (autovacuum_enabled = false)`.execute(owner.system)
  }
  // No measured list reads the stores of a card, and the trigger writes them row by row.
  await sql`alter table gateway.cards disable trigger keep_card_stores_of_new`.execute(owner.system)
  const times = new Map<string, number[]>(Object.keys(lists).map((name) => [name, []]))
  let inserted = 0
  for (const size of SIZES) {
    await insertRows(environment, inserted, size)
    inserted = size
    for (const [name, list] of Object.entries(lists))
      times.get(name)?.push(await measureList(() => list(client, size), calls))
  }
  const { rows } = await sql<{ analyzed: boolean }>`
    select bool_or(reltuples <> -1) as analyzed from pg_class
    where oid in ('gateway.cards'::regclass, 'gateway.listings'::regclass)`.execute(owner.system)
  if (rows[0]?.analyzed) throw new Error('The tables were analyzed meanwhile')
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

function createSizeAim(times: ReadonlyMap<string, readonly number[]>): Aim {
  const slow = [...times].flatMap(([name, [empty = 0, ...others]]) =>
    others.every((time) => time <= MAX_SIZE_RATIO * empty + SIZE_MARGIN_MS) ? [] : [name],
  )
  const exceptions = slow.length > 0 ? `: ${slow.join('; ')}` : ''
  return {
    text: `no list on tables without statistics takes over ${MAX_SIZE_RATIO} times the empty list plus ${SIZE_MARGIN_MS} ms${exceptions}`,
    reached: slow.length === 0,
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
  const times = await measureSizes(await startEnvironment(stops), quick ? 15 : 41)
  const seconds = load.spanMs / 1000
  return {
    columns: SIZES.map((size) => `${size.toLocaleString('en')} rows`),
    rows: [
      ...[...times].map(([name, figures]) => ({ name, figures: figures.map(formatMs) })),
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
