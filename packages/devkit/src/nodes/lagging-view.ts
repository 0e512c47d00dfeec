import type { RpcRequest, RpcResponse } from './rpc-messages.ts'

type Forward = (request: RpcRequest) => Promise<RpcResponse>

/** The position of the block among the parameters of methods that read state. */
const STATE_BLOCK_POSITION: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_createAccessList: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
}

/** Methods whose result is null until the node has imported the block that contains it. */
const LOOKUPS_BY_HASH = new Set([
  'eth_getBlockByHash',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
])

const HEADER_NOT_FOUND = { code: -32000, message: 'header not found' }

/**
 * Responds like a healthy node that has imported the blocks up to `head`: it has neither later blocks nor
 * their contents, clamps ranges of logs to its head, and reads the state of its head.
 */
export function createLaggingView(
  forward: Forward,
): (request: RpcRequest, head: bigint) => Promise<RpcResponse> {
  return async (request, head) => {
    const { method } = request
    if (method === 'eth_blockNumber') return createResult(request, toHex(head))
    if (method === 'eth_getBlockByNumber') return getBlockByNumber(forward, request, head)
    if (method === 'eth_getBlockReceipts') return getBlockReceipts(forward, request, head)
    if (method === 'eth_getLogs') return getLogs(forward, request, head)
    if (LOOKUPS_BY_HASH.has(method)) return getByHash(forward, request, head)
    const position = STATE_BLOCK_POSITION[method]
    if (position !== undefined) return readState(forward, request, head, position)
    return forward(request)
  }
}

async function getBlockByNumber(forward: Forward, request: RpcRequest, head: bigint): Promise<RpcResponse> {
  const [block, withTransactions] = listParams(request)
  if (block === 'finalized' || block === 'safe') {
    const response = await forward(request)
    const number = findNumber(response.result, 'number')
    if (number === undefined || number <= head) return response
    return forward({ ...request, params: [toHex(head), withTransactions] })
  }
  const number = parseBlockNumber(block, head)
  if (number > head) return createResult(request, null)
  return forward({ ...request, params: [toHex(number), withTransactions] })
}

async function getBlockReceipts(forward: Forward, request: RpcRequest, head: bigint): Promise<RpcResponse> {
  const [block] = listParams(request)
  const number = await findSelectedBlock(forward, request, block, head)
  return number === undefined ? createResult(request, null) : forward(request)
}

async function getLogs(forward: Forward, request: RpcRequest, head: bigint): Promise<RpcResponse> {
  const [filter] = listParams(request) as [Record<string, unknown> | undefined]
  if (filter?.blockHash !== undefined) {
    const number = await findBlockOfHash(forward, request, String(filter.blockHash))
    if (number === undefined || number > head)
      return createFailure(request, { code: -32000, message: 'unknown block' })
    return forward(request)
  }
  const from = parseBlockNumber(filter?.fromBlock, head)
  const to = parseBlockNumber(filter?.toBlock, head)
  if (from > head) return createResult(request, [])
  const clamped = { ...filter, fromBlock: toHex(from), toBlock: toHex(to > head ? head : to) }
  return forward({ ...request, params: [clamped] })
}

async function getByHash(forward: Forward, request: RpcRequest, head: bigint): Promise<RpcResponse> {
  const response = await forward(request)
  const key = request.method === 'eth_getBlockByHash' ? 'number' : 'blockNumber'
  const number = findNumber(response.result, key)
  return number !== undefined && number > head ? createResult(request, null) : response
}

async function readState(
  forward: Forward,
  request: RpcRequest,
  head: bigint,
  position: number,
): Promise<RpcResponse> {
  const params = [...listParams(request)]
  const number = await findSelectedBlock(forward, request, params[position], head)
  if (number === undefined) return createFailure(request, HEADER_NOT_FOUND)
  params[position] = toHex(number)
  return forward({ ...request, params })
}

/**
 * Returns the number of the block that a parameter selects, or undefined when the node has not imported it.
 */
async function findSelectedBlock(
  forward: Forward,
  request: RpcRequest,
  selected: unknown,
  head: bigint,
): Promise<bigint | undefined> {
  const hash = parseBlockHash(selected)
  const number =
    hash === undefined ? parseBlockNumber(selected, head) : await findBlockOfHash(forward, request, hash)
  return number === undefined || number > head ? undefined : number
}

async function findBlockOfHash(
  forward: Forward,
  { jsonrpc, id }: RpcRequest,
  hash: string,
): Promise<bigint | undefined> {
  const response = await forward({ jsonrpc, id, method: 'eth_getBlockByHash', params: [hash, false] })
  return findNumber(response.result, 'number')
}

/**
 * EIP-1898 allows `{ blockHash }` and `{ blockNumber }` where a block is selected; a bare hash is 32 bytes.
 */
function parseBlockHash(selected: unknown): string | undefined {
  if (typeof selected === 'string' && selected.length === 66) return selected
  if (typeof selected !== 'object' || selected === null || !('blockHash' in selected)) return undefined
  return String(selected.blockHash)
}

/** Resolves tags to the head, also `finalized` and `safe` in a range of logs. */
function parseBlockNumber(selected: unknown, head: bigint): bigint {
  if (typeof selected === 'object' && selected !== null && 'blockNumber' in selected) {
    return BigInt(String(selected.blockNumber))
  }
  if (typeof selected === 'string' && selected.startsWith('0x')) return BigInt(selected)
  return selected === 'earliest' ? 0n : head
}

function findNumber(value: unknown, key: 'number' | 'blockNumber'): bigint | undefined {
  if (typeof value !== 'object' || value === null || !(key in value)) return undefined
  const number: unknown = (value as Record<string, unknown>)[key]
  return typeof number === 'string' ? BigInt(number) : undefined
}

const listParams = ({ params }: RpcRequest): readonly unknown[] => (Array.isArray(params) ? params : [])

const toHex = (number: bigint): string => `0x${number.toString(16)}`

const createResult = ({ jsonrpc, id }: RpcRequest, value: unknown): RpcResponse => ({
  jsonrpc,
  id,
  result: value,
})

const createFailure = (
  { jsonrpc, id }: RpcRequest,
  error: { code: number; message: string },
): RpcResponse => ({
  jsonrpc,
  id,
  error,
})
