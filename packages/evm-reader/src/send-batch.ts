import { RpcRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import type { NodeAccess } from './node-access.ts'
import { limitWholeResponse, NodeUnavailableError, runClientBy } from './node-http.ts'
import { type RpcCall, type RpcOutcome, requestTogether } from './rpc-request.ts'

/** Sends calls together and returns their results in order. */
export type SendBatch = (calls: readonly RpcCall[]) => Promise<readonly unknown[]>

/** The node does not accept batches. */
class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError'
}

interface BatchOptions {
  readonly nodes: readonly NodeAccess[]
  readonly timeout: number
  readonly maxResponseBodySize: number
  /** Sends one call alone, for nodes that refuse batches. */
  readonly sendAlone: (call: RpcCall) => Promise<unknown>
}

/**
 * Creates the function that sends calls in one JSON-RPC batch, so that one node responds to all of them. A
 * later URL is used when an earlier one fails, for the whole batch. If no node accepts batches, the calls are
 * sent one after another, in order.
 */
export function createSendBatch({ nodes, sendAlone, ...options }: BatchOptions): SendBatch {
  const clients = nodes.map(({ url, run }) => ({
    url,
    http: runClientBy(getHttpRpcClient(url, limitWholeResponse(options)), run),
  }))
  let acceptsBatches = true

  async function sendTogether(calls: readonly RpcCall[]): Promise<readonly unknown[]> {
    let failure: unknown
    for (const { url, http } of clients) {
      try {
        const outcomes = await requestTogether(http, calls)
        if (outcomes === undefined) throw new BatchRefusedError('The node does not accept batches')
        return outcomes.map((outcome, index) => getResult(outcome, { ...calls[index] }, url))
      } catch (error) {
        // What another node returned says more than that this one is skipped.
        if (failure === undefined || !(error instanceof NodeUnavailableError)) failure = error
      }
    }
    throw failure
  }

  async function sendInOrder(calls: readonly RpcCall[]): Promise<readonly unknown[]> {
    const results: unknown[] = []
    for (const call of calls) results.push(await sendAlone(call))
    return results
  }

  return async (calls) => {
    if (!acceptsBatches) return sendInOrder(calls)
    try {
      return await sendTogether(calls)
    } catch (error) {
      if (!(error instanceof BatchRefusedError)) throw error
      // The same status can be the response to a single call. Only a success proves that batches were the
      // reason.
      const results = await sendInOrder(calls)
      acceptsBatches = false
      return results
    }
  }
}

/** @throws RpcRequestError if the call failed. */
function getResult(outcome: RpcOutcome, body: Partial<RpcCall>, url: string): unknown {
  if ('error' in outcome) throw new RpcRequestError({ body, error: outcome.error, url })
  return outcome.result
}
