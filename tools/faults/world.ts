import type { DevAccount } from '@mintmark/devkit/chain/accounts'
import type { Random } from '@mintmark/devkit/random'
import type { Kysely } from 'kysely'
import { signedBody, version1Body } from '../../packages/facilitator-server/src/payments/testing.ts'
import type { Tables } from '../../packages/facilitator-server/src/tables.ts'
import type { TestAccount } from '../../packages/facilitator-server/src/testing.ts'
import type { BadUpstream } from './bad-upstream.ts'
import type { End } from './victim.ts'
import type { Victim, Victims } from './victims.ts'

/** Facilitators on one database that are killed one after the other, with their payer, seller and upstream. */
export interface World {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly random: Random
  readonly db: Kysely<Tables>
  /** Ends the database connections of all facilitators of this world. */
  cutConnections(): Promise<void>
  readonly accounts: readonly TestAccount[]
  readonly payer: DevAccount
  /** A wallet that nobody else pays. */
  readonly seller: string
  /** Undefined where the facilitators settle by themselves. */
  readonly upstream: BadUpstream | undefined
  readonly payments: WorldPayment[]
  /** How often a success was returned, by nonce. */
  readonly delivered: Map<string, number>
  /** Processes that ended, by where. */
  readonly kills: Map<string, number>
  /** How often the database was taken away from a process that worked. */
  cuts: number
  /** Responses that no fault explains. */
  readonly surprises: string[]
}

export interface WorldPayment {
  readonly nonce: string
  readonly amount: bigint
  readonly account: TestAccount
  readonly body: Awaited<ReturnType<typeof signedBody>>
}

const engineSteps: readonly End['at'][] = [
  'before-hold',
  'in-hold-transaction',
  'after-hold-commit',
  'after-upstream',
  'in-ending-transaction',
  'after-ending-commit',
  'reconcile-claimed',
  'reconcile-inspected',
  'reconcile-ended',
]
const builtInSteps: readonly End['at'][] = ['before-broadcast', 'after-broadcast']
const remoteSteps: readonly End['at'][] = ['before-upstream-call', 'after-upstream-call']

/** Runs facilitators and kills them until `kills` of them died while working. */
export async function killInWorld(
  world: World,
  victims: Victims,
  wanted: number,
  tell: (line: string) => void,
): Promise<void> {
  const wire = world.upstream ? remoteSteps : builtInSteps
  const steps = [...engineSteps, ...wire, ...wire]
  while (killed(world) < wanted) {
    await runToDeath(world, victims, steps)
    // Its leases would keep its settlements for half a minute; nobody else is alive in this world.
    await endLeases(world.db)
    const count = killed(world)
    if (count % 25 === 0 && count > 0)
      tell(`${world.name}: ${count} kills, ${world.payments.length} payments`)
  }
}

/** Kills that interrupted something. */
export function killed({ kills }: World): number {
  return [...kills].reduce((sum, [where, count]) => (where === 'at rest' ? sum : sum + count), 0)
}

async function runToDeath(world: World, victims: Victims, steps: readonly End['at'][]): Promise<void> {
  const { random } = world
  // One in four is killed at some moment instead of at a step.
  const end = random.chance(0.75) ? { at: random.pick(steps), time: random.pick([1, 1, 2, 4]) } : undefined
  const moment = end ? undefined : 5 + random.integer(250)
  const cut = random.chance(0.15) ? random.integer(150) : undefined
  const fresh = await signPayments(world, 3 + random.integer(3))
  // Callers without a response repeat the call, and so do some with one.
  const repeats = Array.from({ length: 1 + random.integer(4) }, () => random.pick(world.payments.slice(-30)))
  const calls = [...fresh, ...repeats].map((payment) => ({
    payment,
    path: random.pick(['/settle', '/x402/settle']),
    version: random.pick([1, 2]),
  }))

  const started = await victims.start({ env: world.env, end })
  if (!('url' in started)) return count(world, end?.at ?? 'at some moment')
  const timers: NodeJS.Timeout[] = []
  if (moment !== undefined) timers.push(setTimeout(() => started.kill('SIGKILL'), moment))
  let cutting: Promise<void> | undefined
  if (cut !== undefined) {
    timers.push(
      setTimeout(() => {
        world.cuts += 1
        cutting = world.cutConnections()
      }, cut),
    )
  }
  const answers = Promise.all(
    calls.map((call) => settle(world, started, { ...call, mayFail: cut !== undefined })),
  )
  // Its sockets close before its exit is observed, so the responses show whether it died while working.
  const first = await Promise.race([answers, started.ended])
  const atRest = Array.isArray(first) && first.every(Boolean)
  for (const timer of timers) clearTimeout(timer)
  await cutting
  started.kill('SIGKILL')
  await started.ended
  await answers
  count(world, atRest ? 'at rest' : (end?.at ?? 'at some moment'))
}

function count({ kills }: World, where: string): void {
  kills.set(where, (kills.get(where) ?? 0) + 1)
}

async function signPayments(world: World, number: number): Promise<WorldPayment[]> {
  const made: WorldPayment[] = []
  for (let each = 0; each < number; each += 1) {
    const nonce = `0x${world.random.hex(32)}`
    const amount = BigInt(1 + world.random.integer(1000))
    const body = await signedBody({
      account: world.payer,
      to: world.seller,
      value: amount,
      nonce,
      validBefore,
    })
    made.push({ nonce, amount, body, account: world.random.pick(world.accounts) })
  }
  world.payments.push(...made)
  return made
}

/** A day: further than the chain's clock, which each block moves by a second, gets in a run. */
export const validBefore = BigInt(Math.floor(Date.now() / 1000) + 86_400)

interface Call {
  readonly payment: WorldPayment
  readonly path: string
  readonly version: number
  /** Whether the database was taken away meanwhile. */
  readonly mayFail: boolean
}

/** Whether there was an answer. */
async function settle(
  world: World,
  server: Victim,
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
    // The process is gone: that is what is tested here.
    return false
  }
  const success = path === '/settle' ? status === 200 : status === 200 && JSON.parse(text).success === true
  if (success) world.delivered.set(nonce, (world.delivered.get(nonce) ?? 0) + 1)
  const expected =
    [200, 400].includes(status) || (status === 503 && /SettlementPending|SettlementNotSent/.test(text))
  if (!expected && !mayFail) world.surprises.push(`${path} responded with ${status} ${text}`)
  return true
}

/** As if the time had passed after which a dead process's settlements are taken over. */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('facilitator.settlements')
    .set({ lease_until: new Date(0) })
    .where('lease_until', 'is not', null)
    .execute()
}
