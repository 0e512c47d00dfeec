import type { EnvironmentReader } from '../environment.ts'
import type { ShutdownWaits } from './listen.ts'

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

const MAX_SHUTDOWN_WAIT_MS = 600_000

/** Reads SHUTDOWN_DELAY_MS and SHUTDOWN_IDLE_MS, for `drain`. */
export function readShutdownWaits(env: EnvironmentReader): ShutdownWaits {
  return {
    delayMs: env.integer('SHUTDOWN_DELAY_MS', 10_000, 0, MAX_SHUTDOWN_WAIT_MS),
    idleMs: env.integer('SHUTDOWN_IDLE_MS', 5000, 0, MAX_SHUTDOWN_WAIT_MS),
  }
}
