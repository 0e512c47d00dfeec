import { sql } from 'kysely'
import { type Row, summarize, toFigure } from './figures.ts'
import { createProjectClient, startGateway, startStorage } from './gateway-environment.ts'
import { type MixedLoad, runMixedLoad, type Span } from './mixed-load.ts'
import type { Aim, Measurement, MeasureOptions, Section } from './section.ts'
import { median, percentile } from './statistics.ts'

const WARM_UP = { rate: 40, spanMs: 10_000, spans: 1 }
/** How much longer calls of an empty database may take than later ones. */
const MAX_MIXED_RATIO = 2

async function measureMixedLoad(load: Omit<MixedLoad, 'client'>): Promise<Span[]> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const baseUrl = `http://127.0.0.1:${await startGateway(stops, storage)}`
  const { client: warmUpClient } = await createProjectClient(storage, 'warm-up', { baseUrl })
  await runMixedLoad({ client: warmUpClient, ...WARM_UP, onSpan: () => undefined })
  // Truncated tables are like new ones.
  await sql`truncate gateway.cards, gateway.wallet_info cascade`.execute(storage.owner.system)
  const { client } = await createProjectClient(storage, 'bench', { baseUrl })
  return await runMixedLoad({ client, ...load })
}

function getPercentiles({ milliseconds }: Span) {
  return { median: median(milliseconds), p99: percentile(milliseconds, 0.99) }
}

function createMixedRow(name: string, span: Span): Row {
  const { p99 } = getPercentiles(span)
  const counts = [toFigure(span.milliseconds.length), toFigure(span.failed)]
  return { name, figures: [summarize(span.milliseconds), toFigure(p99), ...counts] }
}

function createMixedAim(spans: readonly Span[], seconds: number): Aim {
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) throw new Error('Nothing was measured')
  const [early, late] = [getPercentiles(first), getPercentiles(last)]
  const ratios = { median: early.median / late.median, p99: early.p99 / late.p99 }
  return {
    text: `the first ${seconds} s of a mixed load on an empty database take at most ${MAX_MIXED_RATIO} times the last: median ${ratios.median.toFixed(2)} ×, p99 ${ratios.p99.toFixed(2)} ×`,
    reached: ratios.median <= MAX_MIXED_RATIO && ratios.p99 <= MAX_MIXED_RATIO,
  }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  const load = quick ? { rate: 40, spanMs: 10_000, spans: 6 } : { rate: 150, spanMs: 60_000, spans: 10 }
  const spans = await measureMixedLoad({ ...load, onSpan: onStep })
  const seconds = load.spanMs / 1000
  const nameSpan = (index: number) => `${load.rate}/s, second ${index * seconds} on`
  return {
    columns: [
      { name: 'median', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
      { name: 'calls', unit: 'count' },
      { name: 'failed', unit: 'count' },
    ],
    rows: spans.map((span, index) => createMixedRow(nameSpan(index), span)),
    aims: [createMixedAim(spans, seconds)],
  }
}

/** Measures lists on tables that have no statistics yet, beside writes that fill them. */
export const mixedSection: Section = {
  name: 'mixed',
  title: 'Lists and writes on an empty database, by the client over HTTP',
  measure,
}
