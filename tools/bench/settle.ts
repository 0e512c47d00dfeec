import { devChainId, treasuryAddress } from '@mintmark/devkit/chain/chain'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { createSecretKey, openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { openFacilitator, prepareFacilitator, richAccount, signedBodies } from './paying-account.ts'
import { nextMessage, startBeside, startCommand, startDatabase } from './processes.ts'
import { type Measured, median, type Row, type Section } from './section.ts'

/** What the upstream takes for a settle, in milliseconds. */
const UPSTREAM_MS = 10
const LANES = 8
/** What a settle of ours may take longer than one at the upstream, in milliseconds, at the median. */
const ALLOWED = 5

/** Milliseconds of a settle at the upstream, of one through us, and of what the disk takes, made one after the other. */
interface Round {
  readonly direct: number
  readonly ours: number
  /** Two commits of one row: a settle has one before the call of the upstream, and one after. */
  readonly commits: number
}

type Settle = (body: object) => Promise<void>
interface Ways {
  direct: Settle
  ours: Settle
  commit(): Promise<unknown>
}

function settleAt(url: string, headers: Record<string, string>): Settle {
  return async (body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok || !text.includes('"success":true')) throw new Error(`a settle failed: ${text}`)
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Each lane settles one payment after the other, at the upstream and through us in turns. */
async function rounds(ways: Ways, bodies: object[], lanes: number): Promise<Round[]> {
  const seen: Round[] = []
  const commitTwice = async () => {
    await ways.commit()
    await ways.commit()
  }
  const lane = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      // A payment is executed once: each way has one of its own.
      const payment = body
      const other = bodies.pop()
      if (other === undefined) return
      seen.push({
        direct: await timed(() => ways.direct(other)),
        ours: await timed(() => ways.ours(payment)),
        commits: await timed(commitTwice),
      })
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return seen
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  await using stops = new AsyncDisposableStack()
  const databaseUrl = await startDatabase(stops)
  await prepareFacilitator(databaseUrl)
  const database = openFacilitator(databaseUrl)
  stops.defer(() => database.close())
  const { token } = await richAccount(database)
  const owner = openDatabase({ url: databaseUrl, max: LANES })
  stops.defer(() => owner.close())
  const chain = await startDevChain({ port: 0 })
  stops.defer(() => chain.stop())
  const upstream = await nextMessage<number>(
    startBeside(stops, 'settling-upstream.ts', [chain.rpcUrl, `${UPSTREAM_MS}`]),
  )
  const port = await startCommand(stops, 'facilitator', {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: createSecretKey('bench'),
    CHAINS: `${devChainId}=${chain.rpcUrl}`,
    FINALITY: '2',
    UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${upstream}`,
    TREASURY_CHAIN: String(devChainId),
    TREASURY_ADDRESS: treasuryAddress,
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
  })
  await sql`create table bench_commits (at timestamptz)`.execute(owner.system)
  const ways: Ways = {
    direct: settleAt(`http://127.0.0.1:${upstream}/settle`, {}),
    ours: settleAt(`http://127.0.0.1:${port}/x402/settle`, { authorization: `Bearer ${token}` }),
    commit: () => sql`insert into bench_commits values (clock_timestamp())`.execute(owner.system),
  }
  const payments = quick ? 150 : 600
  // Until the server's code is compiled as it will stay.
  await rounds(ways, await signedBodies(quick ? 600 : 1200), LANES)
  const alone = await rounds(ways, await signedBodies(2 * payments), 1)
  const together = await rounds(ways, await signedBodies(4 * payments), LANES)
  return table(alone, together)
}

/** The value that 95 of 100 do not exceed. */
function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
}

function table(alone: readonly Round[], together: readonly Round[]): Measured {
  const added = (seen: readonly Round[]) => seen.map(({ direct, ours }) => ours - direct)
  const row = (name: string, seen: readonly Round[]): Row => ({
    name,
    figures: [
      median(seen.map(({ direct }) => direct)),
      median(seen.map(({ ours }) => ours)),
      median(added(seen)),
      percentile95(added(seen)),
      median(seen.map(({ commits }) => commits)),
    ].map((value) => value.toFixed(1)),
  })
  const aim = (name: string, seen: readonly Round[]) => {
    const more = median(added(seen))
    return {
      text: `a settle at most ${ALLOWED} ms above the upstream's, at the median, ${name}: +${more.toFixed(1)} ms`,
      reached: more <= ALLOWED,
    }
  }
  return {
    columns: ['upstream ms', 'through us ms', 'added', 'added, p95', 'two commits alone'],
    rows: [row('one at a time', alone), row(`${LANES} concurrent`, together)],
    aims: [aim('one at a time', alone)],
  }
}

/** What our settle adds to a call of its upstream: our verify on the chain, and the hold and the charge on disk. */
export const settleSection: Section = {
  name: 'settle',
  title: `A settle through us beside one at its upstream, which takes ${UPSTREAM_MS} ms; anvil, PostgreSQL on disk`,
  measure,
}
