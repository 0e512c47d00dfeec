import { devAccount } from '@mintmark/devkit/chain/accounts'
import { anvilClient } from '@mintmark/devkit/chain/chain'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { randomFrom } from '@mintmark/devkit/random'
import { migrate, openDatabase } from '@mintmark/server-kit'
import { createTestDatabase } from '@mintmark/server-kit/testing'
import { sql } from 'kysely'
import { facilitatorSchema } from '../../packages/facilitator-server/src/migrations/index.ts'
import type { Tables } from '../../packages/facilitator-server/src/tables.ts'
import { testAccount, testEnvironment } from '../../packages/facilitator-server/src/testing.ts'
import { migrateJobs } from '../../packages/facilitator-server/src/webhooks/index.ts'
import { startBadUpstream } from './bad-upstream.ts'
import { findProblems, paymentsOnChain } from './verdict.ts'
import { prepareVictims, type Victim, type Victims } from './victims.ts'
import { endLeases, killed, killInWorld, validBefore, type World } from './world.ts'

export interface FaultRun {
  readonly seed: number
  /** Processes to be killed in the middle of their work, in all worlds together. */
  readonly kills: number
  tell(line: string): void
}

export interface FaultReport {
  readonly kills: number
  /** Kills by the step that the process was at. */
  readonly steps: Readonly<Record<string, number>>
  /** How often a process lost its connections to the database. */
  readonly cuts: number
  readonly payments: number
  readonly paid: number
  /** Sentences about what should not be; none when all is well. */
  readonly problems: readonly string[]
}

type AnvilClient = ReturnType<typeof anvilClient>

/** More settles than a run makes. */
const creditedSettles = 100_000

/**
 * Kills facilitators in three concurrent environments: one that settles itself, and two behind a bad upstream, of which one
 * charges only what settled. Then waits for reconciliation to finish and checks the books.
 */
export async function runFaults({ seed, kills, tell }: FaultRun): Promise<FaultReport> {
  await using stops = new AsyncDisposableStack()
  const chain = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => chain.stop())
  const client = anvilClient(chain.rpcUrl)
  const victims = await prepareVictims(2)
  stops.defer(() => victims.close())
  const worlds = await Promise.all(
    [
      { name: 'built-in', remote: false, chargeOn: 'upstream-2xx' },
      { name: 'remote', remote: true, chargeOn: 'upstream-2xx' },
      { name: 'remote, charging what settled', remote: true, chargeOn: 'settled' },
    ].map((plan, index) => createWorld(plan, index, { seed, chain, client, stops })),
  )
  await Promise.all(
    worlds.map((world) => killInWorld(world, victims, Math.ceil(kills / worlds.length), tell)),
  )
  tell('All are killed. Reconciliation runs until nothing is open.')

  const survivors = await Promise.all(worlds.map((world) => survive(world, victims)))
  await Promise.all(worlds.map((world) => comeToRest(world, client)))
  // What is not on the chain by now never gets there: all authorizations run out.
  await client.setNextBlockTimestamp({ timestamp: validBefore + 60n })
  await client.mine({ blocks: 6 })
  await Promise.all(worlds.map((world) => nothingOpen(world)))
  // The commands also ask whether the treasury covers what is owed; here all of it was credited by hand.
  await client.setBalance({ address: chain.treasury, value: 10n ** 24n })
  const found = []
  for (const [index, world] of worlds.entries()) {
    const url = survivors[index]?.url ?? ''
    found.push(...(await findProblems(world, client, url, creditedSettles)))
  }
  for (const survivor of survivors) survivor.kill('SIGTERM')
  for (const { code, signal } of await Promise.all(survivors.map(({ ended }) => ended))) {
    if (code !== 0) found.push(`A facilitator did not end in order: ${code ?? signal}`)
  }
  return {
    kills: worlds.reduce((sum, world) => sum + killed(world), 0),
    steps: stepsOf(worlds),
    cuts: worlds.reduce((sum, world) => sum + world.cuts, 0),
    payments: worlds.reduce((sum, { payments }) => sum + payments.length, 0),
    paid: (await Promise.all(worlds.map(({ seller }) => paymentsOnChain(client, seller)))).reduce(
      (sum, paid) => sum + paid.size,
      0,
    ),
    problems: found,
  }
}

async function createWorld(
  plan: { name: string; remote: boolean; chargeOn: string },
  index: number,
  given: {
    seed: number
    chain: { rpcUrl: string; treasury: string }
    client: AnvilClient
    stops: AsyncDisposableStack
  },
): Promise<World> {
  const { chain, client, stops } = given
  const database = await createTestDatabase()
  stops.defer(() => database.drop())
  await migrate(database.url, facilitatorSchema)
  await migrateJobs(database.url)
  const opened = openDatabase<Tables>({ url: database.url, max: 3, applicationName: 'faults' })
  stops.defer(() => opened.close())
  const sender = devAccount(7 + index)
  const upstream = plan.remote ? await startBadUpstream(client, sender.address, stops) : undefined
  const db = opened.system
  return {
    name: plan.name,
    env: {
      ...testEnvironment({ chain, signerKeys: [sender.privateKey] }),
      DATABASE_URL: database.url,
      DATABASE_CONNECTIONS: '8',
      CHARGE_ON: plan.chargeOn,
      ...(upstream && { UPSTREAM_FACILITATOR_URL: upstream.url, UPSTREAM_TIMEOUT_MS: '400' }),
    },
    random: randomFrom(given.seed * 1000 + index),
    db,
    async cutConnections() {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'mintmark-facilitator'`.execute(db)
    },
    accounts: [
      await testAccount(db, { settles: creditedSettles }),
      await testAccount(db, { settles: creditedSettles }),
    ],
    payer: devAccount(1 + index),
    seller: `0x${(index + 1).toString(16).padStart(40, 'e')}`,
    upstream,
    payments: [],
    delivered: new Map(),
    kills: new Map(),
    cuts: 0,
    surprises: [],
  }
}

async function survive(world: World, victims: Victims): Promise<Victim> {
  const started = await victims.start({ env: world.env, end: undefined })
  if (!('url' in started)) throw new Error(`The last facilitator of ${world.name} died.`)
  return started
}

/** Until what was made on the chain, or signed to be made, is settled. */
async function comeToRest(world: World, client: AnvilClient): Promise<void> {
  await until(`${world.name}: what is on the chain is settled`, async () => {
    await endLeases(world.db)
    const signed = await sql`select from facilitator.transactions where state = 'sent'`.execute(world.db)
    const open = await openSettlements(world)
    const paid = await paymentsOnChain(client, world.seller)
    return [...open.filter(({ nonce }) => paid.has(nonce)), ...signed.rows]
  })
}

async function nothingOpen(world: World): Promise<void> {
  await until(`${world.name}: nothing is sent or unknown`, async () => {
    await endLeases(world.db)
    return openSettlements(world)
  })
}

const openSettlements = ({ db }: World) =>
  db
    .selectFrom('facilitator.settlements')
    .select(['id', 'nonce', 'state', 'reason'])
    .where('state', 'in', ['sent', 'unknown'])
    .execute()

/** Polls the number of open settlements until it is zero. */
async function until(what: string, left: () => Promise<readonly unknown[]>): Promise<void> {
  const bound = performance.now() + 60_000
  for (;;) {
    const rest = await left()
    if (rest.length === 0) return
    if (performance.now() > bound) throw new Error(`Never came true: ${what}. Left: ${JSON.stringify(rest)}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

function stepsOf(worlds: readonly World[]): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const { kills } of worlds) {
    for (const [step, count] of kills) steps[step] = (steps[step] ?? 0) + count
  }
  return steps
}
