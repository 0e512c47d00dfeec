import { HttpRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import type { NodeAccess } from './node-access.ts'
import { limitWholeResponse, runClientBy } from './node-http.ts'
import { isRevert } from './rpc-error.ts'
import { type RpcCall, type RpcOutcome, readOutcome, requestTogether } from './rpc-request.ts'

/**
 * Sends independent calls in as few HTTP requests as possible, and returns the outcome of each in order. A
 * call that fails does not affect the others.
 *
 * @throws Error if no node can be reached.
 */
export type RequestEach = (calls: readonly RpcCall[]) => Promise<RpcOutcome[]>

interface HttpOptions {
  readonly timeout: number
  readonly maxResponseBodySize: number
}

/** Most nodes accept more. One that does not receives smaller batches. */
const MAX_BATCH_SIZE = 50
/** After this time a node that refused a batch receives a large one again. */
const REFUSAL_TTL_MS = 10 * 60_000
const TOO_LARGE = 413

/** Creates a function for each node of a chain. */
export const createNodes = (nodes: readonly NodeAccess[], options: HttpOptions): readonly RequestEach[] =>
  nodes.map((node) => createNode(node, options))

/** Creates the function for the nodes of one chain, in order of preference. */
export function createRequestEach(nodes: readonly RequestEach[]): RequestEach {
  // The second round is for connections that a node closed while they were idle.
  const attempts = [...nodes, ...nodes]
  return async (calls) => {
    const outcomes: (RpcOutcome | undefined)[] = calls.map(() => undefined)
    let failure: unknown
    for (const [index, send] of attempts.entries()) {
      const pending = outcomes.flatMap((outcome, place) => (isFinal(outcome) ? [] : [place]))
      // Another node may have the block or the capacity that the first one lacks. The same one would return
      // the same error.
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
const isFinal = (outcome: RpcOutcome | undefined): boolean =>
  outcome !== undefined && ('result' in outcome || isRevert(outcome.error))

/** Creates the function that sends calls to one node, in batches of a size that it accepts. */
function createNode({ url, run }: NodeAccess, options: HttpOptions): RequestEach {
  const http = runClientBy(getHttpRpcClient(url, limitWholeResponse(options)), run)
  let limit = { size: MAX_BATCH_SIZE, until: 0 }

  async function send(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    const maxSize = limit.until > performance.now() ? limit.size : MAX_BATCH_SIZE
    if (calls.length > maxSize) return sendHalves(calls)
    const outcomes = await sendTogether(calls)
    if (outcomes !== undefined) return outcomes
    limit = { size: Math.ceil(calls.length / 2), until: performance.now() + REFUSAL_TTL_MS }
    return sendHalves(calls)
  }

  async function sendHalves(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    const middle = Math.ceil(calls.length / 2)
    const halves = await Promise.all([send(calls.slice(0, middle)), send(calls.slice(middle))])
    return halves.flat()
  }

  /** Returns undefined if the node refuses the batch, also because it is too large. */
  async function sendTogether(calls: readonly RpcCall[]): Promise<RpcOutcome[] | undefined> {
    const [single] = calls
    if (single !== undefined && calls.length === 1)
      return [readOutcome(await http.request({ body: { ...single, id: 0 } }))]
    try {
      return await requestTogether(http, calls)
    } catch (error) {
      if (error instanceof HttpRequestError && error.status === TOO_LARGE) return undefined
      throw error
    }
  }

  return send
}
