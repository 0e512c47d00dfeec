import { sql } from 'kysely'
import { createProjectClient, startGateway, startStorage } from './gateway-environment.ts'
import { type MixedLoad, runMixedLoad, type Span } from './mixed-load.ts'
import type { Aim, Measurement, Row, Section } from './section.ts'
import { formatMs, median, percentile } from './statistics.ts'

const WARM_UP = { rate: 40, spanMs: 10_000, spans: 1 }
/** How much longer calls of an empty database may take than later ones. */
const MAX_MIXED_RATIO = 2

async function measureMixedLoad(load: Omit<MixedLoad, 'client'>): Promise<Span[]> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const baseUrl = `http://127.0.0.1:${await startGateway(stops, storage)}`
  const { client: warmUpClient } = await createProjectClient(storage, 'warm-up', { baseUrl })
  await runMixedLoad({ client: warmUpClient, ...WARM_UP })
  // Truncated tables are like new ones.
  await sql`truncate gateway.cards, gateway.wallet_info cascade`.execute(storage.owner.system)
  const { client } = await createProjectClient(storage, 'bench', { baseUrl })
  return await runMixedLoad({ client, ...load })
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

async function measure({ quick }: { quick: boolean }): Promise<Measurement> {
  const load = quick ? { rate: 40, spanMs: 10_000, spans: 6 } : { rate: 150, spanMs: 60_000, spans: 10 }
  const spans = await measureMixedLoad(load)
  const seconds = load.spanMs / 1000
  return {
    columns: [],
    rows: spans.map((span, index) => createMixedRow(`${load.rate}/s, second ${index * seconds} on`, span)),
    aims: [createMixedAim(spans, seconds)],
  }
}

/** Measures lists on tables that have no statistics yet, beside writes that fill them. */
export const mixedSection: Section = {
  name: 'mixed',
  title: 'Lists and writes on an empty database, by the client over HTTP',
  measure,
}
