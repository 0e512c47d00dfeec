import type { Tracing } from '@mintmark/server-kit'
import { getHttpRpcClient } from 'viem/utils'
import { createNodeBreaker } from './node-breaker.ts'
import { limitWholeResponse, type RunRequest } from './node-http.ts'
import { createNodeTrace } from './trace-node.ts'

/** The way to one node, which all clients of it share. */
export interface NodeAccess {
  readonly url: string
  /** Runs a request to the node. @throws NodeUnavailableError while the node is being skipped. */
  readonly run: RunRequest
}

export interface NodeOptions {
  readonly rpcUrls: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
  readonly tracing?: Tracing | undefined
}

/** Opens the way to each node of a chain. Nothing is connected before the first request. */
export const openNodeAccess = ({ rpcUrls, timeout, tracing }: NodeOptions): readonly NodeAccess[] =>
  rpcUrls.map((url) => {
    const http = getHttpRpcClient(url, limitWholeResponse({ timeout }))
    // A read of the state: a node whose database hangs still knows its chain's id.
    const params = ['0x0000000000000000000000000000000000000000', 'latest']
    const run = createNodeBreaker(() => http.request({ body: { method: 'eth_getBalance', params } }))
    const trace = createNodeTrace(tracing, url)
    return { url, run: (methods, request) => run(methods, () => trace(methods, request)) }
  })
