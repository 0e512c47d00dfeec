import { HttpRequestError } from 'viem'
import type { HttpRpcClient } from 'viem/utils'
import { type RpcError, toRpcError } from './rpc-error.ts'

/** One call of a JSON-RPC method. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a node returned for one call. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError }

/** Bad request, not found, method not allowed, not acceptable, unsupported media type, not implemented. */
const REFUSAL_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 415, 501])

/**
 * Sends calls to one node in one JSON-RPC batch, and returns the outcome of each in order. Undefined if the
 * node refuses the batch: by its status, or by a response without an outcome for each call.
 *
 * @throws viem's errors.
 */
export async function requestTogether(
  http: HttpRpcClient,
  calls: readonly RpcCall[],
): Promise<RpcOutcome[] | undefined> {
  const body = calls.map((call, id) => ({ ...call, id }))
  try {
    return readOutcomes(await http.request({ body }), calls.length)
  } catch (error) {
    if (error instanceof HttpRequestError && REFUSAL_STATUSES.has(error.status)) return undefined
    throw error
  }
}

/** A JSON-RPC response as received. */
interface Received {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?:
    | { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }
    | undefined
}

function readOutcomes(response: unknown, count: number): RpcOutcome[] | undefined {
  if (!Array.isArray(response)) return undefined
  const byId = new Map(response.map((item: Received) => [item.id, item]))
  const items = Array.from({ length: count }, (_, id) => byId.get(id))
  const outcomes = items.flatMap((item) => (item === undefined ? [] : [readOutcome(item)]))
  return outcomes.length === count ? outcomes : undefined
}

/** Reads the response to a single call. */
export function readOutcome({ result, error }: Received): RpcOutcome {
  if (error === undefined || error === null) return { result }
  return { error: toRpcError(error) }
}
