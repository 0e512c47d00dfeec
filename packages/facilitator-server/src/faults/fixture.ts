import type { DevAccount } from '@mintmark/devkit/chain/accounts'
import type { Random } from '@mintmark/devkit/random'
import type { Kysely } from 'kysely'
import { FAULT_POINTS } from '../payments/fault-points.ts'
import { signedBody, version1Body } from '../payments/testing.ts'
import type { Tables } from '../tables.ts'
import type { TestAccount } from '../testing.ts'
import type { BadUpstream } from './bad-upstream.ts'
import type { End } from './facilitator-process.ts'
import type { ProcessPool, RunningFacilitator } from './process-pool.ts'

/** Facilitators on one database that are killed one after another, with their payer, seller and upstream. */
export interface Fixture {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly random: Random
  readonly db: Kysely<Tables>
  /** Ends the database connections of all facilitators of this fixture. */
  cutConnections(): Promise<void>
  readonly accounts: readonly TestAccount[]
  readonly payer: DevAccount
  /** A wallet that receives payments from this fixture only. */
  readonly seller: string
  /** Undefined when the facilitators settle with their own keys. */
  readonly upstream: BadUpstream | undefined
  readonly payments: FixturePayment[]
  /** How often a success was returned, by nonce. */
  readonly delivered: Map<string, number>
  /** Numbers of ended processes, by the step at which they ended. */
  readonly kills: Map<string, number>
  /** How often a working process lost its database connections. */
  cuts: number
  /** Responses that no injected fault explains. */
  readonly surprises: string[]
}

export interface FixturePayment {
  readonly nonce: string
  readonly amount: bigint
  readonly account: TestAccount
  readonly body: Awaited<ReturnType<typeof signedBody>>
}

const BUILT_IN_STEPS: readonly End['at'][] = ['before-broadcast', 'after-broadcast']
const REMOTE_STEPS: readonly End['at'][] = ['before-upstream-call', 'after-upstream-call']

/** One day. Each block advances the chain's clock by a second, and a run has fewer blocks than that. */
export const VALID_BEFORE = BigInt(Math.floor(Date.now() / 1000) + 86_400)

/** Starts facilitators and kills them until `kills` of them have died while working. */
export async function killRepeatedly(
  fixture: Fixture,
  pool: ProcessPool,
  kills: number,
  log: (line: string) => void,
): Promise<void> {
  const wireSteps = fixture.upstream ? REMOTE_STEPS : BUILT_IN_STEPS
  const steps = [...FAULT_POINTS, ...wireSteps, ...wireSteps]
  while (countKills(fixture) < kills) {
    await killOne(fixture, pool, steps)
    // Its leases would block its settlements for half a minute, and no other process of this fixture is alive.
    await endLeases(fixture.db)
    const count = countKills(fixture)
    if (count % 25 === 0 && count > 0)
      log(`${fixture.name}: ${count} kills, ${fixture.payments.length} payments`)
  }
}

/** The number of kills that interrupted work. */
export function countKills({ kills }: Fixture): number {
  return [...kills].reduce((sum, [step, count]) => (step === 'at rest' ? sum : sum + count), 0)
}

/** Starts a facilitator, calls it, and kills it at a random step or time. */
async function killOne(fixture: Fixture, pool: ProcessPool, steps: readonly End['at'][]): Promise<void> {
  const { random } = fixture
  // One in four is killed at a random time instead of at a step.
  const end = random.chance(0.75) ? { at: random.pick(steps), time: random.pick([1, 1, 2, 4]) } : undefined
  const killAfterMs = end ? undefined : 5 + random.integer(250)
  const cutAfterMs = random.chance(0.15) ? random.integer(150) : undefined
  const calls = await createCalls(fixture, cutAfterMs !== undefined)
  const step = end?.at ?? 'at some moment'

  const started = await pool.start({ env: fixture.env, end })
  if (!('url' in started)) return addKill(fixture, step)
  const timers: NodeJS.Timeout[] = []
  if (killAfterMs !== undefined) timers.push(setTimeout(() => started.kill('SIGKILL'), killAfterMs))
  let cutting: Promise<void> | undefined
  const cut = () => {
    fixture.cuts += 1
    cutting = fixture.cutConnections()
  }
  if (cutAfterMs !== undefined) timers.push(setTimeout(cut, cutAfterMs))
  const responses = Promise.all(calls.map((call) => settle(fixture, started, call)))
  // Its sockets close before its exit is observed, so missing responses show that it died while working.
  const first = await Promise.race([responses, started.ended])
  const isAtRest = Array.isArray(first) && first.every(Boolean)
  for (const timer of timers) clearTimeout(timer)
  await cutting
  started.kill('SIGKILL')
  await started.ended
  await responses
  addKill(fixture, isAtRest ? 'at rest' : step)
}

function addKill({ kills }: Fixture, step: string): void {
  kills.set(step, (kills.get(step) ?? 0) + 1)
}

interface Call {
  readonly payment: FixturePayment
  readonly path: string
  readonly version: number
  /** Whether the database connections are closed during the call. */
  readonly mayFail: boolean
}

/** Chooses the calls of one process: new payments, and repetitions of earlier calls, which callers also make after a response. */
async function createCalls(fixture: Fixture, mayFail: boolean): Promise<Call[]> {
  const { random } = fixture
  const created = await signPayments(fixture, 3 + random.integer(3))
  const count = 1 + random.integer(4)
  const repeated = Array.from({ length: count }, () => random.pick(fixture.payments.slice(-30)))
  return [...created, ...repeated].map((payment) => ({
    payment,
    path: random.pick(['/settle', '/x402/settle']),
    version: random.pick([1, 2]),
    mayFail,
  }))
}

async function signPayments(fixture: Fixture, count: number): Promise<FixturePayment[]> {
  const { random, payer: account, seller: to } = fixture
  const created: FixturePayment[] = []
  while (created.length < count) {
    const nonce = `0x${random.hex(32)}`
    const amount = BigInt(1 + random.integer(1000))
    const body = await signedBody({ account, to, value: amount, nonce, validBefore: VALID_BEFORE })
    created.push({ nonce, amount, body, account: random.pick(fixture.accounts) })
  }
  fixture.payments.push(...created)
  return created
}

/** Sends one settle. Returns whether the facilitator responded. */
async function settle(fixture: Fixture, { url }: RunningFacilitator, call: Call): Promise<boolean> {
  const { path, version, mayFail } = call
  const { body, account, nonce } = call.payment
  let status: number
  let text: string
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(version === 1 ? version1Body(body) : body),
    })
    status = response.status
    text = await response.text()
  } catch {
    // The process was killed, as this test intends.
    return false
  }
  const isSuccess = status === 200 && (path === '/settle' || JSON.parse(text).success === true)
  if (isSuccess) fixture.delivered.set(nonce, (fixture.delivered.get(nonce) ?? 0) + 1)
  const isPending = status === 503 && /SettlementPending|SettlementNotSent/.test(text)
  const isExpected = status === 200 || status === 400 || isPending
  if (!isExpected && !mayFail) fixture.surprises.push(`${path} responded with ${status} ${text}`)
  return true
}

/**
 * Ends the leases of dead processes, so that their settlements can be taken over. PostgreSQL still executes the last statement
 * of a killed process. Its rows are left for the next call, because waiting for them could deadlock with it.
 */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('facilitator.settlements')
    .set({ lease_until: new Date(0) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('facilitator.settlements')
        .select('id')
        .where('lease_until', 'is not', null)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
