import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ReadersOrder, ReadersReport, ReadersTarget } from './event-readers.ts'
import { type Row, summarize } from './figures.ts'
import { type GatewayStorage, startStorage } from './gateway-environment.ts'
import { readServerCpuSeconds } from './load-runs.ts'
import { nextMessage, startChild, startServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { formatMs, median } from './statistics.ts'

const EVENTS_PER_SECOND = 1000
const STREAMS = 200
/** Changes of one transaction. */
const CHANGES = 20
const MAX_P99_MS = 250

interface Load {
  readonly name: string
  readonly projects: number
}

/** In the first, each event is delivered to every stream. */
const LOADS: readonly Load[] = [
  { name: 'one project, 200 streams', projects: 1 },
  { name: '20 projects, 10 streams each', projects: 20 },
]

type Project = Awaited<ReturnType<GatewayStorage['newKey']>>

let wallets = 0

/** Adds wallets whose names are the time, so that the sequencer reports them. */
async function addWallets({ owner }: GatewayStorage, { projectId }: Project): Promise<void> {
  await sql`
    insert into gateway.wallet_info (project_id, address, name)
    select ${projectId}, '0x' || lpad(to_hex(n), 40, '0'), ${String(Date.now())}
    from generate_series(${wallets}::int, ${wallets + CHANGES - 1}::int) n`.execute(owner.system)
  wallets += CHANGES
}

/** Makes changes at the fixed rate, in the projects in turn. Returns how many changes each project has. */
async function makeChanges(
  storage: GatewayStorage,
  projects: readonly Project[],
  milliseconds: number,
): Promise<number> {
  const rounds = Math.round((milliseconds * EVENTS_PER_SECOND) / 1000 / CHANGES / projects.length)
  const startedAt = performance.now()
  for (let serial = 0; serial < rounds * projects.length; serial += 1) {
    const due = startedAt + (serial * CHANGES * 1000) / EVENTS_PER_SECOND
    await pause(Math.max(0, due - performance.now()))
    const project = projects[serial % projects.length]
    if (project !== undefined) await addWallets(storage, project)
  }
  return rounds * CHANGES
}

async function measureLoad(
  storage: GatewayStorage,
  { name, projects: count }: Load,
  { rounds, spanMs, onRound }: { rounds: number; spanMs: number; onRound(): void },
): Promise<{ row: Row; p99: number }> {
  await using stops = new AsyncDisposableStack()
  const port = await startServer(stops, 'gateway', {
    DATABASE_URL: storage.databaseUrl,
    SECRET_KEYS: storage.secretKeys,
    EVENT_STREAMS_PER_PROJECT: String(STREAMS),
    LOG_LEVEL: 'info',
  })
  const projects: Project[] = []
  for (let index = 0; index < count; index += 1) projects.push(await storage.newKey(`${name} ${index}`))
  const child = startChild(stops, 'event-readers.ts')
  const opened = nextMessage(child)
  const order: ReadersOrder = {
    baseUrl: `http://127.0.0.1:${port}`,
    projects,
    streamsPerProject: STREAMS / count,
  }
  child.send(order)
  await opened
  const reports: ReadersReport[] = []
  const costs: number[] = []
  let total = 0
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const cpuSeconds = await readServerCpuSeconds(port)
    const changes = await makeChanges(storage, projects, spanMs)
    total += changes
    const nextReport = nextMessage<ReadersReport>(child)
    child.send({ events: total } satisfies ReadersTarget)
    const report = await nextReport
    onRound()
    if (round === 0) continue
    reports.push(report)
    costs.push((((await readServerCpuSeconds(port)) - cpuSeconds) * 1e6) / (changes * count))
  }
  const listOf = (figure: keyof ReadersReport) => reports.map((report) => report[figure])
  const lists = [listOf('median'), listOf('p99'), listOf('max'), listOf('deliveries'), costs]
  return { row: { name, figures: lists.map(summarize) }, p99: median(listOf('p99')) }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const plan = quick ? { rounds: 2, spanMs: 3000 } : { rounds: 5, spanMs: 10_000 }
  const results: { row: Row; p99: number }[] = []
  let round = 0
  const onRound = () => {
    round += 1
    onStep(round, LOADS.length * (plan.rounds + 1))
  }
  for (const load of LOADS) results.push(await measureLoad(storage, load, { ...plan, onRound }))
  return {
    columns: [
      { name: 'median', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
      { name: 'slowest', unit: 'ms' },
      { name: 'deliveries', unit: 'count' },
      { name: 'CPU of the gateway per event', unit: 'µs' },
    ],
    rows: results.map(({ row }) => row),
    aims: results.map(({ row, p99 }) => ({
      text: `${row.name}: 99 % within ${MAX_P99_MS} ms of the change: ${formatMs(p99)}`,
      reached: p99 <= MAX_P99_MS,
    })),
  }
}

/**
 * Measures how long an event takes from its change, before the commit, until the streams of another process
 * have received it.
 */
export const eventsSection: Section = {
  name: 'events',
  title: `${EVENTS_PER_SECOND} events per second to ${STREAMS} streams: from the change to the arrival, medians of the rounds`,
  measure,
}
