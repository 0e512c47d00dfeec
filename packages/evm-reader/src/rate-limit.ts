import { setTimeout as pause } from 'node:timers/promises'
import { HttpRequestError } from 'viem'
import { findRpcError, type RpcError } from './rpc-error.ts'

/** Limits of requests over time. */
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32007, -32029])
const RATE_LIMIT =
  /rate.?limit|too many requests|(requests|units|calls) per second|request limit|request count/i

/**
 * Whether a node refused a request because of the requests before it. Smaller requests are more requests, and
 * make it worse.
 */
export const isRateLimit = ({ code, message }: RpcError): boolean =>
  RATE_LIMIT_CODES.has(code) || RATE_LIMIT.test(message)

/** Pauses before the repeats of a request that was limited. Together shorter than the lease of a chain. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000]

/** Runs a request, and repeats it after a pause while the node limits the rate of requests. */
export async function waitForRateLimit<Result>(request: () => Promise<Result>): Promise<Result> {
  for (const milliseconds of PAUSES_MS) {
    try {
      return await request()
    } catch (error) {
      if (!isRateLimited(error)) throw error
      await pause(milliseconds)
    }
  }
  return await request()
}

function isRateLimited(error: unknown): boolean {
  const rpcError = findRpcError(error)
  if (rpcError !== undefined) return isRateLimit(rpcError)
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof HttpRequestError) return cause.status === 429
  }
  return false
}
