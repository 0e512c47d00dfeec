import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@mintmark/devkit/testing'
import {
  createKey,
  gatewaySchema,
  migrateWebhookJobs,
  openGatewayDatabase,
  startGateway,
} from '@mintmark/gateway-server'
import { createLog, createSealer, createSecretKey, migrate, readEnvironment } from '@mintmark/server-kit'

/**
 * Starts a gateway as `serve` runs it, on a database of its own, with rate limits that no test reaches. `log`
 * has the lines that it logs.
 */
export async function startTestGateway(env: Readonly<Record<string, string>>, stops: AsyncDisposableStack) {
  const { url, drop } = await createTestDatabase()
  stops.defer(drop)
  await migrate(url, gatewaySchema)
  await migrateWebhookJobs(url)
  const database = openGatewayDatabase({ url, max: 2 })
  stops.defer(() => database.close())
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-media-'))
  stops.defer(() => rm(folder, { recursive: true, force: true }))
  const log: string[] = []
  const secretKeys = createSecretKey('test')
  const settings = {
    DATABASE_URL: url,
    SECRET_KEYS: secretKeys,
    GATEWAY_PORT: '0',
    MEDIA_DIRECTORY: folder,
    RATE_LIMIT_PER_SECOND: '1000',
    RATE_LIMIT_BURST: '2000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  }
  const logger = createLog('gateway', 'info', { write: (line: string) => void log.push(line) })
  const server = await startGateway(readEnvironment(settings), logger)
  stops.defer(() => server.close())
  return {
    url: server.url,
    database,
    log,
    newKey: (project: string, wallet?: string, scopes?: readonly string[]) =>
      createKey(database.system, createSealer(secretKeys), {
        project,
        name: project,
        ...(wallet && { wallet }),
        ...(scopes && { scopes }),
      }),
  }
}
