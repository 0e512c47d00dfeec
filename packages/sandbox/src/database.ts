import { facilitatorSchema, migrateJobs } from '@mintmark/facilitator-server'
import { gatewaySchema, migrateWebhookJobs } from '@mintmark/gateway-server'
import { ConfigurationError, listServerUrls, migrate, SchemaMismatchError } from '@mintmark/server-kit'
import type pg from 'pg'
import { migrateWithClock } from './clock-database.ts'
import { createTestDatabase, startEmbeddedPostgres } from './postgres/index.ts'
import { SandboxStartError } from './start-error.ts'
import type { Stops } from './stops.ts'

export interface DatabasePlacement {
  /** The caller's database. */
  readonly databaseUrl?: string | undefined
  /** The folder that keeps an embedded database. Undefined: a database that `stops` drops. */
  readonly keptIn?: string | undefined
}

/**
 * Provides a migrated database, and returns its connection string. Databases that are not kept are copies of
 * one that was migrated once, on a server that all sandboxes of the process share.
 */
export async function openSandboxDatabase(
  { databaseUrl, keptIn }: DatabasePlacement,
  stops: Stops,
): Promise<string> {
  if (databaseUrl !== undefined) {
    if (listServerUrls(databaseUrl).length > 1)
      throw new ConfigurationError(
        'DATABASE_URL: the sandbox uses a database with one host, because it changes what only one server has',
      )
    await prepareDatabase(databaseUrl)
    return databaseUrl
  }
  if (keptIn !== undefined) return await openKeptDatabase(keptIn, stops)
  const { url, drop } = await createTestDatabase({ name: 'mintmark_sandbox', prepare: prepareDatabase })
  stops.defer(drop)
  return url
}

async function openKeptDatabase(dataDir: string, stops: Stops): Promise<string> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir })
  stops.defer(stop)
  try {
    await prepareDatabase(url)
  } catch (error) {
    if (!(error instanceof SchemaMismatchError && error.status.state === 'incompatible')) throw error
    throw new SandboxStartError(
      `The database in ${dataDir} was created by an earlier version and cannot be migrated. Delete the folder ${dataDir}, with all of its data, and start again`,
      { cause: error },
    )
  }
  return url
}

const SCHEMAS = ['gateway', 'gateway_jobs', 'facilitator', 'facilitator_jobs', 'sandbox']

/** Removes everything that sandboxes have written to a database, and migrates it. `admin` is a superuser. */
export async function emptyDatabase(admin: pg.Pool, url: string): Promise<void> {
  for (const schema of SCHEMAS) await admin.query(`drop schema if exists ${schema} cascade`)
  await prepareDatabase(url)
}

async function prepareDatabase(url: string): Promise<void> {
  await migrateWithClock(url, async (clocked) => {
    await migrate(clocked, gatewaySchema)
    await migrateWebhookJobs(clocked)
    await migrate(clocked, facilitatorSchema)
    await migrateJobs(clocked)
  })
}
