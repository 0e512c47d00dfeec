import { setTimeout as pause } from 'node:timers/promises'
import { promoCodeCards } from '@mintmark/cards'
import { contracts } from '@mintmark/contracts'
import { type ConnectedChain, connectChain } from '@mintmark/devkit/chain/connect'
import { markForkPoint } from '@mintmark/devkit/chain/reorganize'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import type { GatewayEvent } from '@mintmark/events'
import { createGateway } from '@mintmark/transport'
import { type Kysely, sql } from 'kysely'
import type { RowChange } from '../../database/event-source.ts'
import type { Tables } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import { verifyAudit } from '../../domains/audit/verify-audit.ts'
import { passTimes } from '../../domains/events/passed-times.ts'
import { COUNTED_EVENTS } from '../../domains/totals/add-totals.ts'
import { eventSources } from '../../main/composition.ts'
import { listEmittedEvents } from '../emitted-events.ts'
import { sequenceEvents } from '../event-streams.ts'
import { TEST_URL, type TestGateway, testGateway } from '../gateway.ts'
import { deployCollectible, deployEdition } from '../indexer-fixture.ts'
import { rawClient } from '../raw-client.ts'
import { type Input, rawCallOf, sampleProject } from '../samples/calls.ts'
import { samples } from '../samples/index.ts'
import { newAddress, type SampleProject } from '../samples/sample.ts'
import { TokenTraffic } from '../token-traffic.ts'
import { type LiveServers, startLiveServers } from './live-servers.ts'
import { createReader, type Reader } from './reader.ts'
import { installShadowLog, listAuditProblems, listExpectedTypes } from './shadow-log.ts'

export interface EventFaultRun {
  readonly seed: number
  /** The number of servers to kill while they work. */
  readonly kills: number
  /** Reports how many servers have been killed. */
  onKills(kills: number): void
  log(line: string): void
}

export interface EventFaultReport {
  readonly kills: LiveServers['kills']
  /** How often the sequencers lost their database connections. */
  readonly cuts: number
  readonly reorganizations: number
  /** Calls that write, and those of them that received no response. */
  readonly calls: number
  readonly lostCalls: number
  readonly events: number
  readonly types: number
  readonly subjects: number
  /** One sentence for each contradiction. Empty when everything is consistent. */
  readonly problems: readonly string[]
}

const WRITERS = 8
/** The share of a sequencer's writing statements that lose their connection. A transaction has about five. */
const CUT_RATE = 0.08
const READERS_OF_A_PROJECT = 2
const SETTINGS = {
  GATEWAY_PORT: '0',
  PUBLIC_URL: TEST_URL,
  FINALITY: '4',
  PAYMENT_UNSEEN_SECONDS: '1',
  ORDER_EXPIRY_SECONDS: '3',
  AWARD_EXPIRY_SECONDS: '3',
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '200000',
  CONCURRENT_CALLS_PER_PROJECT: '100',
}

/** Samples that write, of all kinds of records. */
const WRITES = samples.filter(({ operation }) => listEmittedEvents(operation.id).length > 0)

interface Run {
  readonly random: Random
  readonly gateway: TestGateway
  readonly chain: ConnectedChain
  readonly servers: LiveServers
  /** Projects whose calls go to the servers that are killed. */
  readonly projects: readonly SampleProject[]
  readonly readers: ReadonlyMap<SampleProject, readonly Reader[]>
  readonly counts: { reorganizations: number; calls: number; lostCalls: number }
  isLoaded: boolean
}

/**
 * Kills gateways that serve calls of all kinds, run jobs and follow a chain with reorganizations, while
 * consumers read the feed. Then numbers what is left, and compares the feed and the audit log with the shadow
 * log, and the feed with the final records.
 */
export async function runEventFaults({
  seed,
  kills,
  onKills,
  log,
}: EventFaultRun): Promise<EventFaultReport> {
  await using stops = new AsyncDisposableStack()
  const random = randomFrom(seed)
  const chain = connectChain(await startDevChain({ port: 0, blockTime: 0 }))
  stops.defer(() => chain.stop())
  const gateway = await testGateway()
  stops.defer(() => gateway.close())
  await installShadowLog(gateway.owner.system)
  await installCuts(gateway.owner.system)
  const env = {
    ...SETTINGS,
    DATABASE_URL: gateway.url,
    SECRET_KEYS: gateway.secretKeys,
    CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
  }
  const servers = await startLiveServers(env, random, stops, () => countEvents(gateway.owner.system))
  const projects = [
    await liveProject({ gateway, servers, random }, 'first'),
    await liveProject({ gateway, servers, random }, 'second'),
  ]
  const readers = new Map(
    projects.map((project) => [
      project,
      Array.from({ length: READERS_OF_A_PROJECT }, (_, at) =>
        createReader(`${project.projectId}/${at}`, random),
      ),
    ]),
  )
  const counts = { reorganizations: 0, calls: 0, lostCalls: 0 }
  const run: Run = { random, gateway, chain, servers, projects, readers, counts, isLoaded: true }
  stops.defer(() => {
    run.isLoaded = false
  })
  const load = Promise.all([
    ...Array.from({ length: WRITERS }, () => writeRepeatedly(run)),
    tradeRepeatedly(run),
    ...projects.flatMap((project) =>
      (readers.get(project) ?? []).map((reader) => readRepeatedly(run, project, reader)),
    ),
  ])
  // With few calls, or without a cut and a reorganization, the run would show little.
  const isEnough = async () =>
    counts.calls - counts.lostCalls >= ENOUGH_CALLS &&
    counts.reorganizations > 0 &&
    (await countCuts(gateway.owner.system)) > 0
  while (countKills(servers) < kills || !(await isEnough())) {
    await Promise.race([pause(200), load])
    onKills(countKills(servers))
  }
  run.isLoaded = false
  await servers.stop()
  await load
  log('All servers are killed. What is left is numbered and compared.')
  return await checkFeed(run)
}

/** Calls that were answered. A busy machine answers few between two kills. */
const ENOUGH_CALLS = 150

const countKills = ({ kills }: LiveServers) => kills.working + kills.atPoint

/**
 * A project whose calls go to the servers that are killed, and as many to a gateway in this process, which
 * has no jobs and numbers no events: its writes are there whichever servers live. What samples insert by
 * themselves goes to the database.
 */
async function liveProject(
  { gateway, servers, random }: Pick<Run, 'gateway' | 'servers' | 'random'>,
  name: string,
): Promise<SampleProject> {
  const { key, projectId } = await sampleProject(gateway, name)
  const send = async (request: Request) =>
    random.chance(0.5) ? await gateway.app.fetch(request) : await servers.fetch(request)
  const client = createGateway({
    baseUrl: TEST_URL,
    credentials: { apiKey: key.apiKey, secret: key.secret },
    retries: 0,
    fetch: (input, init) => send(new Request(input, init)),
  })
  const live = rawClient(send, key, { publicUrl: TEST_URL })
  return { gateway, projectId, client, key: { ...key, ...live } }
}

/** Calls operations of all kinds. A call that a kill interrupts may have changed something, or not. */
async function writeRepeatedly(run: Run): Promise<void> {
  const { random, projects, counts } = run
  while (run.isLoaded) {
    const project = random.pick(projects)
    counts.calls += 1
    try {
      if (random.chance(0.1)) await createShortCard(project)
      else await callSample(project, random)
    } catch {
      counts.lostCalls += 1
    }
  }
}

async function callSample(project: SampleProject, random: Random): Promise<void> {
  const { operation, input } = random.pick(WRITES)
  const sent = (await input(project)) as Input
  await project.key.call(rawCallOf(operation, sent))
}

/** Creates a card that starts and expires while the servers run. */
async function createShortCard({ client }: SampleProject): Promise<void> {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const times = { startTime: at(1), endTime: at(2) }
  await promoCodeCards.create(client, { name: 'Short', nftAddress: newAddress(), ...times, totalIssued: 1 })
}

/** Moves tokens of indexed contracts. Some blocks are replaced after they were read. */
async function tradeRepeatedly(run: Run): Promise<void> {
  const { chain, random, projects, counts } = run
  const [token, edition] = [await deployCollectible(chain), await deployEdition(chain)]
  const chainId = String(chain.chainId)
  for (const project of projects) {
    for (const [{ address: nftAddress }, nftType] of [
      [token, 'ERC721'],
      [edition, 'ERC1155'],
    ] as const) {
      const contract = { nftAddress, nftType, chainId, name: 'T', index: true }
      await repeatUntilDone(run, () => contracts.add(project.client, contract))
    }
  }
  const traffic = new TokenTraffic(chain, { token: token.address, edition: edition.address }, random)
  await traffic.mint()
  while (run.isLoaded) {
    const fork = await markForkPoint(chain.client)
    const before = traffic.state()
    for (let block = 1 + random.integer(3); block > 0; block -= 1) await traffic.block()
    await traffic.mined()
    await pause(500)
    if (random.chance(0.4)) {
      await fork.replaceBlocks(2 + random.integer(5))
      traffic.restore(before)
      counts.reorganizations += 1
    }
  }
}

/** Repeats a call until its effect exists, or the load ends. */
async function repeatUntilDone(run: Run, call: () => Promise<unknown>): Promise<void> {
  while (run.isLoaded) {
    const outcome = await call().then(
      () => 'done',
      (error: { kind?: string }) => error.kind,
    )
    // The call before, whose response was lost, had its effect.
    if (outcome === 'done' || outcome === 'Conflict') return
    await pause(50)
  }
}

/**
 * Lets some statements of sequencers end their own database connections, in the middle of a transaction. A
 * sequence counts them, which no rollback resets.
 */
async function installCuts(db: Kysely<Tables>): Promise<void> {
  await sql`create sequence shadow.cuts`.execute(db)
  await sql`create function shadow.cut() returns trigger language plpgsql security definer as $$
    begin
      if current_setting('application_name') = 'mintmark-gateway-events' and random() < ${sql.lit(CUT_RATE)} then
        perform nextval('shadow.cuts');
        perform pg_terminate_backend(pg_backend_pid());
      end if;
      return null;
    end $$`.execute(db)
  for (const table of ['row_changes', 'events', 'event_counts', 'audit_entries', 'totals'])
    await sql`create trigger cut after insert or update or delete on ${sql.table(`gateway.${table}`)}
      for each statement execute function shadow.cut()`.execute(db)
}

async function countEvents(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select coalesce(sum(newest), 0)::integer as events from gateway.event_counts`.execute(db)
  return rows[0]?.events ?? 0
}

async function countCuts(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ cuts: number }>`
    select case when is_called then last_value else 0 end::integer as cuts from shadow.cuts`.execute(db)
  return rows[0]?.cuts ?? 0
}

async function readRepeatedly(run: Run, { client }: SampleProject, reader: Reader): Promise<void> {
  while (run.isLoaded) {
    await reader.step(client)
    await pause(run.random.integer(50))
  }
}

/** Numbers the changes that are left when all servers are dead, and compares. */
async function checkFeed(run: Run): Promise<EventFaultReport> {
  const { gateway, projects, readers, counts, servers } = run
  const db = gateway.owner.system
  const problems: string[] = []
  await waitForStatements(run)
  await passTimes(db)
  const log = { error: (fields: object) => void problems.push(`Not reported: ${JSON.stringify(fields)}`) }
  await sequenceEvents(gateway, { log })
  const { rows } = await sql`select from gateway.row_changes`.execute(db)
  if (rows.length > 0) problems.push(`${rows.length} changes were not reported`)
  const feeds: GatewayEvent[] = []
  for (const project of projects) {
    const { client } = await sampleProject(gateway, project === projects[0] ? 'first' : 'second')
    for (const reader of readers.get(project) ?? []) {
      await reader.finish(client)
      problems.push(...reader.problems)
    }
    feeds.push(...(await compareReaders(run, project, problems)))
  }
  await compareWithLog(run, feeds, problems)
  await compareWithRecords(run, feeds, problems)
  await checkAuditLogs(run, problems)
  await checkTotals(run, problems)
  return {
    kills: servers.kills,
    ...counts,
    cuts: await countCuts(db),
    events: feeds.length,
    types: new Set(feeds.map(({ type }) => type)).size,
    subjects: new Set(feeds.map(({ projectId, subject }) => `${projectId} ${subject}`)).size,
    problems,
  }
}

/** The logs must be intact, with one entry for each row and transaction. */
async function checkAuditLogs({ gateway, projects }: Run, problems: string[]): Promise<void> {
  const db = gateway.owner.system
  problems.push(...(await listAuditProblems(db)))
  for (const { projectId } of projects) {
    const { entries, problem } = await verifyAudit(db, projectId)
    if (problem !== undefined) problems.push(`The audit log of ${projectId}: ${JSON.stringify(problem)}`)
    if (entries < 20) problems.push(`The audit log of ${projectId} has only ${entries} entries`)
  }
}

/** Each event counts exactly once. An order that a reorganization makes UNRESOLVED takes its payment back. */
async function checkTotals({ gateway }: Run, problems: string[]): Promise<void> {
  const { rows } = await sql`
    with counted as (
      select project_id, type, sum(events)::bigint as events, sum(amount) as amount from gateway.totals group by 1, 2
    ), listed as (
      select project_id, type, sum(sign)::bigint as events,
        sum(case when type = 'order.paid' then sign * (data ->> 'payAmount')::numeric else 0 end) as amount
      from (
        select project_id, type, data, 1 as sign from gateway.events where type = any (${COUNTED_EVENTS})
        union all
        select project_id, 'order.paid', data, -1 from gateway.events
        where type = 'order.unresolved' and data ->> 'reason' = 'reorganized') e
      group by 1, 2
    )
    select c as counted, l as listed from counted c full join listed l using (project_id, type)
    where (c.events, c.amount) is distinct from (l.events, l.amount)`.execute(gateway.owner.system)
  for (const row of rows) problems.push(`The totals are wrong: ${JSON.stringify(row)}`)
}

/** PostgreSQL finishes the last statement of a killed process. */
async function waitForStatements({ gateway }: Run): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name like 'mintmark-gateway%'
        -- The gateway in this process listens, too, and writes nothing there.
        and application_name <> 'mintmark-gateway-listener'`.execute(gateway.owner.system)
    if (rows.length === 0) return
    await pause(50)
  }
}

/**
 * Every reader must have every number of the project's feed once, with the same events. Returns the events.
 */
async function compareReaders(
  { gateway, readers }: Run,
  project: SampleProject,
  problems: string[],
): Promise<GatewayEvent[]> {
  const { newest } = await gateway.owner.system
    .selectFrom('gateway.event_counts')
    .select('newest')
    .where('project_id', '=', project.projectId)
    .executeTakeFirstOrThrow()
  const [first, ...others] = readers.get(project) ?? []
  if (first === undefined) throw new Error('The project has no reader')
  for (let sequence = 1; sequence <= newest; sequence += 1) {
    const event = JSON.stringify(first.read.get(sequence))
    if (event === undefined) problems.push(`Project ${project.projectId}: number ${sequence} is missing`)
    if (others.some(({ read }) => JSON.stringify(read.get(sequence)) !== event))
      problems.push(`Project ${project.projectId}: readers differ at number ${sequence}`)
  }
  const feed = [...first.read.values()].sort((a, b) => a.sequence - b.sequence)
  if (feed.length !== newest)
    problems.push(`Project ${project.projectId}: ${feed.length} events of ${newest}`)
  if (new Set(feed.map(({ id }) => id)).size !== feed.length)
    problems.push(`Project ${project.projectId}: an id is doubled`)
  return feed
}

/** Each subject must have the events of its changes, each once and in their order. */
async function compareWithLog(
  { gateway, projects }: Run,
  feeds: readonly GatewayEvent[],
  problems: string[],
): Promise<void> {
  const expected = await listExpectedTypes(gateway.owner.system)
  const found = new Map<string, string[]>()
  for (const { projectId, subject, type } of feeds) {
    const key = `${projectId} ${subject}`
    found.set(key, [...(found.get(key) ?? []), type])
  }
  const projectIds = new Set(projects.map(({ projectId }) => String(projectId)))
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    if (!projectIds.has(key.split(' ', 1)[0] ?? '')) continue
    const [wanted, actual] = [expected.get(key)?.join(', '), found.get(key)?.join(', ')]
    if (wanted !== actual) problems.push(`${key} has the events ${actual}, and its changes are ${wanted}`)
  }
}

/** Tables whose records contain nothing of other rows, so that the last event of a record is the record. */
const OWN_RECORDS = ['cards', 'contracts', 'address_book', 'wallet_info', 'orders', 'mintable_nfts'] as const

async function compareWithRecords(
  { gateway, projects }: Run,
  feeds: readonly GatewayEvent[],
  problems: string[],
): Promise<void> {
  const ofRecords = feeds.filter(({ type }) => type !== 'product_nft.token_data_changed')
  const last = new Map(ofRecords.map((event) => [`${event.projectId} ${event.subject}`, event]))
  for (const table of OWN_RECORDS) {
    const source = eventSources.find((each) => each.table === table)
    if (source === undefined) throw new Error(`No source reports changes of ${table}`)
    for (const { projectId } of projects) {
      const tenant = new Tenant(gateway.owner.system, projectId)
      const { rows } = await sql<object>`
        select * from ${sql.table(`gateway.${table}`)} where project_id = ${projectId}`.execute(tenant)
      for (const after of rows) {
        const change = { before: undefined, after } as RowChange<never>
        const [event] = await source.toEvents(change, { tenant, publicUrl: TEST_URL })
        if (event === undefined) continue
        const found = last.get(`${projectId} ${event.subject}`)?.data
        if (JSON.stringify(found) !== JSON.stringify(event.data))
          problems.push(
            `${event.subject} of project ${projectId} is ${JSON.stringify(event.data)}, and its last event has ${JSON.stringify(found)}`,
          )
      }
    }
  }
}
