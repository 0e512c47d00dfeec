import { RpcRequestError } from 'viem'
import type { Chain } from './chains.ts'
import { isRateLimit, waitForRateLimit } from './rate-limit.ts'
import type { RpcCall, RpcOutcome } from './rpc-request.ts'

/**
 * Sends independent calls in as few HTTP requests as possible, and returns the outcome of each in order.
 * Repeats them after a pause while the node limits the rate of requests.
 *
 * @throws viem's errors if no node can be reached, or if the rate of requests stays limited.
 */
export async function requestOutcomes(
  { requestEach, network }: Pick<Chain, 'network' | 'requestEach'>,
  calls: readonly RpcCall[],
): Promise<RpcOutcome[]> {
  return await waitForRateLimit(async () => {
    const outcomes = await requestEach(calls)
    for (const [index, outcome] of outcomes.entries()) {
      if ('error' in outcome && isRateLimit(outcome.error))
        throw new RpcRequestError({ body: { ...calls[index] }, error: outcome.error, url: network })
    }
    return outcomes
  })
}
