import { promoCodeCards } from '@mintmark/cards'
import { createKey, type GatewayDatabase, gatewaySchema, openGatewayDatabase } from '@mintmark/gateway-server'
import { commonSales } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { createSealer, createSecretKey, migrate } from '@mintmark/server-kit'
import { startTestServer } from '@mintmark/server-kit/testing'
import { createGateway } from '@mintmark/transport'
import { sql } from 'kysely'
import { startGateway } from './gateway.ts'
import { runMixedLoad, type Span } from './mixed-load.ts'
import { type Measured, median, type Row, type Section } from './section.ts'

const PAGE = 20
const WARM_UP = { rate: 40, spanMs: 10_000, spans: 1 }
const SIZES = [0, 1000, 9000, 25_000, 100_000]
const MIXED_RATIO = 2
const SIZE_RATIO = 3
const SIZE_MARGIN_MS = 4
/** How long the calls of one list at one size may take together. */
const LONGEST_MS = 5000
const OWNER = '0x00000000000000000000000000000000000000c1'
const CONTRACT = '0x00000000000000000000000000000000000000a1'

interface Bench {
  readonly client: GatewayClient
  readonly owner: GatewayDatabase
  readonly project: number
}

/** Runs `work` with the gateway's own command on an empty database, and a key. */
async function withGateway<Result>(work: (bench: Bench) => Promise<Result>): Promise<Result> {
  await using stops = new AsyncDisposableStack()
  const server = await startTestServer()
  stops.defer(() => server.stop())
  await migrate(server.url, gatewaySchema)
  const owner = openGatewayDatabase({ url: server.url, max: 1 })
  stops.defer(() => owner.close())
  const secretKeys = createSecretKey('bench')
  const sealer = createSealer(secretKeys)
  const port = await startGateway(stops, server.url, secretKeys)
  const clientOf = async (name: string) => {
    const key = await createKey(owner.system, sealer, { project: name, name })
    const client = createGateway({
      baseUrl: `http://127.0.0.1:${port}`,
      credentials: { apiKey: key.apiKey, secret: key.secret },
      timeout: 120_000,
    })
    return { client, project: key.projectId }
  }
  // Code is slow when it runs for the first time, but only the database is measured. Emptied tables are like new ones.
  await runMixedLoad({ client: (await clientOf('warm-up')).client, ...WARM_UP })
  await sql`truncate gateway.cards, gateway.wallet_info cascade`.execute(owner.system)
  const { client, project } = await clientOf('bench')
  return await work({ client, owner, project })
}

/** Adds cards and listings in bulk, and keeps their tables from being analyzed. */
async function fill({ owner, project }: Bench, from: number, to: number): Promise<void> {
  await sql`
    insert into gateway.cards (project_id, program, name, creator, chain_id, nft_address, nft_id, start_time, end_time,
      validity_period, total_issued, qr_code)
    select ${project}, 'promo_code', 'Card ' || n * 7919 % 1000, ${OWNER}, '84532', ${CONTRACT}, n::text,
      '2026-01-01', '2099-01-01', '2099-01-01', 1, md5(n::text)
    from generate_series(${from + 1}::int, ${to}::int) n`.execute(owner.system)
  await sql`
    with owned as (
      insert into gateway.assets (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
      select ${project}, '84532', '0xprints', n::text, 'ERC1155', 'seller ' || n % 1000, 1
      from generate_series(${from + 1}::int, ${to}::int) n returning id, nft_id, owner
    )
    insert into gateway.listings (project_id, market_type, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, remaining,
      pay_price, start_time, end_time)
    select ${project}, 1, id, '84532', '0xprints', nft_id, 'ERC1155', owner, 1, 1, 1 + id * 7919 % 1000, '2026-01-01', '2099-01-01'
    from owned`.execute(owner.system)
}

const lastPageOf = (rows: number) => Math.max(1, Math.ceil(rows / PAGE))

/** The lists that are measured, by their names; each gets the number of rows that there are. */
const lists: { readonly [name: string]: (client: GatewayClient, rows: number) => Promise<unknown> } = {
  'promoCodeCards.list, first page': (client) => promoCodeCards.list(client),
  'promoCodeCards.list, page 3': (client) => promoCodeCards.list(client, { pageNumber: 3 }),
  'promoCodeCards.list, last page': (client, rows) =>
    promoCodeCards.list(client, { pageNumber: lastPageOf(rows) }),
  'promoCodeCards.list, page 3 by name': (client) =>
    promoCodeCards.list(client, { pageNumber: 3, orderBy: 'name' }),
  'promoCodeCards.list, last page by name': (client, rows) =>
    promoCodeCards.list(client, { pageNumber: lastPageOf(rows), orderBy: 'name desc' }),
  'promoCodeCards.listByNft, page 3': (client) =>
    promoCodeCards.listByNft(client, { nftAddress: CONTRACT, pageNumber: 3 }),
  'promoCodeCards.listByOwner, page 3': (client) =>
    promoCodeCards.listByOwner(client, { owner: OWNER, pageNumber: 3 }),
  'commonSales.list, page 3 by price': (client) =>
    commonSales.list(client, { pageNumber: 3, orderBy: 'payPrice' }),
}

async function timesOf(work: () => Promise<unknown>, times: number): Promise<number> {
  const measured: number[] = []
  // The first call makes what is kept.
  await work()
  const started = performance.now()
  while (measured.length < times && (measured.length === 0 || performance.now() - started < LONGEST_MS)) {
    const begun = performance.now()
    await work()
    measured.push(performance.now() - begun)
  }
  return median(measured)
}

/** The median of each list at each size, on tables that were never analyzed. */
async function measureSizes(bench: Bench, times: number): Promise<ReadonlyMap<string, readonly number[]>> {
  for (const table of ['cards', 'card_stores', 'assets', 'listings']) {
    await sql`alter table ${sql.table(`gateway.${table}`)} set (autovacuum_enabled = false)`.execute(
      bench.owner.system,
    )
  }
  // The stores of a card matter to no list that is measured, and are written row by row.
  await sql`alter table gateway.cards disable trigger keep_card_stores_of_new`.execute(bench.owner.system)
  const figures = new Map<string, number[]>(Object.keys(lists).map((name) => [name, []]))
  let filled = 0
  for (const size of SIZES) {
    await fill(bench, filled, size)
    filled = size
    for (const [name, list] of Object.entries(lists)) {
      figures.get(name)?.push(await timesOf(() => list(bench.client, size), times))
    }
  }
  const { rows } = await sql<{ analyzed: boolean }>`
    select bool_or(reltuples <> -1) as analyzed from pg_class
    where oid in ('gateway.cards'::regclass, 'gateway.listings'::regclass)`.execute(bench.owner.system)
  if (rows[0]?.analyzed) throw new Error('the tables were analyzed meanwhile')
  return figures
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function figuresOf({ milliseconds, failed }: Span) {
  return {
    median: median(milliseconds),
    p99: percentile(milliseconds, 0.99),
    failed,
    calls: milliseconds.length,
  }
}

const ms = (value: number) => `${value.toFixed(1)} ms`

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  const load = quick ? { rate: 40, spanMs: 10_000, spans: 6 } : { rate: 150, spanMs: 60_000, spans: 10 }
  const spans = await withGateway(({ client }) => runMixedLoad({ client, ...load }))
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) throw new Error('nothing was measured')
  const [early, late] = [figuresOf(first), figuresOf(last)]
  const sizes = await withGateway((bench) => measureSizes(bench, quick ? 15 : 41))

  const mixedRow = (name: string, span: Span): Row => {
    const { median: middle, p99, failed, calls } = figuresOf(span)
    return { name, figures: ['median', ms(middle), 'p99', ms(p99), `${failed} of ${calls} failed`] }
  }
  const seconds = load.spanMs / 1000
  const slow = [...sizes].flatMap(([name, [empty = 0, ...others]]) =>
    others.every((time) => time <= SIZE_RATIO * empty + SIZE_MARGIN_MS) ? [] : [name],
  )
  const ratios = [early.median / late.median, early.p99 / late.p99].map((ratio) => `${ratio.toFixed(2)} ×`)
  return {
    columns: SIZES.map((size) => `${size.toLocaleString('en')} rows`),
    rows: [
      ...[...sizes].map(([name, figures]) => ({ name, figures: figures.map(ms) })),
      ...spans.map((span, at) => mixedRow(`mixed load, ${load.rate}/s, second ${at * seconds} on`, span)),
    ],
    aims: [
      {
        text: `no list on tables without statistics takes over ${SIZE_RATIO} times the empty list plus ${SIZE_MARGIN_MS} ms${slow.length > 0 ? `: ${slow.join('; ')}` : ''}`,
        reached: slow.length === 0,
      },
      {
        text: `the first ${seconds} s of a mixed load on an empty database take at most ${MIXED_RATIO} times the last: median ${ratios[0]}, p99 ${ratios[1]}`,
        reached: early.median <= MIXED_RATIO * late.median && early.p99 <= MIXED_RATIO * late.p99,
      },
    ],
  }
}

/** Lists on tables that have no statistics yet, and beside writes that fill them. */
export const listsSection: Section = {
  name: 'lists',
  title: 'Lists of young tables, by the client over HTTP',
  measure,
}
