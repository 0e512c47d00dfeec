import { HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from 'viem'
import { findRpcError, type RpcError } from './rpc-error.ts'

/** Bad request, timeouts, and a body that is too large: what proxies return instead of a JSON-RPC error. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 408, 413, 504, 524])
/** Limits of requests over time. Smaller requests are more requests, and make it worse. */
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32007, -32029])
const RATE_LIMIT =
  /rate.?limit|too many requests|(requests|units|calls) per second|request limit|request count/i
/** The node does not have the block, yet or any more. */
const MISSING_BLOCK =
  /header not found|unknown block|block (is )?(not found|missing|unavailable)|cannot be found/i

/**
 * Whether a request for logs that failed may succeed for fewer blocks or fewer addresses.
 *
 * Each provider has its own error messages and changes them. Any JSON-RPC error counts therefore, except those with another known cause: an
 * unnecessary request costs little, but a range that is never split would be requested forever.
 */
export function isRangeTooLarge(error: unknown): boolean {
  const rpcError = findRpcError(error)
  if (rpcError !== undefined) return !hasOtherCause(rpcError)
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ResponseBodyTooLargeError || cause instanceof TimeoutError) return true
    if (cause instanceof HttpRequestError) return STATUSES.has(cause.status) || isCutShort(cause.cause)
  }
  return false
}

const hasOtherCause = ({ code, message }: RpcError): boolean =>
  RATE_LIMIT_CODES.has(code) || RATE_LIMIT.test(message) || MISSING_BLOCK.test(message)

/** Some providers end the response in the middle once it exceeds their limit. */
const isCutShort = (cause: unknown): boolean =>
  cause instanceof SyntaxError || (cause instanceof TypeError && cause.message === 'terminated')
