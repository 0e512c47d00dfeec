import type { EnvironmentReader } from './environment.ts'

/** Reads DATABASE_STATEMENT_TIMEOUT_MS and DATABASE_IDLE_TIMEOUT_MS, for `openDatabase`. */
export function readDatabaseTimeouts(env: EnvironmentReader) {
  return {
    statementTimeoutMs: env.integer('DATABASE_STATEMENT_TIMEOUT_MS', 15_000, 100, 600_000),
    idleInTransactionTimeoutMs: env.integer('DATABASE_IDLE_TIMEOUT_MS', 30_000, 100, 600_000),
  }
}

/** Reads MAX_CONNECTIONS, for `listen`. */
export function readMaxConnections(env: EnvironmentReader): number {
  return env.integer('MAX_CONNECTIONS', 1000, 1, 100_000)
}
