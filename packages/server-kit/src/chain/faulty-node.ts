import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLaggingView } from './lagging-view.ts'
import type { RpcRequest, RpcResponse } from './rpc-messages.ts'

/** Replaces the forwarding of a JSON-RPC request: returns a response, or 'hang up'. */
export type Interference = (method: string, params: unknown) => object | 'hang up' | undefined

/** A proxy in front of a real node. It forwards every request, except where a test interferes or makes the node lag. */
export interface FaultyNode {
  readonly url: string
  /** Responds to a request in place of the node. Runs first. */
  interfere: Interference
  /**
   * The newest block this node has reached, as on a healthy node behind a load balancer that is still importing blocks.
   * Later blocks, receipts and logs do not exist for it, and `latest` is this block. `undefined`: it has reached the head.
   */
  head: bigint | undefined
  /** Selects the requests for which the node lags while `head` is set. Default: all. */
  lags: (method: string, params: unknown) => boolean
  /** Fixes `head` at the chain's present head, less `blocks`. */
  lag(blocks?: number): Promise<void>
  /** The node reaches the chain's head again. */
  catchUp(): void
  /** Whether the node refuses JSON-RPC batches, as some providers do. */
  refuseBatches: boolean
  /** Methods that were called, in order. */
  readonly calls: string[]
  close(): void
}

/** Starts a proxy in front of the node at `rpcUrl`, on a free port of the loopback interface. */
export async function startFaultyNode(rpcUrl: string): Promise<FaultyNode> {
  const calls: string[] = []
  const forward = (request: RpcRequest): Promise<RpcResponse> => sendToNode(rpcUrl, request)
  const lagging = createLaggingView(forward)

  async function respond(request: RpcRequest): Promise<RpcResponse | 'hang up'> {
    const { id, method, params } = request
    calls.push(method)
    const replacement = node.interfere(method, params)
    if (replacement === 'hang up') return replacement
    if (replacement) return { jsonrpc: '2.0', id, ...replacement }
    if (node.head !== undefined && node.lags(method, params)) return lagging(request, node.head)
    return forward(request)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[]
    if (node.refuseBatches && Array.isArray(body)) {
      response.writeHead(400).end('batches are not supported')
      return
    }
    const responses = await Promise.all([body].flat().map(respond))
    if (responses.includes('hang up')) {
      request.socket.destroy()
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(body) ? responses : responses[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a TCP port, so its address is an object.
  const { port } = server.address() as AddressInfo
  const node: FaultyNode = {
    url: `http://127.0.0.1:${port}`,
    interfere: () => undefined,
    head: undefined,
    lags: () => true,
    async lag(blocks = 0) {
      const { result } = await forward({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
      node.head = BigInt(String(result)) - BigInt(blocks)
    },
    catchUp() {
      node.head = undefined
    },
    refuseBatches: false,
    calls,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return node
}

async function sendToNode(rpcUrl: string, request: RpcRequest): Promise<RpcResponse> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  return (await response.json()) as RpcResponse
}
