import type { Hex } from 'viem'
import type { Chain } from './chains.ts'
import { waitForRateLimit } from './rate-limit.ts'
import { findRpcError } from './rpc-error.ts'

/** A call within a transaction, as the `callTracer` of `debug_traceTransaction` returns it. */
export interface TracedCall {
  readonly type?: string
  readonly from?: string
  readonly to?: string
  readonly value?: string
  readonly input?: string
  /** Set if the call failed. Then it and the calls in it had no effect. */
  readonly error?: string
  readonly calls?: readonly TracedCall[]
}

/**
 * Reads the calls of a mined transaction. Undefined if the node has no traces.
 *
 * @throws viem's error if no node responds, or the node lacks the transaction because it lags.
 */
export async function readTrace(
  { client }: Pick<Chain, 'client'>,
  hash: Hex,
): Promise<TracedCall | undefined> {
  // viem's types omit optional methods of nodes.
  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
  const params = [hash, { tracer: 'callTracer' }]
  try {
    // What the `callTracer` returns.
    return (await waitForRateLimit(() => request({ method: 'debug_traceTransaction', params }))) as TracedCall
  } catch (error) {
    const rpcError = findRpcError(error)
    // A node that does not have the mined transaction lags behind. Its error does not mean that it has no
    // traces.
    if (rpcError === undefined || /\b(transaction|block|header)\b.*not found/i.test(rpcError.message))
      throw error
    return undefined
  }
}
