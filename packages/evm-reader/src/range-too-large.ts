import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import { isTimeout } from './node-http.ts'
import { isRateLimit } from './rate-limit.ts'
import { findRpcError, isMissingBlock } from './rpc-error.ts'

/** Bad request, timeouts, and a body that is too large: what proxies return instead of a JSON-RPC error. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 408, 413, 504, 524])

/**
 * Whether a request for logs that failed may succeed for fewer blocks or fewer addresses.
 *
 * Each provider has its own error messages and changes them. Any JSON-RPC error counts therefore, except
 * those with another known cause: an unnecessary request costs little, but a range that is never split would
 * be requested forever.
 */
export function isRangeTooLarge(error: unknown): boolean {
  const rpcError = findRpcError(error)
  if (rpcError !== undefined) return !isRateLimit(rpcError) && !isMissingBlock(rpcError)
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ResponseBodyTooLargeError) return true
    if (cause instanceof HttpRequestError) return STATUSES.has(cause.status) || isCutShort(cause.cause)
  }
  return false
}

/** Some providers end the response in the middle once it exceeds their limit. */
const isCutShort = (cause: unknown): boolean =>
  isTimeout(cause) ||
  cause instanceof SyntaxError ||
  (cause instanceof TypeError && cause.message === 'terminated')
