// A stubbed chain without delay: it returns constants for everything that a verify reads. Every payer has
// funds, every nonce is unused, every transfer succeeds, and the token is the dev chain's.
import { text } from 'node:stream/consumers'
import { devChainId, multicallAddress, tokenAddress } from '@mintmark/devkit/chain/chain'
import { serveParent } from './serve-parent.ts'
import { aggregate, word } from './stub-views.ts'

interface Call {
  id: number
  method: string
  /** An address, or a call of one; then the block. */
  params?: readonly (string | boolean | { to: string; data: string })[]
}

/** The newest block, as far as it is read. */
const BLOCK = {
  number: '0x1',
  hash: `0x${word(1)}`,
  timestamp: '0x1',
  baseFeePerGas: '0x1',
  transactions: [],
}

function getResult({ method, params = [] }: Call): string | object {
  const [target] = params
  const to = typeof target === 'object' ? target.to.toLowerCase() : String(target).toLowerCase()
  if (method === 'eth_chainId') return `0x${devChainId.toString(16)}`
  if (method === 'eth_getBalance') return '0xde0b6b3a7640000'
  if (method === 'eth_maxPriorityFeePerGas') return '0x1'
  if (method === 'eth_getBlockByNumber') return BLOCK
  if (method === 'eth_getCode') return to === tokenAddress.toLowerCase() ? '0x00' : '0x'
  if (method === 'eth_call' && typeof target === 'object' && to === multicallAddress.toLowerCase()) {
    return aggregate(target.data)
  }
  // A simulated transfer succeeds and returns nothing, and so does every address without code.
  if (method === 'eth_call') return '0x'
  throw new Error(`${method} is not stubbed. Add it to getResult`)
}

function respondToCall(call: Call): object {
  try {
    return { jsonrpc: '2.0', id: call.id, result: getResult(call) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { jsonrpc: '2.0', id: call.id, error: { code: -32_601, message } }
  }
}

function respond(body: string): string {
  const calls: Call | Call[] = JSON.parse(body)
  return JSON.stringify(Array.isArray(calls) ? calls.map(respondToCall) : respondToCall(calls))
}

serveParent(async (request, response) => {
  const body = respond(await text(request))
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(200, headers).end(body)
})
