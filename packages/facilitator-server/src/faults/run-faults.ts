import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type AnvilClient, anvilClient } from '@mintmark/devkit/chain/chain'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { randomFrom } from '@mintmark/devkit/random'
import { migrate, openDatabase } from '@mintmark/server-kit'
import { createTestDatabase } from '@mintmark/server-kit/testing'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { facilitatorSchema } from '../migrations/index.ts'
import type { Tables } from '../tables.ts'
import { testAccount, testEnvironment } from '../testing.ts'
import { migrateJobs } from '../webhooks/index.ts'
import { startBadUpstream } from './bad-upstream.ts'
import { countKills, endLeases, type Fixture, killRepeatedly, VALID_BEFORE } from './fixture.ts'
import { CREDITED_SETTLES, findProblems, getPaymentsOnChain } from './problems.ts'
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

const RECONCILIATION_TIMEOUT_MS = 60_000

const PLANS = [
  { name: 'built-in', remote: false, chargeOn: 'upstream-2xx' },
  { name: 'remote', remote: true, chargeOn: 'upstream-2xx' },
  { name: 'remote, charging what settled', remote: true, chargeOn: 'settled' },
]

/**
 * Kills facilitators in three concurrent fixtures: one that settles itself, and two behind a bad upstream, of which one
 * charges only successful settlements. Then waits for reconciliation to finish and checks the ledger.
 */
export async function runFaults({ seed, kills, log }: FaultRun): Promise<FaultReport> {
  await using stops = new AsyncDisposableStack()
  const chain = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => chain.stop())
  const client = anvilClient(chain.rpcUrl)
  const pool = await createProcessPool(2, stops)
  const fixtures = await Promise.all(
    PLANS.map((plan, index) => createFixture(plan, index, { seed, chain, client, stops })),
  )
  await Promise.all(
    fixtures.map((fixture) => killRepeatedly(fixture, pool, Math.ceil(kills / fixtures.length), log)),
  )
  log('All processes are killed. Reconciliation runs until no settlement is open.')
  const problems = await reconcile(fixtures, pool, client, chain.treasury)
  const paid = await Promise.all(fixtures.map(({ seller }) => getPaymentsOnChain(client, seller)))
  return {
    kills: sum(fixtures.map(countKills)),
    steps: sumSteps(fixtures),
    cuts: sum(fixtures.map(({ cuts }) => cuts)),
    payments: sum(fixtures.map(({ payments }) => payments.length)),
    paid: sum(paid.map(({ size }) => size)),
    problems,
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function sumSteps(fixtures: readonly Fixture[]): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const { kills } of fixtures) {
    for (const [step, count] of kills) steps[step] = (steps[step] ?? 0) + count
  }
  return steps
}

interface FixtureContext {
  readonly seed: number
  readonly chain: { readonly rpcUrl: string; readonly treasury: string }
  readonly client: AnvilClient
  readonly stops: AsyncDisposableStack
}

async function createFixture(
  plan: (typeof PLANS)[number],
  index: number,
  { seed, chain, client, stops }: FixtureContext,
): Promise<Fixture> {
  const { url, drop } = await createTestDatabase()
  stops.defer(drop)
  await migrate(url, facilitatorSchema)
  await migrateJobs(url)
  const database = openDatabase<Tables>({ url, max: 3, applicationName: 'faults' })
  stops.defer(() => database.close())
  const db = database.system
  const sender = devAccount(7 + index)
  const upstream = plan.remote ? await startBadUpstream(client, sender.address, stops) : undefined
  const credit = { settles: CREDITED_SETTLES }
  return {
    name: plan.name,
    env: {
      ...testEnvironment({ chain, signerKeys: [sender.privateKey] }),
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: '8',
      CHARGE_ON: plan.chargeOn,
      ...(upstream && { UPSTREAM_FACILITATOR_URL: upstream.url, UPSTREAM_TIMEOUT_MS: '400' }),
    },
    random: randomFrom(seed * 1000 + index),
    db,
    async cutConnections() {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'mintmark-facilitator'`.execute(db)
    },
    accounts: [await testAccount(db, credit), await testAccount(db, credit)],
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

/** Starts the last facilitator of each fixture, waits until no settlement is open, and returns all problems. */
async function reconcile(
  fixtures: readonly Fixture[],
  pool: ProcessPool,
  client: AnvilClient,
  treasury: Address,
): Promise<string[]> {
  const survivors = await Promise.all(fixtures.map((fixture) => startSurvivor(fixture, pool)))
  await Promise.all(fixtures.map((fixture) => waitForPaid(fixture, client)))
  // All authorizations expire, so payments that are not on the chain by now never will be.
  await client.setNextBlockTimestamp({ timestamp: VALID_BEFORE + 60n })
  await client.mine({ blocks: 6 })
  await Promise.all(
    fixtures.map((fixture) => waitForNone(fixture, 'settlements', () => listOpenSettlements(fixture))),
  )
  // The commands also check that the treasury covers all balances. Here all balances were credited by hand.
  await client.setBalance({ address: treasury, value: 10n ** 24n })
  const problems: string[] = []
  for (const [index, fixture] of fixtures.entries())
    problems.push(...(await findProblems(fixture, client, survivors[index]?.url ?? '')))
  for (const survivor of survivors) survivor.kill('SIGTERM')
  for (const { code, signal } of await Promise.all(survivors.map(({ ended }) => ended))) {
    if (code !== 0) problems.push(`A facilitator did not end in order: ${code ?? signal}`)
  }
  return problems
}

async function startSurvivor(fixture: Fixture, pool: ProcessPool): Promise<RunningFacilitator> {
  const started = await pool.start({ env: fixture.env, end: undefined })
  if (!('url' in started)) throw new Error(`The last facilitator of ${fixture.name} died`)
  return started
}

/** Waits until every payment that is on the chain, or signed, is settled. */
function waitForPaid(fixture: Fixture, client: AnvilClient): Promise<void> {
  return waitForNone(fixture, 'payments', async () => {
    const signed = await sql`select from facilitator.transactions where state = 'sent'`.execute(fixture.db)
    const open = await listOpenSettlements(fixture)
    const paid = await getPaymentsOnChain(client, fixture.seller)
    return [...open.filter(({ nonce }) => paid.has(nonce)), ...signed.rows]
  })
}

function listOpenSettlements({ db }: Fixture) {
  return db
    .selectFrom('facilitator.settlements')
    .select(['id', 'nonce', 'state', 'reason'])
    .where('state', 'in', ['sent', 'unknown'])
    .execute()
}

/** Repeats a query until it returns nothing. */
async function waitForNone(
  { name, db }: Fixture,
  what: string,
  list: () => Promise<readonly unknown[]>,
): Promise<void> {
  for (const deadline = performance.now() + RECONCILIATION_TIMEOUT_MS; ; await pause(300)) {
    await endLeases(db)
    const open = await list()
    if (open.length === 0) return
    if (performance.now() > deadline) throw new Error(`${name} has open ${what}: ${JSON.stringify(open)}`)
  }
}
