import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openChains } from './chains.ts'
import { isRangeTooLarge } from './range-too-large.ts'

/** The error of the node. */
let response: { status: number; body: string; cutShort?: boolean } = { status: 200, body: '' }
let server: Server
let url: string
beforeAll(async () => {
  server = createServer((request, outgoing) => {
    request.resume()
    const contentType = response.body.startsWith('{') ? 'application/json' : 'text/html'
    outgoing.writeHead(response.status, { 'content-type': contentType, 'retry-after': '0' })
    if (!response.cutShort) return void outgoing.end(response.body)
    outgoing.write(response.body, () => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a TCP port, so its address is an object.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

/** Requests logs from the node and evaluates the error that viem throws. */
async function evaluate(nodeResponse: typeof response): Promise<boolean> {
  response = nodeResponse
  const [chain] = openChains([{ id: 1, rpcUrls: [url], finality: { depth: 1 } }]).all
  if (chain === undefined) throw new Error('The chain was not opened')
  const filter = { fromBlock: '0x1', toBlock: '0x2' } as const
  const failed = await chain.client.request({ method: 'eth_getLogs', params: [filter] }).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failed).toBeInstanceOf(Error)
  return isRangeTooLarge(failed)
}

const rpcError = (code: number, message: string, status = 200) => ({
  status,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
})

it.each([
  [
    'Alchemy: size',
    -32602,
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.',
  ],
  [
    'Alchemy: free plan',
    -32600,
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
  ],
  [
    'Infura, zkSync: results',
    -32005,
    'query returned more than 10000 results. Try with this block range [0x1, 0x2].',
  ],
  ['QuickNode', -32614, 'eth_getLogs is limited to a 10,000 range'],
  ['Ankr: range', -32600, 'block range is too wide'],
  ['Ankr, LlamaRPC: results', -32000, 'query exceeds max results 20000, retry with the range 1-2'],
  ['dRPC: free plan', 35, 'ranges over 10000 blocks are not supported on freetier'],
  ['dRPC: time', 30, 'Request timeout on the free tier, please upgrade your tier to the paid one'],
  [
    'Cloudflare',
    -32047,
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
  ],
  ['PublicNode', -32701, 'exceed maximum block range: 50000'],
  ['BNB Smart Chain', -32005, 'limit exceeded'],
  ['Chainstack', -32602, 'Block range limit exceeded. See more details at https://docs.example'],
  ['Coinbase', -32000, 'please limit the query to at most 1000 blocks'],
  ['Blast', -32600, 'query exceeds the range allowed for your plan (5000 > 1000)'],
  ['BlockPI', -32602, 'eth_getLogs is limited to 1024 block range'],
  ['1RPC: size', -32000, 'response size should not greater than 10000000 bytes'],
  ['thirdweb', -32602, 'Maximum allowed number of requested blocks is 1000'],
  ['Avalanche', -32000, 'requested too many blocks from 1 to 9999, maximum is set to 2048'],
  ['Optimism', -32020, 'backend response too large'],
  ['Base', -32011, 'no backend is currently healthy to serve traffic'],
  ['Arbitrum', -32000, 'logs matched by query exceeds limit of 10000'],
  ['Polygon', -32005, 'Block range is too large'],
  ['Erigon, Reth, Hyperliquid', -32602, 'query exceeds max block range 100000'],
  ['Besu', -32005, 'Requested range exceeds maximum range limit'],
  ['Nethermind', -32016, 'Too many logs requested. Max logs per response is 20000.'],
  ['Geth: time', -32002, 'request timed out'],
  ['Geth: response size', -32003, 'response too large'],
  ['an unknown provider', -31999, 'this is more than we like to answer'],
])('isRangeTooLarge is true when %s rejects the range', async (_, code, message) => {
  expect(await evaluate(rpcError(code, message))).toBe(true)
})

it.each([
  ['400 with a JSON-RPC error', rpcError(-32602, 'block range extends the limit', 400)],
  ['400', { status: 400, body: '{"message":"bad request"}' }],
  ['408', { status: 408, body: '' }],
  ['413', { status: 413, body: '<html>Request Entity Too Large</html>' }],
  ['504', { status: 504, body: '<html>Gateway Time-out</html>' }],
  ['524', { status: 524, body: '' }],
])('isRangeTooLarge is true when a proxy responds with %s', async (_, nodeResponse) => {
  expect(await evaluate(nodeResponse)).toBe(true)
})

it('isRangeTooLarge is true when the response exceeds 10 MiB', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: [], padding: 'x'.repeat(11 * 1024 * 1024) })
  expect(await evaluate({ status: 200, body })).toBe(true)
})

it('isRangeTooLarge is true when the response ends in the middle of its JSON', async () => {
  expect(await evaluate({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":[{"addr' })).toBe(true)
})

it('isRangeTooLarge is true when the connection ends in the middle of the response', async () => {
  expect(await evaluate({ status: 200, body: '{"jsonrpc":"2.0","id":1,"resu', cutShort: true })).toBe(true)
})

it.each([
  ['Alchemy: rate', 429, 'Your app has exceeded its compute units per second capacity'],
  ['QuickNode: rate', -32007, '50/second request limit reached - reduce calls per second'],
  ['Infura: rate', -32005, 'daily request count exceeded, request rate limited'],
  ['Ankr: rate', -32029, 'Too many requests, please slow down'],
  ['Geth: the block is missing', -32000, 'unknown block'],
  ['Erigon: the block is missing', -32000, 'block not found: 0x12'],
  ['Nethermind: the block is missing', -32000, 'One of the blocks specified in filter cannot be found.'],
])(
  'isRangeTooLarge is false when the node returns an error with another cause: %s',
  async (_, code, message) => {
    expect(await evaluate(rpcError(code, message))).toBe(false)
  },
)

it.each([401, 429, 500, 503])('isRangeTooLarge is false when a proxy responds with %i', async (status) => {
  expect(await evaluate({ status, body: '' })).toBe(false)
})

it('isRangeTooLarge is false when the error does not come from a node', () => {
  expect(isRangeTooLarge(new TypeError('terminated'))).toBe(false)
})
