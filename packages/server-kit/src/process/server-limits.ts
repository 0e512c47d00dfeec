import type { EnvironmentReader } from './environment.ts'

/** DATABASE_STATEMENT_TIMEOUT_MS and DATABASE_IDLE_TIMEOUT_MS, as `openDatabase` takes them. */
export function readDatabaseTimeouts(env: EnvironmentReader) {
  return {
    statementTimeoutMs: env.integer('DATABASE_STATEMENT_TIMEOUT_MS', 15_000, 100, 600_000),
    idleInTransactionTimeoutMs: env.integer('DATABASE_IDLE_TIMEOUT_MS', 30_000, 100, 600_000),
  }
}

/** MAX_CONNECTIONS, as `listen` takes it. */
export function readMaxConnections(env: EnvironmentReader): number {
  return env.integer('MAX_CONNECTIONS', 1000, 1, 100_000)
}
