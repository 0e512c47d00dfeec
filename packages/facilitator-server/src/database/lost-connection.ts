import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknown } from '@mintmark/server-kit'

// Node's, then PostgreSQL's: connection exceptions, too many connections, and a server or a session that was ended.
const codes = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08\w{3}|53300|57P0[1-5])$/
// pg gives these errors no code.
const messages =
  /^Connection terminated|^timeout exceeded when trying to connect|connection error and is not queryable/

/** Whether the database could not be reached or the connection broke: what was sent may or may not have been done. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof CommitOutcomeUnknown || messages.test(error.message)) return true
  if ('code' in error && typeof error.code === 'string' && codes.test(error.code)) return true
  return isConnectionLost(error.cause)
}

/**
 * Does the work again for as long as the connection gets lost, up to `patience` milliseconds. The work must be
 * repeatable: an attempt that was lost may have been done.
 */
export async function throughLostConnections<T>(work: () => Promise<T>, patience: number): Promise<T> {
  const end = performance.now() + patience
  for (let wait = 20; ; wait = Math.min(wait * 2, 1000)) {
    try {
      return await work()
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() + wait > end) throw error
      await pause(wait)
    }
  }
}
