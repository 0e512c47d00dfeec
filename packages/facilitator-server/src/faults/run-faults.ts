import { setTimeout as pause } from 'node:timers/promises'
import { type DevAccount, devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { type AnvilClient, anvilClient, permit2Address, tokenAddress } from '@mintmark/devkit/chain/chain'
import { startDevChain } from '@mintmark/devkit/chain/start'
import type { RunningProcess } from '@mintmark/devkit/process-pool'
import { randomFrom } from '@mintmark/devkit/random'
import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { type Address, maxUint256 } from 'viem'
import { setBatchDelay } from '../ledger/accounts/accounts.ts'
import { hex } from '../payments/testing.ts'
import type { Tables } from '../tables.ts'
import { type TestAccount, testAccount, testEnvironment } from '../testing.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { startBadUpstream } from './bad-upstream.ts'
import { createReorganizer, type Reorganizer, startNode } from './faulty-chain.ts'
import { countKills, endLeases, type Fixture, killRepeatedly, VALID_BEFORE } from './fixture.ts'
import { CREDITED_SETTLES, findProblems, getPaymentsOnChain } from './problems.ts'
import { createFacilitatorPool, type FacilitatorPool } from './process-pool.ts'

export interface FaultRun {
  readonly seed: number
  /** The number of processes to kill while they work, in all fixtures together. */
  readonly kills: number
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
  /** The number of rounds with two facilitators on one database. */
  readonly pairs: number
  /** The number of the nodes' requests. */
  readonly requests: number
  readonly payments: number
  readonly paid: number
  /** The number of transactions that executed several payments. */
  readonly batches: number
  /** One sentence for each contradiction. Empty when everything is consistent. */
  readonly problems: readonly string[]
}

/** Settled payments stay in blocks that are not final for several rounds, in which nodes may lag. */
const FINALITY_DEPTH = 24

/** A settlement is checked every few seconds. */
const PROGRESS_TIMEOUT_MS = 180_000
/** Ending leases more often would take settlements from the process that checks them. */
const RECONCILIATION_PAUSE_MS = 2_000

/** Long enough for the calls of a round to meet. */
const BATCH_DELAY_MS = 30

/** The first plan settles with its own key. The reorganizations forget its transactions only. */
const PLANS = [
  { name: 'built-in', remote: false, chargeOn: 'upstream-2xx' },
  { name: 'remote', remote: true, chargeOn: 'upstream-2xx' },
  { name: 'remote, charging what settled', remote: true, chargeOn: 'settled' },
]

/**
 * Kills facilitators in three concurrent fixtures: one that settles itself, and two behind a bad upstream, of which one
 * charges only successful settlements. Their nodes are faulty, and their chain reorganizes. Then waits for reconciliation to finish and
 * checks the ledger.
 */
export async function runFaults({ seed, kills, onKills, log }: FaultRun): Promise<FaultReport> {
  await using stops = new AsyncDisposableStack()
  const chain = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => chain.stop())
  const client = anvilClient(chain.rpcUrl)
  const reorganizer = createReorganizer(client, new Set([hex(getSender(0).address)]))
  const fixtures = await Promise.all(
    PLANS.map((plan, index) => createFixture(plan, index, { seed, chain, client, reorganizer, stops })),
  )
  const pool = await createFacilitatorPool({ env: fixtures[0]?.env ?? {}, end: undefined }, stops)
  const onRound = () => onKills(sum(fixtures.map(countKills)))
  await Promise.all(
    fixtures.map((fixture) => killRepeatedly(fixture, pool, Math.ceil(kills / fixtures.length), onRound)),
  )
  log('All processes are killed. Reconciliation runs until no settlement is open.')
  const problems = await reconcile(fixtures, pool, client, chain.treasury)
  const paid = await Promise.all(fixtures.map(({ seller }) => getPaymentsOnChain(client, seller)))
  return {
    kills: sum(fixtures.map(countKills)),
    steps: sumSteps(fixtures),
    cuts: sum(fixtures.map(({ cuts }) => cuts)),
    reorganizations: sum(fixtures.map(({ reorganizations }) => reorganizations)),
    pairs: sum(fixtures.map(({ pairs }) => pairs)),
    requests: sum(fixtures.map(({ node }) => node.calls.length)),
    payments: sum(fixtures.map(({ payments }) => payments.length)),
    paid: sum(paid.map(({ size }) => size)),
    batches: sum(await Promise.all(fixtures.map(countBatches))),
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

/** The account that makes the payments of a fixture: the key of its facilitators, or the wallet of its upstream. */
const getSender = (index: number) => devAccount(7 + index)

interface FixtureContext {
  readonly seed: number
  readonly chain: { readonly rpcUrl: string; readonly treasury: string }
  readonly client: AnvilClient
  readonly reorganizer: Reorganizer
  readonly stops: AsyncDisposableStack
}

async function createFixture(
  plan: (typeof PLANS)[number],
  index: number,
  { seed, chain, client, reorganizer, stops }: FixtureContext,
): Promise<Fixture> {
  const { url, drop } = await createFacilitatorDatabase()
  stops.defer(drop)
  const database = openDatabase<Tables>({ url, max: 3, applicationName: 'faults' })
  stops.defer(() => database.close())
  const db = database.system
  const node = await startNode(chain.rpcUrl, seed * 1000 + index, stops)
  const sender = getSender(index)
  const payer = devAccount(1 + index)
  await approvePermit2(client, payer)
  const upstream = plan.remote
    ? await startBadUpstream(client, { sender: sender.address, send: reorganizer.send }, stops)
    : undefined
  const credit = { settles: CREDITED_SETTLES }
  return {
    name: plan.name,
    env: {
      ...testEnvironment({ chain: { ...chain, rpcUrl: node.url }, signerKeys: [sender.privateKey] }),
      FINALITY: String(FINALITY_DEPTH),
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
    accounts: [await testAccount(db, credit), await createBatchingAccount(db, credit)],
    payer,
    signer: sender.address,
    seller: `0x${(index + 1).toString(16).padStart(40, 'e')}`,
    upstream,
    node,
    reorganizer,
    payments: [],
    delivered: new Map(),
    kills: new Map(),
    cuts: 0,
    reorganizations: 0,
    pairs: 0,
    surprises: [],
  }
}

/** Creates an account whose settles wait for others, to share a transaction. */
async function createBatchingAccount(db: Kysely<Tables>, credit: { settles: number }): Promise<TestAccount> {
  const account = await testAccount(db, credit)
  await setBatchDelay(db, account.id, BATCH_DELAY_MS)
  return account
}

/** Approves Permit2 for the token, before blocks are replaced. */
async function approvePermit2(client: AnvilClient, account: DevAccount): Promise<void> {
  const args = [permit2Address, maxUint256] as const
  const call = { account, address: tokenAddress, abi: devUsdcAbi, functionName: 'approve', args } as const
  const hash = await client.writeContract(call)
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('Permit2 was not approved')
}

/** Starts the last facilitator of each fixture, waits until no settlement is open, and returns all problems. */
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
  await client.setNextBlockTimestamp({ timestamp: VALID_BEFORE + 60n })
  await client.mine({ blocks: 2 * FINALITY_DEPTH })
  await Promise.all(
    fixtures.map((fixture) => waitForNone(fixture, 'settlements', () => listOpenSettlements(fixture))),
  )
  for (const { node } of fixtures) node.faults = undefined
  // The commands also check that the treasury covers all balances. Here all balances were credited by hand.
  await client.setBalance({ address: treasury, value: 10n ** 24n })
  const problems: string[] = []
  for (const { fixture, facilitator } of survivors)
    problems.push(...(await findProblems(fixture, client, { pool, survivor: facilitator })))
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

/** Waits until every payment that is on the chain is settled, and every settled or signed payment is in a final block. */
function waitForFinal(fixture: Fixture, client: AnvilClient): Promise<void> {
  return waitForNone(fixture, 'payments', async () => {
    await client.mine({ blocks: 8 })
    const signed = await sql`
      select id, state from facilitator.transactions where state in ('sent', 'mined')`.execute(fixture.db)
    const settled = await sql`
      select id, state, nonce from facilitator.settlements
      where state = 'settled' and final_at is null`.execute(fixture.db)
    const open = await listOpenSettlements(fixture)
    const paid = await getPaymentsOnChain(client, fixture.seller)
    return [...open.filter(({ nonce }) => paid.has(nonce)), ...signed.rows, ...settled.rows]
  })
}

function listOpenSettlements({ db }: Fixture) {
  return db
    .selectFrom('facilitator.settlements')
    .select(['id', 'nonce', 'state', 'reason', 'scheme', 'domain', 'reserved_block'])
    .where('state', 'in', ['sent', 'unknown'])
    .execute()
}

/** Repeats a query until it returns nothing. @throws Error if its rows stay the same for `PROGRESS_TIMEOUT_MS`. */
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
