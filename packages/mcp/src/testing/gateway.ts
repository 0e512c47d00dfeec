import { createTestDatabase } from '@mintmark/devkit/testing'
import {
  createKey,
  gatewaySchema,
  migrateWebhookJobs,
  openGatewayDatabase,
  startGateway,
} from '@mintmark/gateway-server'
import { createLog, createSealer, createSecretKey, migrate, readEnvironment } from '@mintmark/server-kit'

/** Starts a gateway as `serve` runs it, on a database of its own, with a key for one project. */
export async function startGatewayWithKey(stops: AsyncDisposableStack) {
  const { url: databaseUrl, drop } = await createTestDatabase()
  stops.defer(drop)
  await migrate(databaseUrl, gatewaySchema)
  await migrateWebhookJobs(databaseUrl)
  const database = openGatewayDatabase({ url: databaseUrl, max: 2 })
  stops.defer(() => database.close())
  const secretKeys = createSecretKey('test')
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: secretKeys,
    GATEWAY_PORT: '0',
    RATE_LIMIT_PER_SECOND: '1000',
    RATE_LIMIT_BURST: '2000',
  }
  const log = createLog('gateway', 'silent', { write: () => {} })
  const { url, close } = await startGateway(readEnvironment(settings), log)
  stops.defer(close)
  const key = await createKey(database.system, createSealer(secretKeys), { project: 'mcp', name: 'mcp' })
  return { url, apiKey: key.apiKey, secret: key.secret }
}
