// A stubbed chain without delay: it returns constants for everything that a verify reads. Every payer has funds, every nonce is
// unused, every transfer succeeds, and the token is the dev chain's.
import { text } from 'node:stream/consumers'
import { tokenDomain } from '@mintmark/devkit/chain/authorization'
import { devChainId, multicallAddress, tokenAddress } from '@mintmark/devkit/chain/chain'
import { domainSeparator, encodeAbiParameters, toFunctionSelector } from 'viem'
import { serveParent } from './serve-parent.ts'

const word = (value: number) => value.toString(16).padStart(64, '0')
const encodeText = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]).slice(2)
const views = new Map(
  Object.entries({
    'authorizationState(address,bytes32)': word(0),
    'balanceOf(address)': word(1_000_000_000_000),
    'DOMAIN_SEPARATOR()': domainSeparator({ domain: tokenDomain }).slice(2),
    'name()': encodeText(tokenDomain.name),
    'version()': encodeText(tokenDomain.version),
    'getBlockNumber()': word(1),
    'getCurrentBlockTimestamp()': word(Math.floor(Date.now() / 1000)),
  }).map(([signature, result]) => [toFunctionSelector(signature).slice(2), result]),
)

/** Encodes the result of Multicall3's `tryAggregate(bool,(address,bytes)[])` by hand: viem's coder would dominate the measurement. */
function aggregate(data: string): string {
  const digits = data.slice(10)
  const number = (at: number) => Number.parseInt(digits.slice(at, at + 64), 16)
  const list = number(64) * 2
  const count = number(list)
  let [offsets, results] = ['', '']
  for (let index = 0; index < count; index++) {
    const call = list + 64 + number(list + 64 + index * 64) * 2
    const bytes = call + number(call + 64) * 2
    const result = views.get(digits.slice(bytes + 64, bytes + 72))
    if (result === undefined) throw new Error('The stubbed chain does not have this view. Add it to `views`')
    offsets += word(count * 32 + results.length / 2)
    results += word(1) + word(64) + word(result.length / 2) + result
  }
  return `0x${word(32)}${word(count)}${offsets}${results}`
}

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
