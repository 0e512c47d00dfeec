import { ConfigurationError, type EnvironmentReader } from '../environment.ts'
import { describeReason } from '../postgres/errors.ts'
import {
  checkSchema,
  DatabaseUnavailableError,
  hasSharedSessions,
  isDatabaseError,
  type MigrationPlan,
  migrate,
  ReadOnlyDatabaseError,
} from '../postgres/index.ts'
import { readSettings } from '../settings.ts'
import type { Logger } from './log.ts'
import { createSealer, type Sealer } from './seal.ts'
import { serverSettings } from './server-settings.ts'

export interface StorageOptions {
  /** Migrates the schema also where only the command `migrate` may. */
  migrate?: boolean
  /** Migrates what follows the schema, such as a job queue's own schema. */
  migrateMore?: (databaseUrl: string) => Promise<void>
  /**
   * Opens the database with any schema: neither migrates nor checks it, which would wait for a migration that
   * hangs.
   */
  acceptsAnySchema?: boolean
  log?: Logger
}

export interface Storage {
  readonly databaseUrl: string
  readonly sealer: Sealer
}

/** The settings of the database and of the secret keys. */
export interface StorageSettings {
  readonly databaseUrl: string
  readonly secretKeys: string
  /** Whether the server may migrate the schema of `databaseUrl`. */
  readonly autoMigrate: boolean
}

/** Reads DATABASE_URL, SECRET_KEYS and AUTO_MIGRATE. @throws ConfigurationError */
export function readStorageSettings(env: EnvironmentReader): StorageSettings {
  const { DATABASE_URL, SECRET_KEYS, AUTO_MIGRATE } = readSettings(serverSettings, env)
  return { databaseUrl: DATABASE_URL, secretKeys: SECRET_KEYS, autoMigrate: AUTO_MIGRATE }
}

/**
 * Opens the database and the secret keys that the environment configures. Only the command `migrate` changes
 * the schema, unless AUTO_MIGRATE is set.
 */
export async function openStorage(
  env: EnvironmentReader,
  own: MigrationPlan,
  options: StorageOptions = {},
): Promise<Storage> {
  const { databaseUrl, secretKeys, autoMigrate } = readStorageSettings(env)
  const sealer = createSealer(secretKeys)
  try {
    await refuseSharedSessions(databaseUrl)
    const mayMigrate = options.migrate === true || autoMigrate
    if (options.acceptsAnySchema !== true) await prepareSchema(databaseUrl, own, options, mayMigrate)
  } catch (error) {
    const failure = error instanceof DatabaseUnavailableError ? error.cause : error
    if (!isConnectionFailure(failure)) throw error
    throw new ConfigurationError(`DATABASE_URL: no connection to the database: ${describeReason(failure)}`, {
      cause: error,
    })
  }
  return { databaseUrl, sealer }
}

async function prepareSchema(
  databaseUrl: string,
  own: MigrationPlan,
  { migrateMore, log }: StorageOptions,
  mayMigrate: boolean,
): Promise<void> {
  if (mayMigrate) {
    await migrate(databaseUrl, own)
    await migrateMore?.(databaseUrl)
    return
  }
  const { unknown } = await checkSchema(databaseUrl, own)
  if (unknown.length > 0)
    log?.warn(
      { schema: own.schema, unknown },
      'The schema is newer than this program, which can still use it. Upgrade the program when you can',
    )
}

/** Refuses a pool in which a connection could run its statements in the session of another project. */
async function refuseSharedSessions(databaseUrl: string): Promise<void> {
  if (!(await hasSharedSessions(databaseUrl))) return
  throw new ConfigurationError(
    'DATABASE_URL leads to a pool in transaction mode, where a call could read rows of another project. Connect DATABASE_URL to PostgreSQL directly, or set pool_mode = session in PgBouncer',
  )
}

/**
 * Whether the server could not be reached (a socket error) or refused the connection: classes 08 and 28, no
 * such database, no free slot.
 */
function isConnectionFailure(error: unknown): boolean {
  if (error instanceof ReadOnlyDatabaseError) return true
  if (isDatabaseError(error)) return /^(?:08|28|3D|53|57P0)/.test(error.code ?? '')
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'
    ? true
    : error instanceof AggregateError && error.errors.every(isConnectionFailure)
}
