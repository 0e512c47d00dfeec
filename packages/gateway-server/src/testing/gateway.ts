import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import {
  createLog,
  createMetrics,
  createSealer,
  createSecretKey,
  type Database,
  migrate,
  openDatabase,
  type PoolOptions,
  type Sealer,
} from '@mintmark/server-kit'
import type { WebhookSettings } from '@mintmark/webhooks'
import type { Hono } from 'hono'
import { ROLE } from '../database/migrations.ts'
import { createPartitions, PARTITIONED_TABLES } from '../database/partitions.ts'
import type { Tables } from '../database/tables.ts'
import { type EventStreamSettings, EventStreams } from '../domains/events/stream/event-streams.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../domains/inventory/order-settings.ts'
import type { MediaSettings } from '../domains/media/media-ports.ts'
import { createFolderStorage } from '../domains/media/storage/folder-storage.ts'
import { migrateWebhookJobs } from '../domains/webhooks/delivering.ts'
import { ADMIN_SCOPES } from '../http/roles.ts'
import { ALL_SCOPES, createKey, type NewKey } from '../keys/keys-store.ts'
import { maintainSignaturePartitions } from '../keys/used-signatures.ts'
import { createGatewayApp, type GatewayAppOptions } from '../main/app.ts'
import { createNotices } from '../main/notices.ts'
import { gatewaySchema } from '../main/server.ts'
import { createFakeMintChain, type FakeMintChain } from './fake-mint-chain.ts'
import { createFakePaymentChain, type FakePaymentChain } from './fake-payment-chain.ts'
import { createLazyWebhooks } from './lazy-webhooks.ts'
import { type RawClient, type ResponseRecorder, rawClient } from './raw-client.ts'

/** A key with the client that signs with it. */
export interface TestKey extends RawClient {
  readonly projectId: number
  readonly apiKey: string
  readonly secret: string
}

/** A gateway in this process with a database of its own. */
export interface TestGateway {
  readonly app: Hono
  /** Connections with the servers' role, to which row-level security applies. */
  readonly database: Database<Tables>
  /** The gateway's open streams of events. */
  readonly eventStreams: EventStreams
  /** Connections of the schema's owner, who sees the rows of every project. */
  readonly owner: Database<Tables>
  /** The connection string of the schema's owner. */
  readonly url: string
  /** The value of SECRET_KEYS. */
  readonly secretKeys: string
  readonly sealer: Sealer
  /** Milliseconds that are added to the gateway's clock. */
  readonly clock: { ahead: number }
  /** The chain that orders are paid on, unless the test passes one. It returns what the test sets. */
  readonly chain: FakePaymentChain
  /** The chain that tokens are minted on, unless the test passes one. It returns what the test sets. */
  readonly mintChain: FakeMintChain
  /** The folder of uploaded pictures. It exists from the first one on. */
  readonly mediaFolder: string
  /** Every line of the log, at any level. */
  readonly logged: string[]
  /** A key of the project "demo" with every scope, those of the admin interface included. */
  readonly key: TestKey
  newKey(options?: Partial<NewKey>): Promise<TestKey>
  /** Creates a second gateway that shares only the database, like another process. */
  another(options?: TestGatewayOptions): Promise<Hono>
  /** Ends the gateway. Throws when the log or a response contains a secret or a signature. */
  close(): Promise<void>
}

/** What the test gateway sets itself, or takes in another form. */
type OwnOptions =
  | 'database'
  | 'owner'
  | 'sealer'
  | 'log'
  | 'metrics'
  | 'now'
  | 'eventStreams'
  | 'media'
  | 'orderSettings'
  | 'webhooks'

export interface TestGatewayOptions extends Partial<Omit<GatewayAppOptions, OwnOptions>> {
  /** The gateway's connections. Default: 10 connections without timeouts. */
  pool?: Pick<PoolOptions, 'max' | 'statementTimeoutMs' | 'connectTimeoutMs'>
  orderSettings?: Partial<OrderSettings>
  /** Default: pictures are stored in `mediaFolder`. */
  media?: Partial<MediaSettings>
  /** Default: URLs may be private. The application delivers nothing. */
  webhooks?: WebhookSettings
  /** How streams of events are served. */
  eventStreams?: Partial<EventStreamSettings>
  /** The value of SECRET_KEYS of another gateway. Default: that of the first one. */
  secretKeys?: string
}

/** The public URL of the test gateway. Nothing listens there. */
export const TEST_URL = 'http://gateway.test'

/**
 * Creates a database with the schemas of the gateway and of its job queue. They are migrated once and copied
 * for each test.
 */
export async function createGatewayDatabase(): Promise<TestDatabase> {
  return await createTestDatabase({
    name: 'gateway',
    async prepare(url) {
      await migrate(url, gatewaySchema)
      await migrateWebhookJobs(url)
      const { pool, close } = openDatabase<Tables>({ url, max: 1 })
      for (const table of PARTITIONED_TABLES) await createPartitions(pool, table)
      await close()
    },
  })
}

/** Starts a gateway for a test: the real application on a real database, called through `app.fetch`. */
export async function testGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const testDb = await createGatewayDatabase()
  const owner = openDatabase<Tables>({ url: testDb.url, max: 2 })
  await maintainSignaturePartitions(owner.pool)
  const secretKeys = createSecretKey('test')
  const sealer = createSealer(secretKeys)
  const clock = { ahead: 0 }
  const chain = createFakePaymentChain()
  const mintChain = createFakeMintChain()
  const now = () => Date.now() + clock.ahead
  const mediaFolder = join(tmpdir(), `mintmark-media-${randomUUID()}`)
  const logged: string[] = []
  const recorder: ResponseRecorder = { secrets: new Set(), responses: [] }
  const databases: Database<Tables>[] = []
  const allStreams: EventStreams[] = []

  const log = createLog('gateway', 'trace', { write: (line: string) => void logged.push(line) })
  const webhooks = createLazyWebhooks({
    allowPrivate: true,
    database: owner,
    sealer,
    log,
    ...options.webhooks,
  })

  const start = async (more: TestGatewayOptions = {}) => {
    const {
      pool,
      eventStreams: streamSettings,
      secretKeys: otherKeys,
      ...appOptions
    } = { ...options, ...more }
    const database = openDatabase<Tables>({
      url: testDb.url,
      role: ROLE,
      max: 10,
      log,
      ...pool,
    })
    databases.push(database)
    const metrics = createMetrics('mintmark_gateway', log)
    const eventStreams = new EventStreams({ url: testDb.url, log, settings: streamSettings ?? {} })
    allStreams.push(eventStreams)
    const settings = {
      // Tests make many concurrent calls for one project.
      rateLimit: { perSecond: 10_000, burst: 20_000 },
      concurrentCalls: 10_000,
      publicUrl: TEST_URL,
      chains: chain,
      mintChain,
      ...appOptions,
      webhooks: {
        ...webhooks.port,
        notices: createNotices(appOptions.mail, { db: owner.system, publicUrl: TEST_URL, log }),
      },
      media: { storage: createFolderStorage(mediaFolder), bytesPerProject: 10 ** 9, ...appOptions.media },
      orderSettings: { ...DEFAULT_ORDER_SETTINGS, ...options.orderSettings, ...more.orderSettings },
    }
    const app = await createGatewayApp({
      database,
      owner,
      sealer: otherKeys === undefined ? sealer : createSealer(otherKeys),
      log,
      metrics,
      now,
      eventStreams,
      ...settings,
    })
    return { app, database, eventStreams }
  }
  const { app, database, eventStreams } = await start()

  const newKey = async (key: Partial<NewKey> = {}): Promise<TestKey> => {
    const scopes = [ALL_SCOPES, ...ADMIN_SCOPES]
    const made = await createKey(owner.system, sealer, { project: 'demo', name: 'test', scopes, ...key })
    const publicUrl = options.publicUrl ?? TEST_URL
    return { ...made, ...rawClient((request) => app.fetch(request), made, { now, publicUrl, recorder }) }
  }
  return {
    app,
    database,
    eventStreams,
    owner,
    url: testDb.url,
    secretKeys,
    sealer,
    clock,
    chain,
    mintChain,
    mediaFolder,
    logged,
    key: await newKey(),
    newKey,
    another: async (more) => (await start(more)).app,
    async close() {
      await webhooks.stop()
      for (const each of allStreams) await each.close()
      for (const each of [...databases, owner]) await each.close()
      await testDb.drop()
      await rm(mediaFolder, { recursive: true, force: true })
      checkForSecrets(recorder, logged)
    },
  }
}

const SIGNATURE_LENGTH = 64
const SIGNATURE_RUNS = /[0-9a-f]{64,}/g

function checkForSecrets({ secrets, responses }: ResponseRecorder, logged: readonly string[]): void {
  const others = [...secrets].filter((secret) => !/^[0-9a-f]{64}$/.test(secret))
  for (const [where, texts] of [
    ['logged', logged],
    ['returned', responses],
  ] as const) {
    const all = texts.join('\n')
    const positions = [...others.map((secret) => all.indexOf(secret)), ...listSignatures(all, secrets)]
    for (const at of positions) {
      if (at >= 0) throw new Error(`A secret or a signature was ${where}: ${all.slice(at - 200, at + 200)}`)
    }
  }
}

/**
 * Yields the positions of signatures in a text. A test makes thousands of signatures, so the text is searched
 * for anything that has the form of one instead of for each of them.
 */
function* listSignatures(text: string, secrets: ReadonlySet<string>): Generator<number> {
  for (const { 0: run, index } of text.matchAll(SIGNATURE_RUNS)) {
    for (let start = 0; start + SIGNATURE_LENGTH <= run.length; start += 1) {
      if (secrets.has(run.slice(start, start + SIGNATURE_LENGTH))) yield index + start
    }
  }
}
