import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import { type ConnectedChain, connectChain } from '@mintmark/devkit/chain/connect'
import { startDevChain } from '@mintmark/devkit/chain/start'
import type { RunningProcess } from '@mintmark/devkit/process-pool'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { type Address, type Hex, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Tables } from '../database/tables.ts'
import { hex } from '../engine/testing.ts'
import { setBatchDelay } from '../ledger/accounts/accounts.ts'
import { type TestAccount, testAccount, testEnvironment } from '../testing.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { startBadUpstream } from './bad-upstream.ts'
import { createReorganizer, type Reorganizer, startNode } from './faulty-chain.ts'
import { countKills, endLeases, type Fixture, killRepeatedly, VALID_BEFORE } from './fixture.ts'
import { listPlans, type Plan, type Scheme } from './plans.ts'
import { CREDITED_SETTLES, findProblems } from './problems.ts'
import { createFacilitatorPool, type FacilitatorPool } from './process-pool.ts'

export interface FaultRun {
  readonly seed: number
  /** The number of processes to kill while they work, in all fixtures together. */
  readonly kills: number
  /**
   * The number of different steps at which processes must be killed. Up to twice as many `kills` are made to reach
   * it. Default: 0.
   */
  readonly leastSteps?: number
  /** Default: all schemes. */
  readonly scheme?: Scheme | undefined
  /** Reports how many processes have been killed. */
  onKills(kills: number): void
  log(line: string): void
}

export interface FaultReport {
  readonly kills: number
  /** Numbers of kills, by the step of the process. */
  readonly steps: Readonly<Record<string, number>>
  /** How often a process lost its database connections. */
  readonly cuts: number
  /** How often the chain replaced its newest blocks. */
  readonly reorganizations: number
  readonly payments: number
  readonly paid: number
  /** The number of transactions that executed several payments. */
  readonly batches: number
  /** A line for each fixture. */
  readonly parts: readonly FixtureReport[]
  /** One sentence for each contradiction. Empty when everything is consistent. */
  readonly problems: readonly string[]
}

/** What happened in one fixture, and the numbers of its settlements. */
interface FixtureReport {
  readonly name: string
  readonly kills: number
  /** The number of requests, without repetitions. */
  readonly payments: number
  readonly settled: number
  readonly failed: number
  readonly notSent: number
  readonly open: number
  readonly problems: number
}

/** Settled payments stay in blocks that are not final for several rounds, in which nodes may lag. */
const FINALITY_DEPTH = 24

/** Deposits of channels expire a day after they are signed, while the run goes on. */
const ONE_DAY_SECONDS = 86_400n

/** A settlement is checked every few seconds. */
const PROGRESS_TIMEOUT_MS = 180_000
/** Ending leases more often would take settlements from the process that checks them. */
const RECONCILIATION_PAUSE_MS = 2_000

/** Long enough for the calls of a round to meet. */
const BATCH_DELAY_MS = 30

/**
 * Kills facilitators in concurrent fixtures, one for each plan: some settle themselves, others are behind a
 * bad upstream. Their nodes are faulty, and their chain reorganizes. Then waits for reconciliation to finish
 * and checks the ledger.
 */
export async function runFaults({
  seed,
  kills,
  leastSteps = 0,
  scheme,
  onKills,
  log,
}: FaultRun): Promise<FaultReport> {
  await using stops = new AsyncDisposableStack()
  const chain = connectChain(await startDevChain({ port: 0, blockTime: 0 }))
  stops.defer(() => chain.stop())
  const { client } = chain
  const plans = listPlans(scheme)
  const killsEach = Math.ceil(kills / plans.length)
  const forgotten = new Set(FORGOTTEN_SENDERS.map((sender) => hex(devAccount(sender).address)))
  const reorganizer = createReorganizer(client, forgotten)
  const fixtures: Fixture[] = []
  // One after another, because some fund their payers from the same account.
  for (const [index, plan] of plans.entries())
    fixtures.push(await createFixture(plan, index, { seed, kills: killsEach, chain, reorganizer, stops }))
  const pool = await createFacilitatorPool({ env: fixtures[0]?.env ?? {}, end: undefined }, stops)
  const onRound = () => onKills(sum(fixtures.map(countKills)))
  const killUntil = (count: number) =>
    Promise.all(fixtures.map((fixture) => killRepeatedly(fixture, pool, count, onRound)))
  await killUntil(killsEach)
  // Which steps are reached is a matter of chance.
  for (let count = killsEach + 1; count <= 2 * killsEach; count += 1)
    if (Object.keys(sumSteps(fixtures)).length < leastSteps) await killUntil(count)
  log('All processes are killed. Reconciliation runs until no settlement is open.')
  const problems = await reconcile(fixtures, pool, client, chain.treasury)
  const parts = await Promise.all(fixtures.map((fixture) => reportFixture(fixture, problems)))
  return {
    kills: sum(fixtures.map(countKills)),
    steps: sumSteps(fixtures),
    cuts: sum(fixtures.map(({ cuts }) => cuts)),
    reorganizations: sum(fixtures.map(({ reorganizations }) => reorganizations)),
    payments: sum(parts.map(({ payments }) => payments)),
    paid: sum(parts.map(({ settled }) => settled)),
    batches: sum(await Promise.all(fixtures.map(countBatches))),
    parts,
    problems,
  }
}

/** The fixture's line of the report. */
async function reportFixture(fixture: Fixture, problems: readonly string[]): Promise<FixtureReport> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from facilitator.settlements group by state`.execute(fixture.db)
  const countOf = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    name: fixture.name,
    kills: countKills(fixture),
    payments: fixture.payments.length,
    settled: countOf('settled'),
    failed: countOf('failed'),
    notSent: countOf('not_sent'),
    open: countOf('sent') + countOf('unknown'),
    problems: problems.filter((problem) => problem.startsWith(`${fixture.name}: `)).length,
  }
}

/** The senders whose transactions nodes may forget with a block. Their facilitators broadcast them again. */
const FORGOTTEN_SENDERS = [7, 4, 3]

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
  /** The kills of the fixture. */
  readonly kills: number
  readonly chain: ConnectedChain
  readonly reorganizer: Reorganizer
  readonly stops: AsyncDisposableStack
}

async function createFixture(
  plan: Plan,
  index: number,
  { seed, kills, chain, reorganizer, stops }: FixtureContext,
): Promise<Fixture> {
  const { url, drop } = await createFacilitatorDatabase()
  stops.defer(drop)
  const database = openDatabase<Tables>({ url, max: 3, applicationName: 'faults' })
  stops.defer(() => database.close())
  const db = database.system
  const node = await startNode(chain.rpcUrl, seed * 1000 + index, stops)
  const random = randomFrom(seed * 1000 + index)
  const sender = devAccount(plan.sender)
  const keys = [sender.privateKey, ...(await createKeys(chain.client, random, plan.moreSigners ?? 0))]
  const seller = `0x${(index + 1).toString(16).padStart(40, 'e')}`
  const upstream = plan.remote
    ? await startBadUpstream(chain.client, { sender: sender.address, send: reorganizer.send }, stops)
    : undefined
  const parts = { chain, nodeUrl: node.url, random, seller, kills, stops }
  const { load, env: changes } = await plan.createLoad(parts)
  const oldEnv = {
    ...testEnvironment({ chain: { ...chain, rpcUrl: node.url }, signerKeys: [sender.privateKey] }),
    FINALITY: String(FINALITY_DEPTH),
    DATABASE_URL: url,
    DATABASE_CONNECTIONS: '8',
    CHARGE_ON: plan.chargeOn,
    ...(upstream && { UPSTREAM_FACILITATOR_URL: upstream.url, UPSTREAM_TIMEOUT_MS: '400' }),
    ...changes,
  }
  return {
    name: plan.name,
    env: {
      ...oldEnv,
      FACILITATOR_SIGNER_KEYS: keys.join(','),
      ...(plan.rotates && { RETIRED_SIGNERS: sender.address }),
    },
    oldEnv: plan.rotates ? oldEnv : undefined,
    random,
    db,
    seller,
    upstream,
    node,
    reorganizer,
    load,
    async cutConnections() {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'mintmark-facilitator'`.execute(db)
    },
    accounts: await createAccounts(db, plan.batching),
    signers: keys.map((key) => privateKeyToAddress(key)),
    payments: [],
    delivered: new Map(),
    kills: new Map(),
    cuts: 0,
    reorganizations: 0,
    surprises: [],
  }
}

/** Creates keys that have gas. */
async function createKeys(client: AnvilClient, random: Random, count: number): Promise<Hex[]> {
  const keys = Array.from({ length: count }, () => hex(random.hex(32)))
  for (const key of keys)
    await client.setBalance({ address: privateKeyToAddress(key), value: parseEther('1000') })
  return keys
}

/**
 * Creates an account for each flag. If it is set, the account's settles wait for others, to share a
 * transaction.
 */
async function createAccounts(db: Kysely<Tables>, batching: readonly boolean[]): Promise<TestAccount[]> {
  const accounts: TestAccount[] = []
  for (const isBatching of batching) {
    const account = await testAccount(db, { settles: CREDITED_SETTLES })
    if (isBatching) await setBatchDelay(db, account.id, BATCH_DELAY_MS)
    accounts.push(account)
  }
  return accounts
}

/**
 * Starts the last facilitator of each fixture, waits until no settlement is open, and returns all problems.
 */
async function reconcile(
  fixtures: readonly Fixture[],
  pool: FacilitatorPool,
  client: AnvilClient,
  treasury: Address,
): Promise<string[]> {
  const survivors = await Promise.all(
    fixtures.map(async (fixture) => ({ fixture, facilitator: await startSurvivor(fixture, pool) })),
  )
  // The nodes are still faulty.
  await Promise.all(fixtures.map((fixture) => waitForFinal(fixture, client)))
  // All authorizations expire, so payments that are not on the chain by now never will be.
  await client.setNextBlockTimestamp({ timestamp: VALID_BEFORE + ONE_DAY_SECONDS })
  await client.mine({ blocks: 2 * FINALITY_DEPTH })
  for (const { load } of fixtures) load.expire?.()
  await Promise.all(fixtures.map((fixture) => waitForClosed(fixture)))
  for (const { node } of fixtures) node.faults = undefined
  for (const { fixture, facilitator } of survivors) {
    await fixture.load.finish?.(fixture, facilitator.url)
    await waitForFinal(fixture, client)
    await waitForClosed(fixture)
  }
  // The commands also check that the treasury covers all balances. Here all balances were credited by hand.
  await client.setBalance({ address: treasury, value: 10n ** 24n })
  const problems: string[] = []
  for (const { fixture, facilitator } of survivors)
    problems.push(...(await findProblems(fixture, { pool, survivor: facilitator })))
  for (const { facilitator } of survivors) facilitator.kill('SIGTERM')
  for (const { code, signal } of await Promise.all(survivors.map(({ facilitator }) => facilitator.ended))) {
    if (code !== 0) problems.push(`A facilitator did not end in order: ${code ?? signal}`)
  }
  return problems
}

async function startSurvivor(fixture: Fixture, pool: FacilitatorPool): Promise<RunningProcess> {
  const started = await pool.start({ env: fixture.env, end: undefined })
  if (!('url' in started)) throw new Error(`The last facilitator of ${fixture.name} died`)
  return started
}

async function countBatches({ db }: Fixture): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from facilitator.transactions where purpose = 'batch' and succeeded`.execute(db)
  return Number(rows[0]?.count)
}

/**
 * Waits until every payment that is on the chain is settled, and every settled or signed payment is in a
 * final block.
 */
function waitForFinal(fixture: Fixture, client: AnvilClient): Promise<void> {
  return waitForNone(fixture, 'payments', async () => {
    await client.mine({ blocks: 8 })
    fixture.load.advance?.()
    const signed = await sql`
      select id, state from facilitator.transactions where state in ('sent', 'mined')`.execute(fixture.db)
    const settled = await sql`
      select id, state, nonce from facilitator.settlements
      where state = 'settled' and final_at is null`.execute(fixture.db)
    const open = await listOpenSettlements(fixture)
    const paid = await fixture.load.getPaid(fixture)
    return [...open.filter(({ nonce }) => paid.has(nonce)), ...signed.rows, ...settled.rows]
  })
}

/** Waits until no settlement is open. */
const waitForClosed = (fixture: Fixture): Promise<void> =>
  waitForNone(fixture, 'settlements', () => listOpenSettlements(fixture))

function listOpenSettlements({ db }: Fixture) {
  return db
    .selectFrom('facilitator.settlements')
    .select(['id', 'nonce', 'state', 'reason', 'scheme', 'domain', 'reserved_block'])
    .where('state', 'in', ['sent', 'unknown'])
    .execute()
}

/**
 * Repeats a query until it returns nothing.
 *
 * @throws Error if its rows stay the same for `PROGRESS_TIMEOUT_MS`.
 */
async function waitForNone(
  { name, db }: Fixture,
  what: string,
  list: () => Promise<readonly unknown[]>,
): Promise<void> {
  let latest = ''
  let changedAt = performance.now()
  for (;;) {
    await endLeases(db)
    const open = await list()
    if (open.length === 0) return
    const rows = JSON.stringify(open)
    if (rows !== latest) changedAt = performance.now()
    latest = rows
    if (performance.now() - changedAt > PROGRESS_TIMEOUT_MS)
      throw new Error(`${name} has ${open.length} open ${what} without progress: ${rows.slice(0, 2000)}`)
    await pause(RECONCILIATION_PAUSE_MS)
  }
}
