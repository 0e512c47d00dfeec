import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { RpcRequest } from '@mintmark/devkit/nodes/rpc-messages'
import { expect, onTestFinished, test } from 'vitest'
import { openNodeAccess } from './node-access.ts'
import { createNodes, createRequestEach } from './request-each.ts'
import type { RpcCall, RpcOutcome } from './rpc-request.ts'

const OPTIONS = { timeout: 10_000, maxResponseBodySize: 1_000_000 }

const openRequestEach = (...rpcUrls: string[]) =>
  createRequestEach(createNodes(openNodeAccess({ rpcUrls, timeout: OPTIONS.timeout }), OPTIONS))

type Body = RpcRequest | RpcRequest[]
type Reply = { status?: number; body: unknown } | 'hang up'

/**
 * Starts a node that replies to each HTTP request as given. Returns its URL and the sizes of the requests.
 */
async function startNode(reply: (body: Body) => Reply): Promise<{ url: string; sizes: number[] }> {
  const sizes: number[] = []
  const server = createServer(async (request, response) => {
    const body: Body = JSON.parse(await text(request))
    sizes.push(Array.isArray(body) ? body.length : 1)
    const sent = reply(body)
    if (sent === 'hang up') {
      request.socket.destroy()
      return
    }
    response.writeHead(sent.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(sent.body))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a TCP port, so its address is an object.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, sizes }
}

const echo = ({ id, method }: RpcRequest) => ({ jsonrpc: '2.0', id, result: method })
const accept = (body: Body): Reply => ({ body: Array.isArray(body) ? body.map(echo) : echo(body) })
const createCalls = (count: number): RpcCall[] =>
  Array.from({ length: count }, (_, index) => ({ method: `call_${index}`, params: [] }))
const resultsOf = (count: number): RpcOutcome[] =>
  createCalls(count).map(({ method }) => ({ result: method }))

test('sends calls in one request and returns the outcomes in order, whatever order the node uses', async () => {
  const { url, sizes } = await startNode((body) => ({ body: [body].flat().map(echo).toReversed() }))
  expect(await openRequestEach(url)(createCalls(20))).toEqual(resultsOf(20))
  expect(sizes).toEqual([20])
})

test('sends a single call without a list, and no request without calls', async () => {
  const { url, sizes } = await startNode(accept)
  const requestEach = openRequestEach(url)
  expect(await requestEach([])).toEqual([])
  expect(await requestEach(createCalls(1))).toEqual(resultsOf(1))
  expect(sizes).toEqual([1])
})

test('returns the error of one call beside the results of the others', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x12' } as const
  const { url } = await startNode((body) => ({
    body: [body].flat().map((one) => (one.method === 'call_1' ? { id: one.id, error } : echo(one))),
  }))
  expect(await openRequestEach(url)(createCalls(3))).toEqual(resultsOf(3).with(1, { error }))
})

test.each<[string, (body: Body) => Reply]>([
  ['an object', () => ({ body: { error: { code: -32_600, message: 'batch too large' } } })],
  ['status 413', () => ({ status: 413, body: {} })],
  ['too few responses', (body) => ({ body: [body].flat().slice(1).map(echo) })],
])(
  'sends smaller batches to a node that replies to large ones with %s, and keeps to the size',
  async (_, refuse) => {
    const { url, sizes } = await startNode((body) =>
      Array.isArray(body) && body.length > 3 ? refuse(body) : accept(body),
    )
    const requestEach = openRequestEach(url)
    expect(await requestEach(createCalls(12))).toEqual(resultsOf(12))
    sizes.length = 0
    expect(await requestEach(createCalls(12))).toEqual(resultsOf(12))
    expect(sizes).toEqual([3, 3, 3, 3])
  },
)

test('sends calls one by one to a node that accepts no lists', async () => {
  const { url } = await startNode((body) => (Array.isArray(body) ? { status: 400, body: '' } : accept(body)))
  expect(await openRequestEach(url)(createCalls(5))).toEqual(resultsOf(5))
})

test('repeats a request whose connection was closed, and fails if it is closed again', async () => {
  let failures = 1
  const { url, sizes } = await startNode((body) => {
    failures -= 1
    return failures < 0 ? accept(body) : 'hang up'
  })
  const requestEach = openRequestEach(url)
  expect(await requestEach(createCalls(2))).toEqual(resultsOf(2))
  expect(sizes).toEqual([2, 2])
  failures = 2
  await expect(requestEach(createCalls(2))).rejects.toThrow()
})

test('sends to the next node the calls that the first one could not execute, but not those that reverted', async () => {
  const lagging = { code: -32_000, message: 'header not found' }
  const revert = { code: 3, message: 'execution reverted' }
  const first = await startNode((body) => ({
    body: [body].flat().map((one) => {
      if (one.method === 'call_0') return echo(one)
      return { id: one.id, error: one.method === 'call_1' ? revert : lagging }
    }),
  }))
  const second = await startNode(accept)
  const outcomes = await openRequestEach(first.url, second.url)(createCalls(4))
  expect(outcomes).toEqual(resultsOf(4).with(1, { error: revert }))
  expect([first.sizes, second.sizes]).toEqual([[4], [2]])
})
