import { assets, contracts } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import type { BlockComparison, BlockHeader, BlockIdentity } from '@mintmark/evm-reader'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { deployCollectible, testIndexer } from '../../testing/indexer-fixture.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import { compareChain } from './reorganization.ts'

const [ann, ben] = [devAccount(1).address, devAccount(2).address]

let chain: TestChain
let gateway: TestGateway
let project: SampleProject
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  chain = await testChain()
  gateway = await testGateway()
  project = await sampleProject(gateway, 'reorganized')
})
afterAll(async () => {
  for (const close of closers) await close()
  await gateway?.close()
})

async function anIndexedToken(
  settings: Parameters<typeof testIndexer>[1] = {},
  depth = 100,
  rpcUrl = chain.rpcUrl,
) {
  const token = await deployCollectible(chain)
  await contracts.add(project.client, {
    nftAddress: token.address,
    nftType: 'ERC721',
    chainId: String(chain.chainId),
    name: 'Indexed',
    index: true,
  })
  const made = testIndexer({ url: gateway.url, rpcUrl, chainId: chain.chainId, depth }, settings)
  closers.push(() => made.database.close())
  const owners = async () => {
    const { list } = await assets.list(project.client, { nftAddress: token.address, orderBy: 'id' })
    return Object.fromEntries(list.map(({ nftId, owner }) => [nftId, owner]))
  }
  const history = async () => (await assets.transfers(project.client, { nftAddress: token.address })).totalRow
  return { token, owners, history, ...made }
}

it('takes back what happened in blocks that were replaced, and reads those that replace them', async () => {
  const { token, indexer, owners, history, logged } = await anIndexedToken()
  await token.call(0, 'mintMany', [ann, 1n, 3n])
  await indexer.run()
  const snapshot = await chain.client.snapshot()
  for (const id of [1n, 2n, 3n]) await token.call(1, 'transferFrom', [ann, ben, id])
  await token.call(0, 'mint', [ann, 4n])
  await token.call(2, 'burn', [3n])
  await indexer.run()
  expect(await owners()).toEqual({ 1: ben.toLowerCase(), 2: ben.toLowerCase(), 4: ann.toLowerCase() })
  expect(await history()).toBe(8)

  await chain.client.revert({ id: snapshot })
  // The chain is shorter for a while; nothing is known of it yet that is not true of a node that is behind.
  await token.call(1, 'transferFrom', [ann, ben, 2n])
  for (let block = 0; block < 6; block += 1) await chain.client.mine({ blocks: 1 })
  await indexer.run()
  expect(await owners()).toEqual({ 1: ann.toLowerCase(), 2: ben.toLowerCase(), 3: ann.toLowerCase() })
  expect(await history()).toBe(4)
  expect(logged.join('\n')).toMatch(/the chain was reorganized/)
  expect(logged.join('\n')).not.toMatch(/replaced all stored blocks/)
})

it('notices that the chain has become shorter by other blocks', async () => {
  const { token, indexer, owners } = await anIndexedToken()
  await indexer.run()
  const snapshot = await chain.client.snapshot()
  for (const id of [1n, 2n, 3n, 4n]) await token.call(0, 'mint', [ann, id])
  await indexer.run()
  await chain.client.revert({ id: snapshot })
  await token.call(0, 'mint', [ben, 9n])
  await indexer.run()
  expect(await owners()).toEqual({ 9: ben.toLowerCase() })
})

it('a transfer that the replacing blocks contain again counts once', async () => {
  const { token, indexer, owners, history } = await anIndexedToken()
  await token.call(0, 'mint', [ann, 1n])
  await indexer.run()
  const snapshot = await chain.client.snapshot()
  const hash = await token.call(1, 'transferFrom', [ann, ben, 1n])
  // The same signed transaction goes into another block.
  const raw = await chain.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)
  await indexer.run()
  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: 1 })
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await chain.client.mine({ blocks: 1 })
  await indexer.run()
  expect(await owners()).toEqual({ 1: ben.toLowerCase() })
  expect(await history()).toBe(2)
})

it('discards what was read ahead when it does not follow the blocks that were read before', async () => {
  const node = await startFaultyNode(chain.rpcUrl)
  closers.push(async () => node.close())
  const { token, indexer, history, logged } = await anIndexedToken(
    { rangeBlocks: 10, keptBlocks: 3 },
    50,
    node.url,
  )
  const deployed = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
  for (let id = 1n; id <= 30n; id += 1n) await token.call(0, 'mint', [ann, id])
  await chain.client.mine({ blocks: 100, interval: 1 })
  const replaced = `0x${(deployed + 20).toString(16)}`
  node.interfere = (method, params) => {
    // The first parameter of this method is the number of the block.
    if (method !== 'eth_getBlockByNumber' || (params as string[])[0] !== replaced) return undefined
    const [hash, parentHash] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
    return { result: { number: replaced, hash, parentHash, timestamp: '0x1' } }
  }
  await indexer.run()
  expect(await history()).toBe(19)
  expect(logged.join()).toContain(`block ${deployed + 20} has another parent`)
  node.interfere = () => undefined
  await indexer.run()
  expect(await history()).toBe(30)
})

it('starts over from what is final where more was replaced than the blocks it keeps', async () => {
  const { token, indexer, owners, logged } = await anIndexedToken({ keptBlocks: 3 }, 20)
  await token.call(0, 'mintMany', [ann, 1n, 2n])
  const snapshot = await chain.client.snapshot()
  await token.call(1, 'transferFrom', [ann, ben, 1n])
  for (let block = 0; block < 8; block += 1) {
    await chain.client.mine({ blocks: 1 })
    await indexer.run()
  }
  expect(await owners()).toEqual({ 1: ben.toLowerCase(), 2: ann.toLowerCase() })
  await chain.client.revert({ id: snapshot })
  await token.call(1, 'transferFrom', [ann, ben, 2n])
  await chain.client.mine({ blocks: 9 })
  await indexer.run()
  expect(await owners()).toEqual({ 1: ann.toLowerCase(), 2: ben.toLowerCase() })
  expect(logged.join('\n')).toMatch(/replaced all stored blocks/)
})

const compare = (expected: string, { hash }: BlockIdentity): BlockComparison =>
  hash === expected ? 'same' : 'different'
const header = (number: number, hash = `h${number}`): BlockHeader => ({
  number,
  hash,
  parentHash: '',
  time: 0,
})

it.each([
  ['the same blocks', 10, [], 'same', undefined],
  ['a node that has not come as far', 7, [], 'behind', undefined],
  ['a node that has come to none of them', 3, [], 'behind', undefined],
  ['the newest block replaced', 10, [10], 'reorganized', 9],
  ['all but the first replaced', 12, [6, 7, 8, 9, 10], 'reorganized', 5],
  ['a shorter chain of other blocks', 8, [8], 'reorganized', 7],
] as const)('of blocks 5 to 10, finds %s', async (_, head, replaced, kind, ancestor) => {
  const hashOf = (number: number) =>
    replaced.some((first) => number >= first) ? `other${number}` : `h${number}`
  const storedHashes = new Map([5, 6, 7, 8, 9, 10].map((number) => [number, `h${number}`]))
  const source = {
    compareBlock: async (block: BlockIdentity): Promise<BlockComparison> =>
      Number(block.number) <= head ? compare(hashOf(Number(block.number)), block) : 'unknown',
    getFinalBlock: async () => 0,
  }
  const comparison = await compareChain(source, storedHashes, header(head, hashOf(head)))
  expect(comparison).toEqual(ancestor === undefined ? { kind } : { kind, ancestor, beyondStored: false })
})

it.each([
  ['goes back to what is final where that lies before them', 2, 2],
  ['goes back to the beginning where what is final contradicts them', 6, -1],
])('after a reorganization of all blocks, the indexer %s', async (_, final, ancestor) => {
  const storedHashes = new Map([5, 6].map((number) => [number, `h${number}`]))
  const source = {
    compareBlock: async (block: BlockIdentity) => compare('other', block),
    getFinalBlock: async () => final,
  }
  const comparison = await compareChain(source, storedHashes, header(9, 'other'))
  expect(comparison).toEqual({ kind: 'reorganized', ancestor, beyondStored: true })
})

it('does not report a reorganization when a lagging node lacks a block below the head', async () => {
  const storedHashes = new Map([5, 6, 7].map((number) => [number, `h${number}`]))
  const source = { compareBlock: async () => 'unknown' as const, getFinalBlock: async () => 6 }
  await expect(compareChain(source, storedHashes, header(9))).rejects.toThrow('block 7 is missing')
})
