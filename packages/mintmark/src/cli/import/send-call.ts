import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import type { Client, OperationShape, Service } from '@mintmark/operation'
import type { Input } from '../input.ts'
import { isRecord } from '../output/rows.ts'

/** How the server responded to a call of an import. */
export type CallOutcome =
  | { readonly data: unknown }
  /** The rows are at fault. */
  | { readonly rejection: AnyMintmarkError }

/** How often a call is sent while the server fails. Then the import stops, and can be continued. */
const MAX_ATTEMPTS = 8
const MAX_PAUSE_MS = 30_000
/**
 * The longest wait that a server can request. With a wrong clock, the date of a Retry-After may be years
 * ahead, and timers of more than 24 days end at once.
 */
const MAX_RETRY_AFTER_MS = 3_600_000

type Cause = 'rows' | 'temporary' | 'import'

/** Decides whether other rows can succeed after an error, whether the same call can, or nothing. */
function findCause(error: AnyMintmarkError): Cause {
  if (error.retryable || error.kind === 'UnknownOutcome') return 'temporary'
  if (error.kind === 'Unauthorized' || error.kind === 'UnexpectedResponse') return 'import'
  // A key without the scope is refused for all rows. A rule names a reason.
  if (error.kind === 'Forbidden' && error.reason === undefined) return 'import'
  // Every response of a gateway has a code. That of a proxy says nothing about the rows, unless they are too
  // large together (413).
  if (error.status !== undefined && error.status !== 413 && error.code === undefined) return 'temporary'
  if (error.kind === 'Conflict' && error.message.includes('Idempotency-Key')) {
    // The call of a process that was killed may still be in progress.
    return error.message.includes('in progress') ? 'temporary' : 'import'
  }
  return 'rows'
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', abort, { once: true })
  })
}

/** What the calls of an import share. */
export interface CallContext {
  readonly client: Client<Service>
  readonly operation: OperationShape
  readonly signal: AbortSignal
  /** The pause after the first failure; it doubles with each further one. */
  readonly pauseMs: number
}

/**
 * Sends a call until the server responds. Every attempt has the same key, so that the server executes only
 * one. Throws the errors that concern all rows.
 */
export async function sendCall(input: Input, key: string, context: CallContext): Promise<CallOutcome> {
  const { client, operation, signal, pauseMs } = context
  let failures = 0
  for (;;) {
    try {
      const { data } = await client.call(operation, input, { idempotencyKey: key, signal })
      return { data }
    } catch (error) {
      if (!isMintmarkError(error)) throw error
      const cause = findCause(error)
      if (cause === 'rows') return { rejection: error }
      // A server that limits the rate of calls works, so that waiting always helps.
      if (error.kind !== 'RateLimited') failures += 1
      if (cause === 'import' || failures >= MAX_ATTEMPTS) throw error
      const pause = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** failures) * (0.5 + Math.random())
      const requested = error.retryAfter && Math.min(error.retryAfter * 1000, MAX_RETRY_AFTER_MS)
      await wait(requested ?? pause, signal)
    }
  }
}

/** Returns the id of a record in a response. */
export function findId(record: unknown): string | number | null {
  if (!isRecord(record)) return null
  const id = record.id ?? record.orderNo
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
