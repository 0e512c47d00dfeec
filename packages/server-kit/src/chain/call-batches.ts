import { HttpRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { isRevert, type RpcError, toRpcError } from './rpc-error.ts'

/** One call of a JSON-RPC method. */
export interface NodeCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a node returned for one call. */
export type NodeCallOutcome = { readonly result: unknown } | { readonly error: RpcError }

/**
 * Sends independent calls in as few HTTP requests as possible, and returns the outcome of each in order. A call that fails does not affect
 * the others.
 *
 * @throws Error if no node can be reached.
 */
export type RequestEach = (calls: readonly NodeCall[]) => Promise<NodeCallOutcome[]>

interface HttpOptions {
  readonly timeout: number
  readonly maxResponseBodySize: number
}

/** Most nodes accept more. One that does not receives smaller batches. */
const MAX_BATCH_SIZE = 50
/** After this time a node that refused a batch receives a large one again. */
const REFUSAL_TTL_MS = 10 * 60_000
/** Bad request, not found, method not allowed, not acceptable, too large, unsupported media type, not implemented. */
const REFUSAL_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 413, 415, 501])

/** Creates the function for the nodes of one chain, in order of preference. */
export function createRequestEach(rpcUrls: readonly string[], options: HttpOptions): RequestEach {
  const nodes = rpcUrls.map((url) => createNode(url, options))
  // The second round is for connections that a node closed while they were idle.
  const attempts = [...nodes, ...nodes]
  return async (calls) => {
    const outcomes: (NodeCallOutcome | undefined)[] = calls.map(() => undefined)
    let failure: unknown
    for (const [index, send] of attempts.entries()) {
      const pending = outcomes.flatMap((outcome, place) => (isFinal(outcome) ? [] : [place]))
      // Another node may have the block or the capacity that the first one lacks. The same one would return the same error.
      const isRepeat = index >= nodes.length && pending.every((place) => outcomes[place] !== undefined)
      if (pending.length === 0 || isRepeat) break
      try {
        const received = await send(pending.flatMap((place) => calls[place] ?? []))
        for (const [position, place] of pending.entries()) outcomes[place] = received[position]
      } catch (error) {
        failure = error
      }
    }
    return outcomes.map((outcome) => {
      if (outcome === undefined) throw failure
      return outcome
    })
  }
}

/** Whether another node would return the same. */
const isFinal = (outcome: NodeCallOutcome | undefined): boolean =>
  outcome !== undefined && ('result' in outcome || isRevert(outcome.error))

/** Creates the function that sends calls to one node, in batches of a size that it accepts. */
function createNode(url: string, options: HttpOptions): RequestEach {
  const http = getHttpRpcClient(url, options)
  let limit = { size: MAX_BATCH_SIZE, until: 0 }

  async function send(calls: readonly NodeCall[]): Promise<NodeCallOutcome[]> {
    const maxSize = limit.until > performance.now() ? limit.size : MAX_BATCH_SIZE
    if (calls.length > maxSize) return sendHalves(calls)
    const outcomes = await sendTogether(calls)
    if (outcomes !== undefined) return outcomes
    limit = { size: Math.ceil(calls.length / 2), until: performance.now() + REFUSAL_TTL_MS }
    return sendHalves(calls)
  }

  async function sendHalves(calls: readonly NodeCall[]): Promise<NodeCallOutcome[]> {
    const middle = Math.ceil(calls.length / 2)
    const halves = await Promise.all([send(calls.slice(0, middle)), send(calls.slice(middle))])
    return halves.flat()
  }

  /** Returns undefined if the node refuses the batch. */
  async function sendTogether(calls: readonly NodeCall[]): Promise<NodeCallOutcome[] | undefined> {
    const body = calls.map((call, id) => ({ ...call, id }))
    const [single] = body
    if (single !== undefined && body.length === 1) return [readOutcome(await http.request({ body: single }))]
    try {
      return readOutcomes(await http.request({ body }), calls.length)
    } catch (error) {
      if (error instanceof HttpRequestError && REFUSAL_STATUSES.has(error.status)) return undefined
      throw error
    }
  }

  return send
}

/** A JSON-RPC response as received. */
interface Received {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?:
    | { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }
    | undefined
}

/** Returns undefined unless the response contains an outcome for each call. */
function readOutcomes(response: unknown, count: number): NodeCallOutcome[] | undefined {
  if (!Array.isArray(response)) return undefined
  const byId = new Map(response.map((item: Received) => [item.id, item]))
  const items = Array.from({ length: count }, (_, id) => byId.get(id))
  const outcomes = items.flatMap((item) => (item === undefined ? [] : [readOutcome(item)]))
  return outcomes.length === count ? outcomes : undefined
}

function readOutcome({ result, error }: Received): NodeCallOutcome {
  if (error === undefined || error === null) return { result }
  return { error: toRpcError(error) }
}
