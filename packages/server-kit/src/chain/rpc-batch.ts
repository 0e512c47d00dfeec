import { HttpRequestError, RpcRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'

/** One call of a JSON-RPC method. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Sends calls together and returns their results in order. */
export type SendBatch = (calls: readonly RpcCall[]) => Promise<readonly unknown[]>

/** The node does not accept batches. */
class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError'
}

/** Bad request, not found, method not allowed, not acceptable, unsupported media type, not implemented. */
const REFUSAL_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 415, 501])

interface BatchOptions {
  readonly rpcUrls: readonly string[]
  readonly timeout: number
  readonly maxResponseBodySize: number
  /** Sends one call alone, for nodes that refuse batches. */
  readonly sendAlone: (call: RpcCall) => Promise<unknown>
}

/**
 * Creates the function that sends calls in one JSON-RPC batch, so that one node responds to all of them. A later URL is used when an earlier
 * one fails, for the whole batch. If no node accepts batches, the calls are sent one after another, in order.
 */
export function createSendBatch({ rpcUrls, sendAlone, ...options }: BatchOptions): SendBatch {
  const clients = rpcUrls.map((url) => ({ url, http: getHttpRpcClient(url, options) }))
  let acceptsBatches = true

  async function sendTogether(calls: readonly RpcCall[]): Promise<readonly unknown[]> {
    const body = calls.map((call, id) => ({ ...call, id }))
    let failure: unknown
    for (const { url, http } of clients) {
      try {
        return readResults(await http.request({ body }), calls, url)
      } catch (error) {
        failure = error
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
      if (!isRefusal(error)) throw error
      // The same status can be the response to a single call. Only a success proves that batches were the reason.
      const results = await sendInOrder(calls)
      acceptsBatches = false
      return results
    }
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof BatchRefusedError ||
  (error instanceof HttpRequestError && REFUSAL_STATUSES.has(error.status))

interface BatchItem {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** @throws RpcRequestError for the first call that failed. */
function readResults(response: unknown, calls: readonly RpcCall[], url: string): unknown[] {
  if (!Array.isArray(response)) throw new BatchRefusedError('The node did not respond to a batch with a list')
  const items = new Map((response as BatchItem[]).map((item) => [item.id, item]))
  return calls.map((call, id) => {
    const item = items.get(id)
    if (item === undefined) throw new BatchRefusedError('The node did not respond to every call of a batch')
    if (item.error !== undefined) throw new RpcRequestError({ body: { ...call }, error: item.error, url })
    return item.result
  })
}
