import type { Ended, RunningProcess } from '@mintmark/devkit/process-pool'
import type { Random } from '@mintmark/devkit/random'
import type { FaultyNode } from '@mintmark/devkit/testing'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { FAULT_POINTS } from '../engine/settings/fault-points.ts'
import type { TestAccount } from '../testing.ts'
import type { BadUpstream } from './bad-upstream.ts'
import type { End } from './facilitator-process.ts'
import { REORGANIZATION_RATE, type Reorganizer } from './faulty-chain.ts'
import type { FixturePayment, Load } from './load.ts'
import type { FacilitatorPool } from './process-pool.ts'

/** Facilitators on one database that are killed one after another, with their payer, seller and upstream. */
export interface Fixture {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  /** The settings that processes which are replaced have. Default: `env`. */
  readonly oldEnv: Readonly<Record<string, string>> | undefined
  readonly random: Random
  readonly db: Kysely<Tables>
  /** Ends the database connections of all facilitators of this fixture. */
  cutConnections(): Promise<void>
  readonly accounts: readonly TestAccount[]
  /** The addresses of the facilitators' keys. */
  readonly signers: readonly string[]
  /** A wallet that receives payments from this fixture only. */
  readonly seller: string
  /** Undefined when the facilitators settle with their own keys. */
  readonly upstream: BadUpstream | undefined
  /** The only node that the facilitators know. */
  readonly node: FaultyNode
  readonly reorganizer: Reorganizer
  readonly load: Load
  readonly payments: FixturePayment[]
  /** How often a success was returned, by nonce. */
  readonly delivered: Map<string, number>
  /** Numbers of ended processes, by the step at which they ended. */
  readonly kills: Map<string, number>
  /** How often a working process lost its database connections. */
  cuts: number
  /** How often the newest blocks were replaced. */
  reorganizations: number
  /** Responses that no injected fault explains. */
  readonly surprises: string[]
}

const BUILT_IN_STEPS: readonly End['at'][] = ['before-broadcast', 'after-broadcast']
const REMOTE_STEPS: readonly End['at'][] = ['before-upstream-call', 'after-upstream-call']

/** One day. Each block advances the chain's clock by a second, and a run has fewer blocks than that. */
export const VALID_BEFORE = BigInt(Math.floor(Date.now() / 1000) + 86_400)

/** Starts facilitators and kills them until `kills` of them have died while working. */
export async function killRepeatedly(
  fixture: Fixture,
  pool: FacilitatorPool,
  kills: number,
  onRound: () => void,
): Promise<void> {
  const wireSteps = fixture.upstream ? REMOTE_STEPS : BUILT_IN_STEPS
  const steps = [...FAULT_POINTS, ...wireSteps, ...wireSteps]
  while (countKills(fixture) < kills) {
    await runRound(fixture, pool, steps)
    // The leases of the dead would block their settlements for half a minute, and no process of this fixture
    // is alive.
    await endLeases(fixture.db)
    onRound()
  }
}

/** The number of kills that interrupted work. */
export function countKills({ kills }: Fixture): number {
  return [...kills].reduce((sum, [step, count]) => (step === 'at rest' ? sum : sum + count), 0)
}

/** A process of a round. */
interface ProcessPlan {
  readonly env: Fixture['env']
  /** Where it ends. Undefined: at a time. */
  readonly end: End | undefined
  readonly killAfterMs: number
}

/** What happens in one round. */
interface Round {
  readonly ends: readonly ProcessPlan[]
  readonly calls: readonly Call[]
  readonly cutAfterMs: number | undefined
  /** When the leases end although a process may still work: it pauses for longer than its lease. */
  readonly endLeasesAfterMs: number | undefined
  readonly reorganizes: boolean
  /**
   * The only node stays this many blocks behind the chain for a while: it has none of the latest payments.
   */
  readonly lag: { readonly blocks: number; readonly forMs: number } | undefined
}

/** The share of the rounds that begin with a node that is behind. */
const LAG_RATE = 0.2
const MAX_LAG_MS = 1_500
/** The chain adds several blocks while a process starts, so that a smaller lag hides few payments. */
const LAGS = [1, 5, 20, 60]

async function chooseRound(fixture: Fixture, steps: readonly End['at'][]): Promise<Round> {
  const { random, oldEnv } = fixture
  const count = random.chance(0.25) ? 2 : 1
  const ends = Array.from({ length: count }, () => {
    // One in four is killed at a random time instead of at a step.
    const end = random.chance(0.75) ? { at: random.pick(steps), time: random.pick([1, 1, 2, 4]) } : undefined
    const killAfterMs = 5 + random.integer(250)
    const env = oldEnv !== undefined && random.chance(0.5) ? oldEnv : fixture.env
    return { env, end, killAfterMs }
  })
  const cutAfterMs = random.chance(0.15) ? random.integer(150) : undefined
  const endLeasesAfterMs = random.chance(0.1) ? random.integer(200) : undefined
  const reorganizes = random.chance(REORGANIZATION_RATE)
  const lag = random.chance(LAG_RATE)
    ? { blocks: random.pick(LAGS), forMs: random.integer(MAX_LAG_MS) }
    : undefined
  const calls = await createCalls(fixture, { processes: count, mayFail: cutAfterMs !== undefined })
  return { ends, calls, cutAfterMs, endLeasesAfterMs, reorganizes, lag }
}

/** Starts one facilitator or two, calls them, and kills each at a random step or time. */
async function runRound(fixture: Fixture, pool: FacilitatorPool, steps: readonly End['at'][]): Promise<void> {
  const { ends, calls, cutAfterMs, endLeasesAfterMs, reorganizes, lag } = await chooseRound(fixture, steps)
  if (lag !== undefined) await fixture.node.lag(lag.blocks)
  const started = await Promise.all(ends.map(({ end, env }) => pool.start({ env, end })))
  const timers: NodeJS.Timeout[] = []
  const interruptions: Promise<unknown>[] = []
  const schedule = (afterMs: number | undefined, run: () => Promise<unknown>) => {
    if (afterMs !== undefined) timers.push(setTimeout(() => interruptions.push(run()), afterMs))
  }
  schedule(cutAfterMs, () => {
    fixture.cuts += 1
    return fixture.cutConnections()
  })
  schedule(endLeasesAfterMs, () => endLeases(fixture.db))
  schedule(lag?.forMs, async () => fixture.node.catchUp())
  const ended = new AbortController()
  if (reorganizes) interruptions.push(reorganize(fixture, ended.signal))
  const disturbance = fixture.load.disturb?.(ended.signal)
  await Promise.all(
    started.map(async (facilitator, index) => {
      const step = ends[index]?.end?.at ?? 'at some moment'
      const own = calls.filter((call) => call.process === index)
      const killAfterMs = ends[index]?.end === undefined ? ends[index]?.killAfterMs : undefined
      addKill(fixture, await callAndKill(fixture, facilitator, { calls: own, step, killAfterMs }))
    }),
  )
  for (const timer of timers) clearTimeout(timer)
  fixture.node.catchUp()
  ended.abort()
  await Promise.all([...interruptions, disturbance])
}

async function reorganize(fixture: Fixture, signal: AbortSignal): Promise<void> {
  if (await fixture.reorganizer.replaceNext(fixture.random, signal)) fixture.reorganizations += 1
}

/**
 * Calls a facilitator until it dies or has responded to all calls, and kills it. Returns the step at which it
 * died.
 */
async function callAndKill(
  fixture: Fixture,
  facilitator: RunningProcess | Ended,
  { calls, step, killAfterMs }: { calls: readonly Call[]; step: string; killAfterMs: number | undefined },
): Promise<string> {
  if (!('url' in facilitator)) return step
  const timer =
    killAfterMs === undefined ? undefined : setTimeout(() => facilitator.kill('SIGKILL'), killAfterMs)
  const responses = Promise.all(calls.map((call) => settle(fixture, facilitator, call)))
  // Its sockets close before its exit is observed, so missing responses show that it died while working.
  const first = await Promise.race([responses, facilitator.ended])
  clearTimeout(timer)
  facilitator.kill('SIGKILL')
  await facilitator.ended
  await responses
  return Array.isArray(first) && first.every(Boolean) ? 'at rest' : step
}

function addKill({ kills }: Fixture, step: string): void {
  kills.set(step, (kills.get(step) ?? 0) + 1)
}

interface Call {
  readonly payment: FixturePayment
  readonly path: string
  readonly version: number
  /** The place of the process among those of the round. */
  readonly process: number
  /** Whether the database connections are closed during the call. */
  readonly mayFail: boolean
}

/**
 * Chooses the calls of a round: new payments, and repetitions of earlier calls, which callers also make after
 * a response.
 */
async function createCalls(
  fixture: Fixture,
  { processes, mayFail }: { processes: number; mayFail: boolean },
): Promise<Call[]> {
  const { random } = fixture
  const newCount = processes * (2 + random.integer(3))
  const created: FixturePayment[] = []
  while (created.length < newCount) {
    const payment = await fixture.load.sign(fixture)
    if (payment !== undefined) created.push(payment)
  }
  fixture.payments.push(...created)
  const count = processes * (1 + random.integer(4))
  const repeated = Array.from({ length: count }, () => random.pick(fixture.payments.slice(-30)))
  return [...created, ...repeated].map((payment) => ({
    payment,
    path: random.pick(['/settle', '/x402/settle']),
    version: random.pick([1, 2]),
    process: random.integer(processes),
    mayFail,
  }))
}

/** Sends one settle. Returns whether the facilitator responded. */
async function settle(fixture: Fixture, { url }: RunningProcess, call: Call): Promise<boolean> {
  const { path, version, mayFail } = call
  const { bodies, account, nonce, operation, onSuccess } = call.payment
  let status: number
  let text: string
  try {
    const response = await fetch(`${url}${operation === undefined ? path : `/x402/${operation}`}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodies[version % bodies.length]),
    })
    status = response.status
    text = await response.text()
  } catch {
    // The process was killed, as this test intends.
    return false
  }
  const isSuccess =
    status === 200 &&
    (operation === 'verify' ? JSON.parse(text).isValid : path === '/settle' || JSON.parse(text).success) ===
      true
  if (isSuccess) {
    fixture.delivered.set(nonce, (fixture.delivered.get(nonce) ?? 0) + 1)
    onSuccess?.()
  }
  // The caller may repeat the request. The database is busy while the machine starts many processes.
  const isUndecided = status === 503 && /SettlementPending|SettlementNotSent|The database is busy/.test(text)
  const isExpected = status === 200 || status === 400 || isUndecided
  if (!isExpected && !mayFail) fixture.surprises.push(`${path} responded with ${status} ${text}`)
  return true
}

/**
 * Ends the leases of dead processes, so that their settlements can be taken over. Those that were due before
 * stay first in the queue. PostgreSQL still executes the last statement of a killed process. Its rows are
 * left for the next call, because waiting for them could deadlock with it.
 */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await sql`
    update facilitator.settlements set lease_until = clock_timestamp()
    where id in (
      select id from facilitator.settlements where lease_until > clock_timestamp() for update skip locked)`.execute(
    db,
  )
}
