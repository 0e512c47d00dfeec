import { startFaultyNode } from '@mintmark/devkit/nodes/faulty-node'
import { type StubNode, type StubNodeState, startStubNode } from '@mintmark/devkit/nodes/stub-node'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Chain, openChains } from './chains.ts'
import { createNodeBreaker } from './node-breaker.ts'
import { NodeUnavailableError } from './node-http.ts'
import { describeChainError, findRpcError, removeAddress } from './rpc-error.ts'

const TIMEOUT_MS = 300
const SKIPPED =
  'The node is skipped until it responds again: the node did not send its whole response in time'

async function startNode(changes: Partial<StubNodeState> = {}): Promise<StubNode> {
  const node = await startStubNode(changes)
  onTestFinished(() => node.close())
  return node
}

function openChain(...nodes: readonly Pick<StubNode, 'url'>[]): Chain {
  const rpcUrls = nodes.map(({ url }) => `${url}/secret-key`)
  const config = { id: 7, rpcUrls, finality: { depth: 1 }, requestTimeoutMs: TIMEOUT_MS }
  const [chain] = openChains([config]).all
  if (chain === undefined) throw new Error('One chain is configured')
  return chain
}

const call = { method: 'eth_chainId', params: [] }
/** The requests of a chain, by each of its clients. */
const requests: readonly (readonly [string, (chain: Chain) => Promise<unknown>])[] = [
  ['client', ({ client }) => client.getChainId()],
  ['bulkClient', ({ bulkClient }) => bulkClient.getChainId()],
  ['requestBatch', ({ requestBatch }) => requestBatch([call])],
  ['requestEach', ({ requestEach }) => requestEach([call])],
  ['nodes', ({ nodes: [node] }) => node?.([call]) ?? Promise.reject(new Error('The chain has a node'))],
]

test.each(requests)(
  'a node that accepts requests and never answers is not sent the calls after the first one, by %s',
  async (_, request) => {
    const node = await startNode({ silent: true })
    const chain = openChain(node)
    await expect(chain.client.getChainId()).rejects.toThrow()
    const sent = node.calls.length
    for (const _ of [1, 2, 3]) await expect(request(chain)).rejects.toThrow(NodeUnavailableError)
    // The probe was sent before them.
    expect(node.calls.slice(sent)).toEqual([])
    expect(node.calls.filter((method) => method === 'eth_chainId')).toHaveLength(1)
  },
)

test('a node that accepts requests and never answers is named without its address, and its failure is no error that the node returned', async () => {
  const chain = openChain(await startNode({ silent: true }))
  const error = await chain.client.getChainId().catch((failure: unknown) => failure)
  expect(describeChainError(error)).toBe(SKIPPED)
  expect(findRpcError(error)).toBeUndefined()
  expect(String(removeAddress(error))).not.toContain('secret-key')
})

test.each(requests.slice(0, 4))(
  'a node that accepts requests and never answers leaves the calls to the other nodes of the chain, by %s',
  async (_, request) => {
    const nodes = [await startNode({ silent: true }), await startNode()] as const
    const chain = openChain(...nodes)
    await chain.client.getChainId()
    const sent = nodes[0].calls.length
    for (const _ of [1, 2, 3]) expect(await request(chain)).toBeDefined()
    expect(nodes[0].calls.slice(sent)).toEqual([])
  },
)

test('a node that accepts requests and never answers is probed by one request at a time, and receives calls again once it answers', async () => {
  const node = await startNode({ silent: true })
  const chain = openChain(node)
  await expect(chain.client.getChainId()).rejects.toThrow()
  const countProbes = () => node.calls.filter((method) => method === 'eth_getBalance').length
  const probes = countProbes()
  await vi.waitUntil(
    async () => {
      await Promise.allSettled(Array.from({ length: 20 }, () => chain.client.getChainId()))
      return countProbes() > probes
    },
    { timeout: 10_000 },
  )
  expect(countProbes()).toBe(probes + 1)
  node.state.silent = false
  await vi.waitUntil(() => chain.client.getChainId().catch(() => undefined), { timeout: 10_000 })
})

test('a node that has only lost one response receives the repeated call', async () => {
  const node = await startNode({ silent: true })
  const answer = openChain(node).client.getChainId()
  await vi.waitUntil(() => node.calls.length > 0)
  node.state.silent = false
  expect(await answer).toBe(node.state.chainId)
  expect(node.calls).toEqual(['eth_chainId', 'eth_getBalance', 'eth_chainId'])
})

test('a node that accepts requests and never answers is skipped for all methods when it hangs for some', async () => {
  const node = await startNode({ silent: new Set(['eth_getCode', 'eth_getBalance']) })
  const chain = openChain(node)
  await expect(chain.client.getCode({ address: `0x${'1'.repeat(40)}` })).rejects.toThrow()
  await expect(chain.client.getChainId()).rejects.toThrow(NodeUnavailableError)
})

test('a node that responds is not skipped for errors, whatever their number', async () => {
  const node = await startNode()
  const chain = openChain(node)
  for (const _ of [1, 2, 3, 4])
    expect(await chain.requestEach([{ method: 'eth_unknown', params: [] }])).toMatchObject([
      { error: { code: -32_000 } },
    ])
  expect(await chain.client.getChainId()).toBe(node.state.chainId)
})

test('a node that responds is not skipped for requests of logs that time out, whose range is too large', async () => {
  const node = await startNode({ silent: new Set(['eth_getLogs']) })
  const chain = openChain(node)
  await expect(chain.client.getLogs({ fromBlock: 0n, toBlock: 9n })).rejects.toThrow()
  expect(await chain.client.getChainId()).toBe(node.state.chainId)
})

test('a node that responds is sent one probe for concurrent calls while it refuses connections, and calls as soon as it accepts them', async () => {
  const node = await startFaultyNode((await startNode()).url)
  onTestFinished(() => node.close())
  const chain = openChain(node)
  node.interfere = () => 'hang up'
  const fail = () => chain.requestEach([call]).catch(describeChainError)
  while (!String(await fail()).includes('is skipped'));
  const sent = node.calls.length
  const outcomes = await Promise.all(Array.from({ length: 20 }, fail))
  expect(new Set(outcomes)).toEqual(
    new Set(['The node is skipped until it responds again: no connection to the node (UND_ERR_SOCKET)']),
  )
  // `requestEach` tries twice.
  expect(node.calls.slice(sent).length).toBeLessThanOrEqual(2)
  node.interfere = () => undefined
  expect(await chain.client.getChainId()).toBe(8453)
})

describe('the breaker', () => {
  const timedOut = () => Promise.reject(new DOMException('', 'TimeoutError'))
  const answered = () => Promise.resolve('answer')
  /** Starts a request that the test ends. */
  function startRequest(run: ReturnType<typeof createNodeBreaker>, method = 'eth_call') {
    const { promise, reject } = Promise.withResolvers<never>()
    const outcome = run([method], () => promise).catch((error: unknown) => error)
    const timeOut = () => {
      reject(new DOMException('', 'TimeoutError'))
      return outcome
    }
    return { timeOut }
  }
  afterEach(() => void vi.useRealTimers())

  test('the breaker stays closed for one lost response among many', async () => {
    const run = createNodeBreaker(timedOut)
    const lost = startRequest(run)
    for (let count = 0; count < 10; count += 1) await run(['eth_call'], answered)
    await lost.timeOut()
    expect(await run(['eth_call'], answered)).toBe('answer')
  })

  test('the breaker opens when half of the requests hang', async () => {
    const run = createNodeBreaker(timedOut)
    const hanging = Array.from({ length: 5 }, () => startRequest(run))
    for (let count = 0; count < 5; count += 1) await run(['eth_call'], answered)
    for (const { timeOut } of hanging) await timeOut()
    await expect(run(['eth_call'], answered)).rejects.toThrow(NodeUnavailableError)
  })

  test('the breaker opens for connections that time out', async () => {
    const pending = new Promise<never>(() => {})
    const run = createNodeBreaker(() => pending)
    const error = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
    await expect(run(['eth_call'], () => Promise.reject(error))).rejects.toThrow(error)
    await expect(run(['eth_call'], answered)).rejects.toThrow(NodeUnavailableError)
  })

  test('the breaker stays closed for slow answers within the time-out', async () => {
    vi.useFakeTimers()
    const run = createNodeBreaker(timedOut)
    for (let count = 0; count < 5; count += 1) {
      const slow = run(
        ['eth_call'],
        () => new Promise((resolve) => void setTimeout(resolve, 9_000, 'answer')),
      )
      await vi.advanceTimersByTimeAsync(9_000)
      expect(await slow).toBe('answer')
    }
  })

  test('the breaker skips a node that hangs again after each probe for longer each time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const run = createNodeBreaker(answered)
    const waits: number[] = []
    for (let count = 0; count < 5; count += 1) {
      await startRequest(run).timeOut()
      let waited = 0
      while ((await run(['eth_call'], answered).catch(() => undefined)) === undefined) {
        waited += 1_000
        vi.advanceTimersByTime(1_000)
        await new Promise(setImmediate)
      }
      waits.push(waited)
    }
    expect(waits[0]).toBeLessThanOrEqual(1_000)
    expect(waits.slice(1).map((wait) => Math.floor(wait / 1_000))).toEqual([6, 11, 21, 31])
  })
})
