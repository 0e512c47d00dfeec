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
import { endLeases, type Fixture, killed, killRepeatedly, validBefore } from './fixture.ts'
import { findProblems, paymentsOnChain } from './problems.ts'
import { createProcessPool, type ProcessPool, type RunningFacilitator } from './process-pool.ts'

export interface FaultRun {
  readonly seed: number
  /** The number of processes to kill while they work, in all fixtures together. */
  readonly kills: number
  log(line: string): void
}

export interface FaultReport {
  readonly kills: number
  /** Numbers of kills, by the step of the process. */
  readonly steps: Readonly<Record<string, number>>
  /** How often a process lost its database connections. */
  readonly cuts: number
  readonly payments: number
  readonly paid: number
  /** One sentence for each contradiction. Empty when everything is consistent. */
  readonly problems: readonly string[]
}

type AnvilClient = ReturnType<typeof anvilClient>

/** More than the settles of a run. */
const creditedSettles = 100_000

/**
 * Kills facilitators in three concurrent environments: one that settles itself, and two behind a bad upstream, of which one
 * charges only successful settlements. Then waits for reconciliation to finish and checks the ledger.
 */
export async function runFaults({ seed, kills, log }: FaultRun): Promise<FaultReport> {
  await using stops = new AsyncDisposableStack()
  const chain = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => chain.stop())
  const client = anvilClient(chain.rpcUrl)
  const pool = await createProcessPool(2)
  stops.defer(() => pool.close())
  const fixtures = await Promise.all(
    [
      { name: 'built-in', remote: false, chargeOn: 'upstream-2xx' },
      { name: 'remote', remote: true, chargeOn: 'upstream-2xx' },
      { name: 'remote, charging what settled', remote: true, chargeOn: 'settled' },
    ].map((plan, index) => createFixture(plan, index, { seed, chain, client, stops })),
  )
  await Promise.all(
    fixtures.map((fixture) => killRepeatedly(fixture, pool, Math.ceil(kills / fixtures.length), log)),
  )
  log('All processes are killed. Reconciliation runs until no settlement is open.')

  const survivors = await Promise.all(fixtures.map((fixture) => survive(fixture, pool)))
  await Promise.all(fixtures.map((fixture) => comeToRest(fixture, client)))
  // All authorizations expire, so payments that are not on the chain by now never will be.
  await client.setNextBlockTimestamp({ timestamp: validBefore + 60n })
  await client.mine({ blocks: 6 })
  await Promise.all(fixtures.map((fixture) => nothingOpen(fixture)))
  // The commands also check that the treasury covers all balances. Here all balances were credited by hand.
  await client.setBalance({ address: chain.treasury, value: 10n ** 24n })
  const found = []
  for (const [index, fixture] of fixtures.entries()) {
    const url = survivors[index]?.url ?? ''
    found.push(...(await findProblems(fixture, client, url, creditedSettles)))
  }
  for (const survivor of survivors) survivor.kill('SIGTERM')
  for (const { code, signal } of await Promise.all(survivors.map(({ ended }) => ended))) {
    if (code !== 0) found.push(`A facilitator did not end in order: ${code ?? signal}`)
  }
  return {
    kills: fixtures.reduce((sum, fixture) => sum + killed(fixture), 0),
    steps: stepsOf(fixtures),
    cuts: fixtures.reduce((sum, fixture) => sum + fixture.cuts, 0),
    payments: fixtures.reduce((sum, { payments }) => sum + payments.length, 0),
    paid: (await Promise.all(fixtures.map(({ seller }) => paymentsOnChain(client, seller)))).reduce(
      (sum, paid) => sum + paid.size,
      0,
    ),
    problems: found,
  }
}

async function createFixture(
  plan: { name: string; remote: boolean; chargeOn: string },
  index: number,
  given: {
    seed: number
    chain: { rpcUrl: string; treasury: string }
    client: AnvilClient
    stops: AsyncDisposableStack
  },
): Promise<Fixture> {
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

async function survive(fixture: Fixture, pool: ProcessPool): Promise<RunningFacilitator> {
  const started = await pool.start({ env: fixture.env, end: undefined })
  if (!('url' in started)) throw new Error(`The last facilitator of ${fixture.name} died.`)
  return started
}

/** Waits until every payment that is on the chain, or signed, is settled. */
async function comeToRest(fixture: Fixture, client: AnvilClient): Promise<void> {
  await until(`${fixture.name}: what is on the chain is settled`, async () => {
    await endLeases(fixture.db)
    const signed = await sql`select from facilitator.transactions where state = 'sent'`.execute(fixture.db)
    const open = await openSettlements(fixture)
    const paid = await paymentsOnChain(client, fixture.seller)
    return [...open.filter(({ nonce }) => paid.has(nonce)), ...signed.rows]
  })
}

async function nothingOpen(fixture: Fixture): Promise<void> {
  await until(`${fixture.name}: nothing is sent or unknown`, async () => {
    await endLeases(fixture.db)
    return openSettlements(fixture)
  })
}

const openSettlements = ({ db }: Fixture) =>
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

function stepsOf(fixtures: readonly Fixture[]): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const { kills } of fixtures) {
    for (const [step, count] of kills) steps[step] = (steps[step] ?? 0) + count
  }
  return steps
}
