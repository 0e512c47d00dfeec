import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { testChain } from '../chain/testing.ts'
import { createFaults, type Fault, readFaultSeeds } from './faults.ts'
import { startFaultyNode } from './faulty-node.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
afterAll(() => node.close())
afterEach(() => {
  node.faults = undefined
  vi.unstubAllEnvs()
})

/** Every request meets one fault. */
function inject(kind: Fault['kind'], more: object = {}): void {
  node.faults = createFaults({ seed: 1, rates: { [kind]: 1 }, ...more })
}

const send = (...calls: { method: string; params: unknown[] }[]) =>
  fetch(node.url, {
    method: 'POST',
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  })
const send1 = async (method: string, params: unknown[]) => {
  const [response] = await (await send({ method, params })).json()
  return response
}

it('repeats the faults of a seed, whatever the order of concurrent methods', () => {
  const rates = { lag: 0.3, delay: 0.1, dropRequest: 0.1, truncate: 0.1 }
  const take = (order: readonly string[]) => {
    const faults = createFaults({ seed: 5, rates })
    const taken = new Map<string, (Fault | undefined)[]>()
    for (const method of order) taken.set(method, [...(taken.get(method) ?? []), faults.next(method)])
    return taken
  }
  const first = take(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 'a' : 'b')))
  const second = take([...'a'.repeat(100), ...'b'.repeat(100)])
  expect(second.get('a')).toEqual(first.get('a'))
  expect(second.get('b')).toEqual(first.get('b'))
  expect(first.get('a')).not.toEqual(first.get('b'))
  const kinds = new Set([...first.values()].flat().map((fault) => fault?.kind))
  expect(kinds).toEqual(new Set([undefined, 'lag', 'delay', 'dropRequest', 'truncate']))
})

it('refuses rates of more than 1 together', () => {
  expect(() => createFaults({ seed: 1, rates: { lag: 0.6, revert: 0.6 } })).toThrow(RangeError)
})

it('responds to all calls of a batch like one lagging node', async () => {
  await chain.client.mine({ blocks: 10 })
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  inject('lag', { lags: [4] })
  const batch = await send(
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getBlockByNumber', params: [`0x${head.toString(16)}`, false] },
  )
  expect(await batch.json()).toMatchObject([{ result: `0x${(head - 4n).toString(16)}` }, { result: null }])
})

it.each(['dropRequest', 'dropResponse', 'truncate'] as const)(
  'ends the connection for the fault %s',
  async (kind) => {
    inject(kind)
    await expect(send1('eth_blockNumber', [])).rejects.toThrow()
  },
)

it('executes a request whose response it drops, and not one that it drops itself', async () => {
  const before = await chain.client.getBlockNumber({ cacheTime: 0 })
  inject('dropResponse')
  await expect(send1('evm_mine', [])).rejects.toThrow()
  expect(await chain.client.getBlockNumber({ cacheTime: 0 })).toBe(before + 1n)
  inject('dropRequest')
  await expect(send1('evm_mine', [])).rejects.toThrow()
  expect(await chain.client.getBlockNumber({ cacheTime: 0 })).toBe(before + 1n)
})

it('limits the rate of requests by status or by error, caps ranges and reverts without data', async () => {
  inject('rateLimit')
  expect((await send({ method: 'eth_blockNumber', params: [] })).status).toBe(429)
  inject('rateLimitError')
  expect(await send1('eth_blockNumber', [])).toMatchObject({ error: { code: -32029 } })
  inject('capRange')
  expect(await send1('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x2' }])).toHaveProperty('result')
  expect(await send1('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x3' }])).toMatchObject({
    error: { code: -32602 },
  })
  inject('revert')
  const reverted = await send1('eth_call', [{ to: chain.token }, 'latest'])
  expect(reverted.error).toEqual({ code: 3, message: 'execution reverted' })
  expect(await send1('eth_blockNumber', [])).toHaveProperty('result')
})

it('delays responses', async () => {
  inject('delay', { maxDelayMs: 5 })
  expect(await send1('eth_blockNumber', [])).toHaveProperty('result')
})

it('reads seeds and ranges of seeds from FAULT_SEEDS', () => {
  vi.stubEnv('FAULT_SEEDS', '')
  expect(readFaultSeeds([1, 2])).toEqual([1, 2])
  vi.stubEnv('FAULT_SEEDS', '7,10-12')
  expect(readFaultSeeds([1, 2])).toEqual([7, 10, 11, 12])
  vi.stubEnv('FAULT_SEEDS', 'many')
  expect(() => readFaultSeeds([1])).toThrow('FAULT_SEEDS: many')
})
