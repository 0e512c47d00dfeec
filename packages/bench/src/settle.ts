import { startDevChain } from '@mintmark/devkit/chain/start'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { signBodies, startFacilitator, startStorage } from './facilitator-environment.ts'
import { type Row, summarize, toFigure } from './figures.ts'
import { startChildServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { formatDifference, median, percentile, runLanes, timed } from './statistics.ts'

/** How long the upstream takes for a settle. */
const UPSTREAM_MS = 10
const LANES = 8
/** How much longer a settle of ours may take than one at the upstream, at the median. */
const MAX_ADDED_MS = 5

/**
 * Milliseconds of a settle at the upstream, of one through us, and of what the disk takes, measured one after
 * the other.
 */
interface Round {
  readonly direct: number
  readonly ours: number
  /** Two commits of one row: a settle has one before the call of the upstream, and one after. */
  readonly commits: number
}

type Settle = (body: object) => Promise<void>

interface Compared {
  readonly settleDirectly: Settle
  readonly settleWithUs: Settle
  commit(): Promise<unknown>
}

function createSettle(url: string, headers: Record<string, string>): Settle {
  return async (body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok || !text.includes('"success":true')) throw new Error(`A settle failed: ${text}`)
  }
}

/** Each lane settles one payment after the other, at the upstream and through us in turns. */
async function runRounds(compared: Compared, count: number, lanes: number): Promise<Round[]> {
  const { settleDirectly, settleWithUs, commit } = compared
  // A payment is executed once, so each of both has its own.
  const bodies = await signBodies(2 * count)
  const rounds: Round[] = []
  await runLanes(lanes, async () => {
    for (;;) {
      const [body, other] = bodies.splice(-2)
      if (body === undefined || other === undefined) return
      rounds.push({
        direct: await timed(() => settleDirectly(other)),
        ours: await timed(() => settleWithUs(body)),
        commits: await timed(async () => {
          await commit()
          await commit()
        }),
      })
    }
  })
  return rounds
}

async function startCompared(stops: AsyncDisposableStack): Promise<Compared> {
  const storage = await startStorage(stops)
  const { token } = await storage.newAccount()
  const owner = openDatabase({ url: storage.databaseUrl, max: LANES })
  stops.defer(() => owner.close())
  await sql`create table bench_commits (at timestamptz)`.execute(owner.system)
  const chain = await startDevChain({ port: 0 })
  stops.defer(() => chain.stop())
  const delay = String(UPSTREAM_MS)
  const upstream = `http://127.0.0.1:${await startChildServer(stops, 'settling-upstream.ts', [chain.rpcUrl, delay])}`
  const settings = { UPSTREAM_FACILITATOR_URL: upstream }
  const port = await startFacilitator(stops, storage, chain.rpcUrl, settings)
  const url = `http://127.0.0.1:${port}/x402/settle`
  return {
    settleDirectly: createSettle(`${upstream}/settle`, {}),
    settleWithUs: createSettle(url, { authorization: `Bearer ${token}` }),
    commit: () => sql`insert into bench_commits values (clock_timestamp())`.execute(owner.system),
  }
}

const getAdded = (rounds: readonly Round[]) => rounds.map(({ direct, ours }) => ours - direct)

function createRow(name: string, rounds: readonly Round[]): Row {
  const figures = [
    summarize(rounds.map(({ direct }) => direct)),
    summarize(rounds.map(({ ours }) => ours)),
    summarize(getAdded(rounds)),
    toFigure(percentile(getAdded(rounds), 0.95)),
    summarize(rounds.map(({ commits }) => commits)),
  ]
  return { name, figures }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const compared = await startCompared(stops)
  const count = quick ? 150 : 600
  // The server's code is optimized after this many settles.
  await runRounds(compared, quick ? 300 : 600, LANES)
  onStep(1, 3)
  const alone = await runRounds(compared, count, 1)
  onStep(2, 3)
  const concurrent = await runRounds(compared, 2 * count, LANES)
  const added = median(getAdded(alone))
  return {
    columns: [
      { name: 'at the upstream', unit: 'ms' },
      { name: 'through us', unit: 'ms' },
      { name: 'added', unit: 'ms', isDifference: true },
      { name: 'added, p95', unit: 'ms', isDifference: true },
      { name: 'two commits alone', unit: 'ms' },
    ],
    rows: [createRow('one at a time', alone), createRow(`${LANES} concurrent`, concurrent)],
    aims: [
      {
        text: `a settle at most ${MAX_ADDED_MS} ms above the upstream's, at the median, one at a time: ${formatDifference(added)} ms`,
        reached: added <= MAX_ADDED_MS,
      },
    ],
  }
}

/**
 * Measures what our settle adds to a call of its upstream: our verify on the chain, and the hold and the
 * charge on disk.
 */
export const settleSection: Section = {
  name: 'settle',
  title: `A settle through us beside one at its upstream, which takes ${UPSTREAM_MS} ms; anvil, PostgreSQL on disk`,
  measure,
}
