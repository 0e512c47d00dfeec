import type { DevAccount } from '@mintmark/devkit/chain/accounts'
import type { Random } from '@mintmark/devkit/random'
import type { Kysely } from 'kysely'
import { FAULT_POINTS } from '../../packages/facilitator-server/src/payments/fault-points.ts'
import { signedBody, version1Body } from '../../packages/facilitator-server/src/payments/testing.ts'
import type { Tables } from '../../packages/facilitator-server/src/tables.ts'
import type { TestAccount } from '../../packages/facilitator-server/src/testing.ts'
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

const builtInSteps: readonly End['at'][] = ['before-broadcast', 'after-broadcast']
const remoteSteps: readonly End['at'][] = ['before-upstream-call', 'after-upstream-call']

/** Starts facilitators and kills them until `kills` of them have died while working. */
export async function killRepeatedly(
  fixture: Fixture,
  pool: ProcessPool,
  kills: number,
  log: (line: string) => void,
): Promise<void> {
  const wire = fixture.upstream ? remoteSteps : builtInSteps
  const steps = [...FAULT_POINTS, ...wire, ...wire]
  while (killed(fixture) < kills) {
    await runToDeath(fixture, pool, steps)
    // Its leases would block its settlements for half a minute, and no other process of this fixture is alive.
    await endLeases(fixture.db)
    const count = killed(fixture)
    if (count % 25 === 0 && count > 0)
      log(`${fixture.name}: ${count} kills, ${fixture.payments.length} payments`)
  }
}

/** The number of kills that interrupted work. */
export function killed({ kills }: Fixture): number {
  return [...kills].reduce((sum, [where, count]) => (where === 'at rest' ? sum : sum + count), 0)
}

async function runToDeath(fixture: Fixture, pool: ProcessPool, steps: readonly End['at'][]): Promise<void> {
  const { random } = fixture
  // One in four is killed at a random time instead of at a step.
  const end = random.chance(0.75) ? { at: random.pick(steps), time: random.pick([1, 1, 2, 4]) } : undefined
  const moment = end ? undefined : 5 + random.integer(250)
  const cut = random.chance(0.15) ? random.integer(150) : undefined
  const fresh = await signPayments(fixture, 3 + random.integer(3))
  // Callers without a response retry the call, and so do some callers with a response.
  const repeats = Array.from({ length: 1 + random.integer(4) }, () =>
    random.pick(fixture.payments.slice(-30)),
  )
  const calls = [...fresh, ...repeats].map((payment) => ({
    payment,
    path: random.pick(['/settle', '/x402/settle']),
    version: random.pick([1, 2]),
  }))

  const started = await pool.start({ env: fixture.env, end })
  if (!('url' in started)) return count(fixture, end?.at ?? 'at some moment')
  const timers: NodeJS.Timeout[] = []
  if (moment !== undefined) timers.push(setTimeout(() => started.kill('SIGKILL'), moment))
  let cutting: Promise<void> | undefined
  if (cut !== undefined) {
    timers.push(
      setTimeout(() => {
        fixture.cuts += 1
        cutting = fixture.cutConnections()
      }, cut),
    )
  }
  const answers = Promise.all(
    calls.map((call) => settle(fixture, started, { ...call, mayFail: cut !== undefined })),
  )
  // Its sockets close before its exit is observed, so missing responses show that it died while working.
  const first = await Promise.race([answers, started.ended])
  const atRest = Array.isArray(first) && first.every(Boolean)
  for (const timer of timers) clearTimeout(timer)
  await cutting
  started.kill('SIGKILL')
  await started.ended
  await answers
  count(fixture, atRest ? 'at rest' : (end?.at ?? 'at some moment'))
}

function count({ kills }: Fixture, where: string): void {
  kills.set(where, (kills.get(where) ?? 0) + 1)
}

async function signPayments(fixture: Fixture, number: number): Promise<FixturePayment[]> {
  const made: FixturePayment[] = []
  for (let each = 0; each < number; each += 1) {
    const nonce = `0x${fixture.random.hex(32)}`
    const amount = BigInt(1 + fixture.random.integer(1000))
    const body = await signedBody({
      account: fixture.payer,
      to: fixture.seller,
      value: amount,
      nonce,
      validBefore,
    })
    made.push({ nonce, amount, body, account: fixture.random.pick(fixture.accounts) })
  }
  fixture.payments.push(...made)
  return made
}

/** One day. Each block advances the chain's clock by a second, and a run has fewer blocks than that. */
export const validBefore = BigInt(Math.floor(Date.now() / 1000) + 86_400)

interface Call {
  readonly payment: FixturePayment
  readonly path: string
  readonly version: number
  /** Whether the database connections were closed during the call. */
  readonly mayFail: boolean
}

/** Sends one settle. Returns whether the facilitator responded. */
async function settle(
  fixture: Fixture,
  server: RunningFacilitator,
  { payment, path, version, mayFail }: Call,
): Promise<boolean> {
  const { body, account, nonce } = payment
  let status: number
  let text: string
  try {
    const response = await fetch(`${server.url}${path}`, {
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
  const success = path === '/settle' ? status === 200 : status === 200 && JSON.parse(text).success === true
  if (success) fixture.delivered.set(nonce, (fixture.delivered.get(nonce) ?? 0) + 1)
  const expected =
    [200, 400].includes(status) || (status === 503 && /SettlementPending|SettlementNotSent/.test(text))
  if (!expected && !mayFail) fixture.surprises.push(`${path} responded with ${status} ${text}`)
  return true
}

/** Ends the leases of dead processes, so that their settlements can be taken over. */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('facilitator.settlements')
    .set({ lease_until: new Date(0) })
    .where('lease_until', 'is not', null)
    .execute()
}
