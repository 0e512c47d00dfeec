import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknownError, isConnectionBroken } from '@mintmark/server-kit'

// Node's codes, then PostgreSQL's: connection exceptions, too many connections, and a server or session that
// was terminated.
const CODES = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08\w{3}|53300|57P0[1-5])$/
// pg gives these errors no code.
const MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|connection error and is not queryable/

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 1000

/**
 * Whether the database could not be reached, or the connection broke or does not respond. The statement may or
 * may not have been executed.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof CommitOutcomeUnknownError || isConnectionBroken(error) || MESSAGES.test(error.message))
    return true
  if ('code' in error && typeof error.code === 'string' && CODES.test(error.code)) return true
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
