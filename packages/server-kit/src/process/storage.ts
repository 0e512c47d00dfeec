import { ConfigurationError, type EnvironmentReader } from '../environment.ts'
import { describeReason } from '../postgres/errors.ts'
import {
  checkSchema,
  DatabaseUnavailableError,
  hasSharedSessions,
  isDatabaseError,
  listServerUrls,
  type MigrationPlan,
  migrate,
  ReadOnlyDatabaseError,
  SchemaMismatchError,
  startEmbeddedPostgres,
} from '../postgres/index.ts'
import { readDevelopmentKeys } from './development-keys.ts'
import type { Logger } from './log.ts'
import { createSealer, type Sealer } from './seal.ts'

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
  databaseUrl: string
  sealer: Sealer
  /** Whether the database is the embedded one of this machine. */
  embedded: boolean
  close(): Promise<void>
}

/** Returns the folder of the embedded database and the development keys. */
export function getDataDir(env: EnvironmentReader): string {
  return env.text('DATA_DIR') ?? '.mintmark'
}

/** The settings of the database and of the secret keys. */
export interface StorageSettings {
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Undefined: the development keys in `dataDir`. */
  readonly secretKeys: string | undefined
  readonly dataDir: string
  /** Whether the server may migrate the schema of `databaseUrl`. */
  readonly autoMigrate: boolean
}

/** Reads DATABASE_URL, SECRET_KEYS, DATA_DIR and AUTO_MIGRATE. @throws ConfigurationError */
export function readStorageSettings(env: EnvironmentReader): StorageSettings {
  const databaseUrl = env.text('DATABASE_URL')
  const secretKeys = env.text('SECRET_KEYS')
  if (databaseUrl !== undefined) listServerUrls(databaseUrl)
  if (databaseUrl !== undefined && secretKeys === undefined && env.text('DATA_DIR') === undefined) {
    throw new ConfigurationError(
      'SECRET_KEYS is required together with DATABASE_URL: id:key,… where a key is 32 bytes in base64 (openssl rand -base64 32)',
    )
  }
  const autoMigrate = env.flag('AUTO_MIGRATE', false)
  return { databaseUrl, secretKeys, dataDir: getDataDir(env), autoMigrate }
}

/**
 * Opens the database and the secret keys that the environment configures. With DATABASE_URL, SECRET_KEYS are
 * required and only the command `migrate` changes the schema. Without it, starts an embedded PostgreSQL in
 * DATA_DIR and migrates it. Its keys are stored in the same folder.
 */
export async function openStorage(
  env: EnvironmentReader,
  own: MigrationPlan,
  options: StorageOptions = {},
): Promise<Storage> {
  const { databaseUrl: given, secretKeys: keys, dataDir, autoMigrate } = readStorageSettings(env)
  const sealer = createSealer(keys ?? (await readDevelopmentKeys(dataDir)))
  const embedded = given === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined
  const databaseUrl = given ?? embedded?.url ?? ''
  try {
    if (given !== undefined) await refuseSharedSessions(given)
    const mayMigrate = options.migrate === true || embedded !== undefined || autoMigrate
    if (options.acceptsAnySchema !== true) await prepareSchema(databaseUrl, own, options, mayMigrate)
  } catch (error) {
    await embedded?.stop()
    if (embedded && error instanceof SchemaMismatchError && error.status.state === 'incompatible') {
      throw new ConfigurationError(
        `The database in ${dataDir} was created by an earlier version and cannot be migrated. Delete the folder ${dataDir}, with all of its data, and start again`,
        { cause: error },
      )
    }
    const failure = error instanceof DatabaseUnavailableError ? error.cause : error
    if (given !== undefined && isConnectionFailure(failure)) {
      throw new ConfigurationError(
        `DATABASE_URL: no connection to the database: ${describeReason(failure)}`,
        {
          cause: error,
        },
      )
    }
    throw error
  }
  return { databaseUrl, sealer, embedded: embedded !== undefined, close: async () => embedded?.stop() }
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
