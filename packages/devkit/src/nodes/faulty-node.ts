import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault, Faults } from './faults.ts'
import { createLaggingView } from './lagging-view.ts'
import type { RpcRequest, RpcResponse } from './rpc-messages.ts'

/** Replaces the forwarding of a JSON-RPC request: returns a response, or 'hang up'. */
export type Interference = (method: string, params: unknown) => object | 'hang up' | undefined

/**
 * A proxy in front of a real node. It forwards every request, except where a test interferes or injects
 * faults, or makes the node lag.
 */
export interface FaultyNode {
  readonly url: string
  /** Responds to a request in place of the node. Runs first. */
  interfere: Interference
  /** Chooses the fault that each HTTP request meets: one for all calls of a batch. Undefined: none. */
  faults: Faults | undefined
  /**
   * The newest block this node has reached, as on a healthy node behind a load balancer that is still
   * importing blocks. Later blocks, receipts and logs do not exist for it, and `latest` is this block.
   * `undefined`: it has reached the head.
   */
  head: bigint | undefined
  /** Selects the requests for which the node lags while `head` is set. Default: all. */
  lags: (method: string, params: unknown) => boolean
  /** Fixes `head` at the chain's present head, less `blocks`. */
  lag(blocks?: number): Promise<void>
  /** The node reaches the chain's head again. */
  catchUp(): void
  /** Whether the node accepts requests and never answers. */
  isSilent: boolean
  /** Whether the node refuses JSON-RPC batches, as some providers do. */
  refuseBatches: boolean
  /** Methods that were called, in order. */
  readonly calls: string[]
  close(): void
}

type Forward = (request: RpcRequest) => Promise<RpcResponse>

/** Starts a proxy in front of the node at `rpcUrl`, on a free port of the loopback interface. */
export async function startFaultyNode(rpcUrl: string): Promise<FaultyNode> {
  const calls: string[] = []
  const forward: Forward = (request) => sendToNode(rpcUrl, request)
  const lagging = createLaggingView(forward)

  async function respond(request: RpcRequest, fault: Fault | undefined): Promise<RpcResponse | 'hang up'> {
    const { id, method, params } = request
    calls.push(method)
    const replacement = node.interfere(method, params)
    if (replacement === 'hang up') return replacement
    if (replacement) return { jsonrpc: '2.0', id, ...replacement }
    const error = fault && findError(fault, request)
    if (error) return { jsonrpc: '2.0', id, error }
    if (node.head !== undefined && node.lags(method, params)) return lagging(request, node.head)
    if (fault?.kind === 'lag') return lagging(request, (await readHead(forward)) - BigInt(fault.blocks))
    return forward(request)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[]
    if (node.isSilent) return
    if (node.refuseBatches && Array.isArray(body)) {
      response.writeHead(400).end('batches are not supported')
      return
    }
    const requests = [body].flat()
    const fault = node.faults?.next(requests.map(({ method }) => method).join(' '))
    if (fault?.kind === 'delay') await pause(fault.milliseconds)
    if (fault?.kind === 'dropRequest') return void request.socket.destroy()
    if (fault?.kind === 'rateLimit') return void response.writeHead(429, { 'retry-after': '0' }).end()
    const responses = await Promise.all(requests.map((each) => respond(each, fault)))
    if (fault?.kind === 'dropResponse' || responses.includes('hang up')) return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    const text = JSON.stringify(Array.isArray(body) ? responses : responses[0])
    if (fault?.kind === 'truncate') return cutShort(response, text)
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a TCP port, so its address is an object.
  const { port } = server.address() as AddressInfo
  const node: FaultyNode = {
    url: `http://127.0.0.1:${port}`,
    interfere: () => undefined,
    faults: undefined,
    head: undefined,
    lags: () => true,
    async lag(blocks = 0) {
      node.head = (await readHead(forward)) - BigInt(blocks)
    },
    catchUp() {
      node.head = undefined
    },
    isSilent: false,
    refuseBatches: false,
    calls,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return node
}

/** Returns the JSON-RPC error that a fault causes, if it concerns the request. */
function findError(
  fault: Fault,
  { method, params }: RpcRequest,
): { code: number; message: string } | undefined {
  if (fault.kind === 'rateLimitError') return { code: -32029, message: 'Too many requests, please slow down' }
  if (fault.kind === 'revert' && (method === 'eth_call' || method === 'eth_estimateGas'))
    return { code: 3, message: 'execution reverted' }
  if (fault.kind === 'capRange' && method === 'eth_getLogs' && countBlocks(params) > fault.blocks)
    return { code: -32602, message: `eth_getLogs is limited to a ${fault.blocks} block range` }
  return undefined
}

function countBlocks(params: unknown): number {
  // The parameter of eth_getLogs.
  const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
  return fromBlock === undefined || toBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1
}

function cutShort(response: ServerResponse, text: string): void {
  const half = text.slice(0, Math.floor(text.length / 2))
  response.write(half, () => response.destroy())
}

async function readHead(forward: Forward): Promise<bigint> {
  const { result } = await forward({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  return BigInt(String(result))
}

async function sendToNode(rpcUrl: string, request: RpcRequest): Promise<RpcResponse> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  return (await response.json()) as RpcResponse
}
