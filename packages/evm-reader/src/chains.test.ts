import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { openChains, parseChains } from './chains.ts'
import { ChainChangedError } from './header-parsing.ts'

interface RpcBody {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly string[]
}

it('CHAINS is read in its short form, with several URLs per chain', () => {
  expect(parseChains('84532=http://one:1/,http://two:2/?a=b, 8453=https://three/')).toEqual([
    { id: 84532, rpcUrls: ['http://one:1/', 'http://two:2/?a=b'], finality: { tag: 'finalized' } },
    { id: 8453, rpcUrls: ['https://three/'], finality: { tag: 'finalized' } },
  ])
})

it('CHAINS is read as JSON', () => {
  expect(parseChains('{"84532":"http://one/","8453":["http://two/","http://three/"]}', '3')).toEqual(
    [
      { id: 8453, rpcUrls: ['http://two/', 'http://three/'], finality: { depth: 3 } },
      { id: 84532, rpcUrls: ['http://one/'], finality: { depth: 3 } },
    ].toSorted((a, b) => Number(a.id === 84532) - Number(b.id === 84532)),
  )
})

it('CHAINS contains no chains when it is empty', () => {
  expect(parseChains('')).toEqual([])
})

it.each([
  'http://secret-key@node/',
  '84532=ftp://secret-key/',
  '84532=',
  'base=http://secret-key/',
  '0=http://secret-key/',
  '{"84532":[]}',
  '{"84532": secret-key}',
  '["http://secret-key/"]',
])('CHAINS is rejected as %s, without the URL in the error', (setting) => {
  expect(() => parseChains(setting)).toThrow(/^CHAINS: (?!.*secret-key)/)
})

const parseFinality = (setting: string) =>
  parseChains('1=http://a/,2=http://b/', setting).map((chain) => chain.finality)

it('FINALITY applies to all chains, or to single chains with the finalized tag as the default', () => {
  expect(parseFinality('safe')).toEqual([{ tag: 'safe' }, { tag: 'safe' }])
  expect(parseFinality('0')).toEqual([{ depth: 0 }, { depth: 0 }])
  expect(parseFinality('2=12')).toEqual([{ tag: 'finalized' }, { depth: 12 }])
  expect(parseFinality('{"1":"safe","2":5}')).toEqual([{ tag: 'safe' }, { depth: 5 }])
})

it.each(['soon', '1=latest', '-1', '{"1":1.5}', 'x=1'])('FINALITY is rejected as %s', (setting) => {
  expect(() => parseFinality(setting)).toThrow(/^FINALITY: /)
})

it('openChains finds a chain by id and by network', () => {
  const chains = openChains(parseChains('84532=http://127.0.0.1:1/'))
  expect(chains.byId(84532)).toBe(chains.byNetwork('eip155:84532'))
  expect(chains.byId(1)).toBeUndefined()
})

it('newestBlock is no older than its call, even while an earlier request is pending', async () => {
  const pendingResponses: ServerResponse[] = []
  const server = createServer((_, response) => {
    if (pendingResponses.length === 0) pendingResponses.push(response)
    else response.end('{"jsonrpc":"2.0","id":1,"result":"0x5"}')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [chain] = openChains(parseChains(`84532=http://127.0.0.1:${port}/`)).all
  if (chain === undefined) throw new Error('One chain is configured')

  const earlier = chain.newestBlock()
  while (pendingResponses.length === 0) await new Promise(setImmediate)
  expect(await chain.newestBlock()).toBe(5n)
  pendingResponses[0]?.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  expect(await earlier).toBe(1n)
})

interface TestNode {
  readonly head: number
  readonly blocks: Readonly<Record<number, string>>
}
const toHash = (name: string) => `0x${name.padStart(64, '0')}` as const

function respond({ head, blocks }: TestNode, { id, method, params }: RpcBody): object {
  if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: `0x${head.toString(16)}` }
  const number = Number(params?.[0])
  const name = number <= head ? blocks[number] : undefined
  const result = name === undefined ? null : { number: params?.[0], hash: toHash(name), timestamp: '0x9' }
  return { jsonrpc: '2.0', id, result }
}

/**
 * Starts an address behind which the given nodes respond in turn. The last one responds to all other
 * requests.
 */
async function openBalancedChain(...nodes: TestNode[]) {
  const last = nodes.at(-1)
  const server = createServer(async (request, response) => {
    const body: RpcBody | RpcBody[] = JSON.parse(await text(request))
    const node = nodes.shift() ?? last
    if (node === undefined) throw new Error('The test has no node')
    const result = Array.isArray(body) ? body.map((each) => respond(node, each)) : respond(node, body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [chain] = openChains(parseChains(`84532=http://127.0.0.1:${port}/`, '2')).all
  if (chain === undefined) throw new Error('One chain is configured')
  return chain
}

const present = { head: 9, blocks: { 6: 'six', 7: 'seven' } }

it('the final block by depth is the block with that many later blocks', async () => {
  const chain = await openBalancedChain(present)
  expect(await chain.finalBlock()).toEqual({ number: 7n, hash: toHash('seven'), timestamp: 9n })
})

it('the final block by depth is never a replaced block of a node that has not seen the reorganization', async () => {
  const behind = { head: 8, blocks: { 6: 'six', 7: 'replaced' } }
  const chain = await openBalancedChain(present, behind)
  expect(await chain.finalBlock()).toEqual({ number: 6n, hash: toHash('six'), timestamp: 9n })
})

it('the final block by depth is read later while nodes that are further and further behind respond', async () => {
  const nodes = [90, 80, 70, 60, 50, 40, 30].map((head) => ({ head, blocks: {} }))
  const chain = await openBalancedChain(...nodes)
  await expect(chain.finalBlock()).rejects.toThrow(ChainChangedError)
})

it('the final block by depth is read later when a node lacks a block that it counts', async () => {
  const chain = await openBalancedChain(present, { head: 9, blocks: {} })
  await expect(chain.finalBlock()).rejects.toThrow('block 7 is missing')
})

it('the final block by depth is the first block while none is final', async () => {
  const chain = await openBalancedChain({ head: 1, blocks: { 0: 'zero' } })
  expect(await chain.finalBlock()).toMatchObject({ number: 0n, hash: toHash('zero') })
})
