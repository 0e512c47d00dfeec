import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureCommand } from '@mintmark/devkit/command-output'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import {
  type ProductionDatabase,
  type StubNode,
  startProductionDatabase,
  startStubNode,
} from '@mintmark/devkit/testing'
import { createSealer, createSecretKey, migrate, runCommandLine } from '@mintmark/server-kit'
import { createDatabaseCheck, defineCheck, type Finding, readRows } from '@mintmark/server-kit/doctor'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGatewayDatabase } from '../database/database.ts'
import { createPartitions, EVENTS, PARTITIONED_TABLES, partitionAt } from '../database/partitions.ts'
import { migrateWebhookJobs } from '../domains/webhooks/delivering.ts'
import { createKey } from '../keys/keys-store.ts'
import { gatewaySchema } from '../main/server.ts'
import { MAIL_PASSWORD, type StubMailServer, startStubMailServer } from '../testing/stub-mail-server.ts'
import { gatewayCommands } from './commands.ts'
import { createGatewayDoctor } from './doctor.ts'

const stops = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'mintmark-doctor-'))
stops.defer(() => rmSync(folder, { recursive: true }))

let database: ProductionDatabase
let nodes: [StubNode, StubNode]
let mailServer: StubMailServer
let settings: Record<string, string>

beforeAll(async () => {
  database = await startProductionDatabase()
  stops.defer(() => database.stop())
  await migrate(database.url, gatewaySchema)
  await migrateWebhookJobs(database.url)
  nodes = [await startStubNode(), await startStubNode()]
  for (const node of nodes) stops.defer(() => node.close())
  mailServer = await startStubMailServer()
  stops.defer(() => mailServer.close())
  const publicUrl = await serveLocally((_, response) => response.end('{}'), stops)
  settings = {
    DATABASE_URL: database.url,
    SECRET_KEYS: createSecretKey('k1'),
    CHAINS: `8453=${nodes[0].url}/a-key-of-a-provider,${nodes[1].url}`,
    GATEWAY_PORT: '0',
    PUBLIC_URL: publicUrl,
  }
  const owner = openGatewayDatabase({ url: database.url, max: 1 })
  for (const table of PARTITIONED_TABLES) await createPartitions(owner.pool, table)
  await createKey(owner.system, createSealer(settings.SECRET_KEYS ?? ''), {
    project: 'shop',
    name: 'backend',
  })
  await owner.close()
})
afterAll(() => stops.disposeAsync())

interface Diagnosis {
  readonly status: number
  readonly findings: readonly Finding[]
  readonly printed: string
}

/** Runs the command with some settings changed. An empty one is not set. */
async function diagnose(changes: Record<string, string> = {}, now?: () => number): Promise<Diagnosis> {
  const commands = { doctor: createGatewayDoctor(now) }
  const { status, out, error } = await captureCommand({ ...settings, ...changes }, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, commands, ['doctor', '--json']),
  )
  expect(error).toBe('')
  return { status, findings: JSON.parse(out).findings, printed: out }
}

const listProblems = ({ findings }: Diagnosis) => findings.filter(({ level }) => level !== 'ok')

it('doctor of the gateway finds nothing wrong with a server that is set up as the guide describes', async () => {
  const diagnosis = await diagnose()
  expect(listProblems(diagnosis)).toEqual([])
  expect(diagnosis.status).toBe(0)
  expect(diagnosis.findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'The schema gateway is up to date',
      'SECRET_KEYS has the key "k1" of 1 stored secrets',
      'PUBLIC_URL responds',
    ]),
  )
})

it('doctor of the gateway signs in to the mail server, and sends no mail', async () => {
  const { findings, status } = await diagnose(sendsMails(mailServer.url))
  expect(findings).toContainEqual({ area: 'network', level: 'ok', message: 'The mail server responds' })
  expect(status).toBe(0)
  expect(mailServer.mails).toEqual([])
})

it('doctor of the gateway prints a line for each finding, with what to do and the section of the guide', async () => {
  const environment = { ...settings, EVENT_RETENTION_DAYS: '1', GATEWAY_PORT: 'http' }
  const { status, out } = await captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, { doctor: createGatewayDoctor() }, [
      'doctor',
    ]),
  )
  expect(status).toBe(1)
  expect(out).toContain(
    [
      'error    settings  GATEWAY_PORT: expected an integer from 0 to 65535, received "http"',
      '                   Do: Correct GATEWAY_PORT',
      '                   See: docs/guides/running-the-servers.md#doctor-settings',
    ].join('\n'),
  )
  expect(out).toMatch(/\n1 error, 1 warning, \d+ ok\n$/)
})

it('doctor of the gateway cannot change the database, whatever a probe does', async () => {
  const check = defineCheck({
    area: 'database',
    name: 'The stored data',
    read: readRows('create table gateway.doctor (id int)'),
    problems: () => [],
  })
  expect(await createDatabaseCheck(database.url, [check]).run()).toContainEqual(
    expect.objectContaining({
      level: 'error',
      message: 'The stored data could not be checked: cannot execute CREATE TABLE in a read-only transaction',
    }),
  )
})

it('doctor of the gateway reports partitions of the next days that are missing, until migrate creates them', async () => {
  const owner = openGatewayDatabase({ url: database.url, max: 1 })
  const tomorrow = partitionAt(EVENTS, new Date(), 1).name
  await owner.pool.query(`drop table gateway.${tomorrow}`)
  const diagnosis = await diagnose()
  expect(listProblems(diagnosis)).toEqual([
    expect.objectContaining({
      area: 'database',
      level: 'error',
      message: expect.stringContaining(`gateway.events has no partition ${tomorrow},`),
    }),
  ])
  expect(diagnosis.status).toBe(1)
  await captureCommand(settings, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, gatewayCommands, ['migrate']),
  )
  expect(listProblems(await diagnose())).toEqual([])
  await owner.close()
})

it('doctor of the gateway warns of a project whose move was left', async () => {
  const owner = openGatewayDatabase({ url: database.url, max: 1 })
  await owner.pool.query(`insert into gateway.projects (name, state, cell) values ('left', 'FROZEN', 'b')`)
  expect(listProblems(await diagnose())).toEqual([
    expect.objectContaining({
      level: 'warning',
      message: expect.stringMatching(/project \d+, which moves to b, are refused/),
    }),
  ])
  await owner.pool.query(`delete from gateway.projects where state = 'FROZEN'`)
  await owner.close()
})

it('doctor of the gateway reports a missing DATABASE_URL once, and checks no database', async () => {
  const { findings } = await diagnose({ DATABASE_URL: '' })
  const problems = findings.filter(({ level }) => level === 'error')
  expect(problems).toEqual([
    expect.objectContaining({
      area: 'settings',
      message: expect.stringContaining('DATABASE_URL is required'),
      action: 'Correct DATABASE_URL',
    }),
  ])
})

/** A wrong setting, and what the command must report. */
interface SettingCase {
  readonly title: string
  readonly changes: () => Record<string, string>
  readonly level: 'warning' | 'error'
  readonly message: string
  readonly action: string
}

const sendsMails = (server: string | URL) => ({
  SMTP_URL: String(server),
  MAIL_FROM: 'no-reply@shop.example',
})

const SETTING_CASES: readonly SettingCase[] = [
  {
    title: 'an identity provider without its secret',
    changes: () => ({
      OIDC_NAME: 'Example ID',
      OIDC_DISCOVERY_URL: 'https://id.example/',
      OIDC_CLIENT_ID: 'mintmark',
    }),
    level: 'error',
    message: 'OIDC_CLIENT_SECRET: expected a value, because OIDC_NAME is set',
    action: 'Correct OIDC_CLIENT_SECRET',
  },
  {
    title: 'a misspelled variable',
    changes: () => ({ DATABASE_CONECTIONS: '5' }),
    level: 'warning',
    message: 'DATABASE_CONECTIONS is not a setting',
    action: 'Rename it to DATABASE_CONNECTIONS',
  },
  {
    title: 'a port that Kubernetes has set for a Service',
    changes: () => ({ GATEWAY_PORT: 'tcp://10.0.0.7:4000' }),
    level: 'error',
    message: 'GATEWAY_PORT: expected an integer',
    action: 'Set enableServiceLinks: false',
  },
  {
    title: 'a concurrency that lets one project use all connections',
    changes: () => ({ CONCURRENT_CALLS_PER_PROJECT: '20' }),
    level: 'warning',
    message: 'CONCURRENT_CALLS_PER_PROJECT (20) is not below DATABASE_CONNECTIONS (20)',
    action: 'Set CONCURRENT_CALLS_PER_PROJECT to 10',
  },
  {
    title: 'keys without the one that sealed the stored secrets',
    changes: () => ({ SECRET_KEYS: createSecretKey('k2') }),
    level: 'error',
    message: '1 stored secrets cannot be decrypted. SECRET_KEYS: the key "k1" is missing',
    action: 'Add the key k1 that this database was used with to SECRET_KEYS again',
  },
  {
    title: 'a key that is not random',
    changes: () => ({ SECRET_KEYS: `k2:${Buffer.alloc(32).toString('base64')},${settings.SECRET_KEYS}` }),
    level: 'error',
    message: 'The key "k2" of SECRET_KEYS is not random',
    action: 'openssl rand -base64 32',
  },
  {
    title: 'an address that is invalid and contains a secret',
    changes: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://traces.example/hunter2-of-the-receiver' }),
    level: 'error',
    message: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    action: 'Correct OTEL_EXPORTER_OTLP_ENDPOINT',
  },
  {
    title: 'a database that does not listen',
    changes: () => ({ DATABASE_URL: 'postgres://owner:hunter2-of-the-owner@127.0.0.1:9/production' }),
    level: 'error',
    message: 'No connection to the database: connect ECONNREFUSED 127.0.0.1:9',
    action: 'Correct host and port in DATABASE_URL',
  },
  {
    title: 'a database that was never migrated',
    changes: () => ({ DATABASE_URL: database.url.replace(/production$/, 'postgres') }),
    level: 'error',
    message: 'The schema gateway does not exist',
    action: 'Run mintmark-gateway migrate',
  },
  {
    title: 'a database without the extensions',
    changes: () => ({ DATABASE_URL: database.url.replace(/production$/, 'postgres') }),
    level: 'error',
    message: 'The extension pg_trgm is not installed',
    action: 'create extension pg_trgm as an administrator',
  },
  {
    title: 'a superuser',
    changes: () => ({ DATABASE_URL: database.superuserUrl }),
    level: 'warning',
    message: 'is a superuser',
    action: 'Create a user that owns only the database production',
  },
  {
    title: 'more connections than PostgreSQL allows',
    changes: () => ({ DATABASE_CONNECTIONS: '200' }),
    level: 'error',
    message: 'a process of this server opens up to 214 connections',
    action: 'Lower DATABASE_CONNECTIONS to',
  },
  {
    title: 'one node without a fallback',
    changes: () => ({ CHAINS: `8453=${nodes[0].url}` }),
    level: 'warning',
    message: 'Chain 8453 has one node',
    action: 'Add a second node',
  },
  {
    title: 'a node of another chain',
    changes: () => ({ CHAINS: `1=${nodes[0].url},${nodes[1].url}` }),
    level: 'error',
    message: 'The node 1 of chain 1 is a node of chain 8453',
    action: 'Correct CHAINS',
  },
  {
    title: 'a node that does not respond beside one that does',
    changes: () => ({ CHAINS: `8453=http://127.0.0.1:2/a-key-of-a-provider,${nodes[1].url}` }),
    level: 'warning',
    message: 'The node 1 of chain 8453 does not respond: no connection to the node (ECONNREFUSED)',
    action: 'Correct its address in CHAINS',
  },
  {
    title: 'a mail server without a sender and a public address',
    changes: () => ({ SMTP_URL: mailServer.url.href, PUBLIC_URL: '' }),
    level: 'error',
    message: 'MAIL_FROM: expected a value, because SMTP_URL is set',
    action: 'Correct MAIL_FROM',
  },
  {
    title: 'a mail server that is away',
    changes: () => sendsMails('smtp://mintmark:hunter2-of-mails@127.0.0.1:2'),
    level: 'warning',
    message: 'The mail server does not accept mails (ESOCKET)',
    action: 'Correct host, port, user and password in SMTP_URL',
  },
  {
    title: 'a mail server that refuses the login',
    changes: () => sendsMails(mailServer.url.href.replace(MAIL_PASSWORD, 'hunter2-of-mails')),
    level: 'warning',
    message: 'The mail server does not accept mails (EAUTH 535)',
    action: 'Correct host, port, user and password in SMTP_URL',
  },
  {
    title: 'a public address that leads elsewhere',
    changes: () => ({ PUBLIC_URL: `${nodes[0].url}/shop` }),
    level: 'warning',
    message: 'PUBLIC_URL',
    action: 'correct',
  },
]

it.each(SETTING_CASES)(
  'doctor of the gateway names a remedy for $title',
  async ({ changes, level, message, action }) => {
    const diagnosis = await diagnose(changes())
    const problem = listProblems(diagnosis).find((each) => each.message.includes(message))
    expect(problem ?? diagnosis.findings).toMatchObject({
      level,
      message: expect.stringContaining(message),
      action: expect.stringContaining(action),
      docs: expect.stringMatching(/^docs\/guides\/running-the-servers\.md#doctor-\w+$/),
    })
    if (level === 'error') expect(diagnosis.status).toBe(1)
    expect(diagnosis.printed).not.toContain('hunter2')
    expect(diagnosis.printed).not.toContain('a-key-of-a-provider')
    expect(diagnosis.printed).not.toContain(settings.SECRET_KEYS?.slice(3))
  },
)

/** A state of the database, and the statement that ends it. */
const DATABASE_CASES: readonly (readonly [
  title: string,
  change: string,
  undo: string,
  message: string,
  action: string,
])[] = [
  [
    'row-level security that is off',
    'alter table gateway.cards disable row level security',
    'alter table gateway.cards enable row level security',
    'Row-level security is off for gateway.cards',
    'alter table gateway.cards enable row level security',
  ],
  [
    'a role that bypasses row-level security',
    'alter role mintmark_gateway bypassrls',
    'alter role mintmark_gateway nobypassrls',
    'The role mintmark_gateway is a superuser, has BYPASSRLS or owns tables',
    'nobypassrls',
  ],
  [
    'a role that the user may not assume',
    'revoke mintmark_gateway from owner cascade',
    'grant mintmark_gateway to owner',
    'may not assume the role mintmark_gateway',
    'grant mintmark_gateway to the user',
  ],
  [
    'calls that may read the sessions of people',
    'grant select on gateway.people_sessions to mintmark_gateway',
    'revoke select on gateway.people_sessions from mintmark_gateway',
    'may read gateway.people_sessions, which only the owner may',
    'revoke all on gateway.people_sessions from mintmark_gateway',
  ],
  [
    'a statement timeout that ends migrations',
    'alter role owner set statement_timeout = 20000',
    'alter role owner reset statement_timeout',
    'statement_timeout is 20000 ms',
    'alter role owner reset statement_timeout',
  ],
  [
    'commits that a crash loses',
    'alter database production set synchronous_commit = off',
    'alter database production reset synchronous_commit',
    'synchronous_commit is off',
    'alter database production reset synchronous_commit',
  ],
  [
    'another isolation level',
    `alter role owner set default_transaction_isolation = 'serializable'`,
    'alter role owner reset default_transaction_isolation',
    'default_transaction_isolation is serializable',
    'reset default_transaction_isolation',
  ],
  [
    'a migration that has not run',
    `update gateway.migrations set id = '0000_before' where id = (select max(id) from gateway.migrations)`,
    `update gateway.migrations set id = '${gatewaySchema.migrations.at(-1)?.id}' where id = '0000_before'`,
    'has another history than this program',
    'Follow the message',
  ],
]

it.each(DATABASE_CASES)(
  'doctor of the gateway names a remedy for %s',
  async (_, change, undo, message, action) => {
    await database.administer(change)
    const diagnosis = await diagnose()
    await database.administer(undo)
    const problem = listProblems(diagnosis).find((each) => each.message.includes(message))
    expect(problem ?? diagnosis.findings).toMatchObject({
      message: expect.stringContaining(message),
      action: expect.stringContaining(action),
    })
  },
)

it('doctor of the gateway warns about a replication slot without a standby that holds more than max_wal_size', async () => {
  const list = async () => listProblems(await diagnose()).filter(({ area }) => area === 'database')
  const switchWal = [`select pg_logical_emit_message(false, 'doctor', 'a record')`, 'select pg_switch_wal()']
  await database.administer(
    `select pg_create_physical_replication_slot('left_behind', true)`,
    ...[...switchWal, ...switchWal, ...switchWal],
  )
  expect(await list()).toEqual([])
  await database.administer(`alter system set max_wal_size = '32MB'`, 'select pg_reload_conf()')
  await expect.poll(list).toMatchObject([
    {
      level: 'warning',
      message: expect.stringMatching(/^The replication slot left_behind holds \d{2} MB of WAL/),
      action: expect.stringContaining(`select pg_drop_replication_slot('left_behind')`),
      docs: 'docs/guides/running-the-servers.md#doctor-database',
    },
  ])
  await database.administer(
    `select pg_drop_replication_slot('left_behind')`,
    'alter system reset max_wal_size',
    'select pg_reload_conf()',
  )
})

const NODE_CASES: readonly (readonly [title: string, state: object, message: string, action: string])[] = [
  ['lags', { head: 49_900 }, 'is 100 blocks behind another one', 'Wait until it is synchronized'],
  ['refuses batches', { acceptsBatches: false }, 'refuses JSON-RPC batches', 'a single node'],
  ['limits logs', { maxLogBlocks: 500 }, 'refuses the logs of 1000 blocks', 'Use a node without this limit'],
  ['lacks old state', { hasState: false }, 'does not return the state', 'keeps at least the state'],
  ['has no final block', { hasFinalizedBlock: false }, 'has no final block', 'Set FINALITY'],
]

it.each(NODE_CASES)(
  'doctor of the gateway names a remedy for a node that %s',
  async (_, state, message, action) => {
    const before = { ...nodes[1].state }
    Object.assign(nodes[1].state, state)
    const diagnosis = await diagnose({ FINALITY: 'finalized' })
    Object.assign(nodes[1].state, before)
    const problem = listProblems(diagnosis).find((each) => each.message.includes(message))
    expect(problem ?? diagnosis.findings).toMatchObject({
      message: expect.stringMatching(/node 2 of chain 8453/),
      action: expect.stringContaining(action),
    })
  },
)

it('doctor of the gateway compares the clock of the machine with the database and the newest block', async () => {
  const { status, findings } = await diagnose({}, () => Date.now() + 600_000)
  const clocks = findings.filter(({ area }) => area === 'clocks')
  expect(clocks).toMatchObject(
    [
      { level: 'error', message: expect.stringContaining('database differ by 6'), action: /NTP/ },
      { level: 'warning', message: expect.stringContaining('seconds old') },
    ].map(({ action: _, ...each }) => each),
  )
  expect(status).toBe(1)
})

it('doctor of the gateway reads settings from files', async () => {
  const file = join(folder, 'secret-keys-file')
  writeFileSync(file, `${settings.SECRET_KEYS}\n`)
  expect(listProblems(await diagnose({ SECRET_KEYS: '', SECRET_KEYS_FILE: file }))).toEqual([])
})

it('doctor of the gateway refers to sections that the guide has', () => {
  const guide = readFileSync(
    new URL('../../../../docs/guides/running-the-servers.md', import.meta.url),
    'utf8',
  )
  const areas = ['settings', 'secrets', 'database', 'chains', 'clocks', 'signers', 'network']
  expect(areas.filter((area) => !guide.includes(`### Doctor: ${area}\n`))).toEqual([])
})
