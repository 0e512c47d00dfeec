import {
  checkSchema,
  isDatabaseError,
  type MigrationPlan,
  migrate,
  startEmbeddedPostgres,
} from '../postgres/index.ts'
import { developmentSecretKeys } from '../secrets/development-keys.ts'
import { createSealer, type Sealer } from '../secrets/seal.ts'
import { ConfigurationError, type EnvironmentReader } from './environment.ts'
import type { Logger } from './log.ts'

export interface StorageOptions {
  /** Brings the schema up to date also where only `migrate` may. */
  migrate?: boolean
  /** What is brought up to date after the schema: a job queue's own. */
  migrateMore?: (databaseUrl: string) => Promise<void>
  log?: Logger
}

export interface Storage {
  databaseUrl: string
  sealer: Sealer
  /** True where the database is this machine's own embedded one. */
  embedded: boolean
  close(): Promise<void>
}

/** Where a server keeps what it keeps, unless DATABASE_URL says otherwise. */
export function dataDirOf(env: EnvironmentReader): string {
  return env.text('DATA_DIR') ?? '.mintmark'
}

/**
 * The database and the secret keys that the environment names. With DATABASE_URL: SECRET_KEYS are required, and only `migrate` changes the
 * schema. Without: an embedded PostgreSQL in DATA_DIR, which migrates by itself, and keys kept beside it.
 */
export async function openStorage(
  env: EnvironmentReader,
  own: MigrationPlan,
  options: StorageOptions = {},
): Promise<Storage> {
  const given = env.text('DATABASE_URL')
  const keys = env.text('SECRET_KEYS')
  const dataDir = dataDirOf(env)
  if (given !== undefined && !(/^postgres(?:ql)?:\/\//.test(given) && URL.canParse(given))) {
    // The value is not repeated: it holds a password.
    throw new ConfigurationError('DATABASE_URL: expected postgres://user:password@host:port/database')
  }
  if (given !== undefined && keys === undefined && env.text('DATA_DIR') === undefined) {
    throw new ConfigurationError(
      'SECRET_KEYS is required together with DATABASE_URL: id:key,… where a key is 32 bytes in base64 (openssl rand -base64 32)',
    )
  }
  const sealer = createSealer(keys ?? (await developmentSecretKeys(dataDir)))
  const embedded = given === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined
  const databaseUrl = given ?? embedded?.url ?? ''
  try {
    if (options.migrate || embedded || env.flag('AUTO_MIGRATE', false)) {
      await migrate(databaseUrl, own)
      await options.migrateMore?.(databaseUrl)
    } else {
      const { unknown } = await checkSchema(databaseUrl, own)
      if (unknown.length > 0)
        options.log?.warn(
          { schema: own.schema, unknown },
          'the schema is newer than this program, which can work with it: upgrade it when you can',
        )
    }
  } catch (error) {
    await embedded?.stop()
    if (given !== undefined && isConnectionFailure(error)) {
      throw new ConfigurationError(`DATABASE_URL: no connection to the database: ${reasonOf(error)}`, {
        cause: error,
      })
    }
    throw error
  }
  return { databaseUrl, sealer, embedded: embedded !== undefined, close: async () => embedded?.stop() }
}

/** Not reached (an error of the socket), or reached and not let in: classes 08 and 28, no such database, no room. */
function isConnectionFailure(error: unknown): boolean {
  if (isDatabaseError(error)) return /^(?:08|28|3D|53|57P0)/.test(error.code ?? '')
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'
    ? true
    : error instanceof AggregateError && error.errors.every(isConnectionFailure)
}

// A host of several addresses fails with an error of each and no message of its own.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
