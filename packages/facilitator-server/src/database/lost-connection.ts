import { setTimeout as pause } from 'node:timers/promises'
import {
  CommitOutcomeUnknownError,
  endsConnection,
  isDatabaseError,
  isUnavailable,
} from '@mintmark/server-kit'

/** Codes of Node for a connection that could not be opened. */
const UNREACHABLE = /^ECONN\w+$/
/** Messages of pg for a connection that could not be opened. These errors have no code. */
const MESSAGES = /^Connection terminated|^timeout exceeded when trying to connect/

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 1000

/**
 * Whether the database could not be reached or accepts no writes, or the connection broke or does not respond.
 * The statement may or may not have been executed.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof CommitOutcomeUnknownError || endsConnection(error) || isUnavailable(error)) return true
  if (isDatabaseError(error, '53300') || MESSAGES.test(error.message)) return true
  if ('code' in error && UNREACHABLE.test(String(error.code))) return true
  return isConnectionLost(error.cause)
}

/**
 * Repeats the work while the connection is lost, for at most `patience` milliseconds. The work must be
 * repeatable: an attempt whose connection was lost may have been executed.
 */
export async function retryLostConnection<T>(work: () => Promise<T>, patience: number): Promise<T> {
  const end = performance.now() + patience
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() + wait > end) throw error
      await pause(wait)
    }
  }
}
