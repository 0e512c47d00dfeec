import { getHttpRpcClient } from 'viem/utils'
import type { ChainConfig } from '../chains.ts'
import { limitWholeResponse } from '../node-http.ts'
import { describeChainError } from '../rpc-error.ts'
import { type RpcCall, type RpcOutcome, readOutcome, requestTogether } from '../rpc-request.ts'

const REQUEST_TIMEOUT_MS = 5_000

/** One node of a chain. Its address may contain a key, so it has a number. */
export interface CheckedNode {
  /** `node 1 of chain 8453`. */
  readonly label: string
  /** @throws Error whose message has no address. */
  request(method: string, params: readonly unknown[]): Promise<RpcOutcome>
  /** Whether the node responds to several calls in one request. */
  acceptsBatches(): Promise<boolean>
}

export function openNode(url: string, label: string): CheckedNode {
  const http = getHttpRpcClient(url, limitWholeResponse({ timeout: REQUEST_TIMEOUT_MS }))
  return {
    label,
    async request(method, params) {
      try {
        return readOutcome(await http.request({ body: { method, params, id: 1 } }))
      } catch (failure) {
        throw new Error(describeChainError(failure), { cause: failure })
      }
    },
    async acceptsBatches() {
      const call: RpcCall = { method: 'eth_chainId', params: [] }
      try {
        return (await requestTogether(http, [call, call])) !== undefined
      } catch (failure) {
        throw new Error(describeChainError(failure), { cause: failure })
      }
    },
  }
}

/**
 * Sends calls to the nodes of a chain in turn, and returns the results of the first node that responds to all
 * of them. Returns undefined if none does: the check of the chain reports why.
 */
export async function requestFromAnyNode(
  { id, rpcUrls }: ChainConfig,
  calls: readonly RpcCall[],
): Promise<readonly unknown[] | undefined> {
  for (const [index, url] of rpcUrls.entries()) {
    const node = openNode(url, `node ${index + 1} of chain ${id}`)
    try {
      const outcomes = await Promise.all(calls.map(({ method, params }) => node.request(method, params)))
      const results = outcomes.flatMap((outcome) => ('error' in outcome ? [] : [outcome.result]))
      if (results.length === calls.length) return results
    } catch {
      // The next node may respond.
    }
  }
  return undefined
}

/** A block as a node returns it. */
export interface NodeBlock {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
  readonly hash: string
}

/** Returns the block of a response, or undefined if the node does not have it. */
export function readBlock(outcome: RpcOutcome): NodeBlock | undefined {
  if ('error' in outcome || typeof outcome.result !== 'object' || outcome.result === null) return undefined
  // As execution clients return it.
  const { number, timestamp, hash } = outcome.result as Record<string, string>
  return { number: Number(number), timestamp: Number(timestamp), hash: hash ?? '' }
}

export const toHex = (number: number): string => `0x${Math.max(0, number).toString(16)}`
