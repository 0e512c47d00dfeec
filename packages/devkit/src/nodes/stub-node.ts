import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a stub node returns. A test changes it at any time. */
export interface StubNodeState {
  /** Whether requests are accepted and never answered: all, or those of these methods. */
  silent: boolean | ReadonlySet<string>
  chainId: number
  head: number
  /** Unix seconds of the newest block. */
  headTime: number
  acceptsBatches: boolean
  /** Most blocks per request for logs. */
  maxLogBlocks: number
  hasFinalizedBlock: boolean
  /** Whether state can be read by the hash of a block. */
  hasState: boolean
  /** Hexadecimal code of every address. */
  code: string
  /** Wei of every address. */
  balance: bigint
  minedNonce: number
  pendingNonce: number
}

/** A node without a chain, which returns what a test sets. */
export interface StubNode {
  readonly url: string
  readonly state: StubNodeState
  /** The methods that were called, in order. */
  readonly calls: readonly string[]
  close(): Promise<void>
}

/** Starts a stub node on a free port. */
export async function startStubNode(changes: Partial<StubNodeState> = {}): Promise<StubNode> {
  const calls: string[] = []
  const state: StubNodeState = {
    silent: false,
    chainId: 8453,
    head: 50_000,
    headTime: Math.floor(Date.now() / 1000),
    acceptsBatches: true,
    maxLogBlocks: 1_000_000,
    hasFinalizedBlock: true,
    hasState: true,
    code: '0x6001',
    balance: 10n ** 19n,
    minedNonce: 0,
    pendingNonce: 0,
    ...changes,
  }
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: RpcBody | RpcBody[] = JSON.parse(Buffer.concat(chunks).toString())
      const methods = [body].flat().map(({ method }) => method)
      calls.push(...methods)
      const { silent } = state
      if (typeof silent === 'boolean' ? silent : methods.some((method) => silent.has(method))) return
      if (Array.isArray(body) && !state.acceptsBatches) return response.writeHead(400).end()
      const result = Array.isArray(body) ? body.map((each) => respond(state, each)) : respond(state, body)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface RpcBody {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

const hex = (number: number | bigint): string => `0x${number.toString(16)}`

function respond(state: StubNodeState, { id, method, params = [] }: RpcBody): object {
  try {
    return { jsonrpc: '2.0', id, result: getResult(state, method, params) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { jsonrpc: '2.0', id, error: { code: -32_000, message } }
  }
}

function getResult(state: StubNodeState, method: string, params: readonly unknown[]): unknown {
  const [first, second] = params
  switch (method) {
    case 'eth_chainId':
      return hex(state.chainId)
    case 'eth_blockNumber':
      return hex(state.head)
    case 'eth_getBlockByNumber':
      return getBlock(state, first)
    case 'eth_getLogs':
      return getLogs(state, first)
    case 'eth_getCode':
      return state.code
    case 'eth_getBalance':
      if (typeof second === 'object' && !state.hasState) throw new Error('missing trie node')
      return hex(state.balance)
    case 'eth_getTransactionCount':
      return hex(second === 'pending' ? state.pendingNonce : state.minedNonce)
    default:
      throw new Error(`the method ${method} does not exist`)
  }
}

function getBlock({ head, headTime, hasFinalizedBlock }: StubNodeState, tag: unknown): object | null {
  const isFinal = tag === 'finalized' || tag === 'safe'
  if (isFinal && !hasFinalizedBlock) return null
  const number = tag === 'latest' ? head : isFinal ? head - 10 : Number(tag)
  const timestamp = headTime - (head - number) * 2
  return {
    number: hex(number),
    timestamp: hex(timestamp),
    hash: `0x${number.toString(16).padStart(64, '0')}`,
  }
}

function getLogs({ maxLogBlocks }: StubNodeState, filter: unknown): readonly [] {
  // As the callers of this stub send it.
  const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string }
  if (fromBlock === undefined || toBlock === undefined) return []
  if (Number(toBlock) - Number(fromBlock) + 1 > maxLogBlocks)
    throw new Error(`query exceeds max block range ${maxLogBlocks}`)
  return []
}
