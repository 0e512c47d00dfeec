import { startTestServer } from '@mintmark/devkit/testing'
import {
  createKey,
  type GatewayDatabase,
  gatewaySchema,
  migrateWebhookJobs,
  openGatewayDatabase,
} from '@mintmark/gateway-server'
import { createSealer, createSecretKey, migrate } from '@mintmark/server-kit'
import { createGateway, type GatewayClient } from '@mintmark/transport'
import { startDatabase, startServer } from './processes.ts'

export const WALLET = '0x00000000000000000000000000000000000000a1'

/** An empty gateway's database. */
export interface GatewayStorage {
  readonly databaseUrl: string
  /** Connections of the schema's owner. */
  readonly owner: GatewayDatabase
  readonly secretKeys: string
  newKey(project: string): ReturnType<typeof createKey>
}

/** Starts PostgreSQL without waiting for the disk, with the gateway's tables. */
export async function startStorage(stops: AsyncDisposableStack): Promise<GatewayStorage> {
  const server = await startTestServer()
  stops.defer(() => server.stop())
  return await createStorage(stops, server.url)
}

/** Starts PostgreSQL as in production, with the gateway's tables. */
export async function startDurableStorage(stops: AsyncDisposableStack): Promise<GatewayStorage> {
  return await createStorage(stops, await startDatabase(stops))
}

async function createStorage(stops: AsyncDisposableStack, databaseUrl: string): Promise<GatewayStorage> {
  await migrate(databaseUrl, gatewaySchema)
  await migrateWebhookJobs(databaseUrl)
  const owner = openGatewayDatabase({ url: databaseUrl, max: 1 })
  stops.defer(() => owner.close())
  const secretKeys = createSecretKey('bench')
  const sealer = createSealer(secretKeys)
  return {
    databaseUrl,
    owner,
    secretKeys,
    newKey: (project) => createKey(owner.system, sealer, { project, name: project }),
  }
}

/** Starts the gateway's own command. Returns its port. */
export function startGateway(stops: AsyncDisposableStack, storage: GatewayStorage): Promise<number> {
  return startServer(stops, 'gateway', {
    DATABASE_URL: storage.databaseUrl,
    SECRET_KEYS: storage.secretKeys,
    LOG_LEVEL: 'info',
    CONCURRENT_CALLS_PER_PROJECT: '1000',
  })
}

/** Creates a client with a key of a new project. */
export async function createProjectClient(
  storage: GatewayStorage,
  project: string,
  options: { readonly baseUrl: string; readonly fetch?: typeof globalThis.fetch },
): Promise<{ client: GatewayClient; projectId: number }> {
  const { apiKey, secret, projectId } = await storage.newKey(project)
  const client = createGateway({ ...options, credentials: { apiKey, secret }, timeout: 120_000 })
  return { client, projectId }
}
