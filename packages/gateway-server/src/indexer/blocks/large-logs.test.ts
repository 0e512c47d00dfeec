import { assets, contracts } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { type FaultyNode, startFaultyNode } from '@mintmark/devkit/testing'
import { createPublicClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { deployCollectible, testIndexer } from '../../testing/indexer-fixture.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import { listLags } from './cursor-store.ts'

const [ann, ben] = [devAccount(1).address, devAccount(2).address]
/** With a code that viem does not retry after a pause. */
const TOO_MANY = { error: { code: -32602, message: 'query returned more than 10000 results' } }
const ELEVEN_MIB = 'x'.repeat(11 * 1024 * 1024)

let chain: TestChain
let gateway: TestGateway
let project: SampleProject
let node: FaultyNode
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  chain = await testChain()
  gateway = await testGateway()
  project = await sampleProject(gateway, 'busy')
  node = await startFaultyNode(chain.rpcUrl)
})
afterEach(() => {
  node.interfere = () => undefined
})
afterAll(async () => {
  for (const close of closers) await close()
  node?.close()
  await gateway?.close()
})

function anIndexer(settings: Parameters<typeof testIndexer>[1] = {}) {
  const made = testIndexer({ url: gateway.url, rpcUrl: node.url, chainId: chain.chainId }, settings)
  closers.push(() => made.database.close())
  return made
}

/** Two indexed tokens of which blocks before the newest hold transfers. */
async function indexedTokens() {
  const tokens = [await deployCollectible(chain), await deployCollectible(chain)] as const
  for (const token of tokens) {
    const contract = { nftAddress: token.address, nftType: 'ERC721', name: 'Busy', index: true }
    await contracts.add(project.client, { ...contract, chainId: String(chain.chainId) })
    await token.call(0, 'mintMany', [ann, 1n, 3n])
    await token.call(1, 'transferFrom', [ann, ben, 2n])
  }
  await chain.client.mine({ blocks: 20 })
  return tokens
}

async function ownersOf(nftAddress: string): Promise<Record<string, string>> {
  const { list } = await assets.list(project.client, { nftAddress })
  return Object.fromEntries(list.map(({ nftId, owner }) => [nftId, owner]))
}
const OWNERS = { 1: ann.toLowerCase(), 2: ben.toLowerCase(), 3: ann.toLowerCase() }

/** A log filter as `eth_getLogs` takes it. */
interface Filter {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly address?: readonly string[]
}

/** Responds to requests for logs in place of the node. */
function onLogs(respond: (filter: Filter) => object | undefined): void {
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs') return undefined
    // The one parameter of this method.
    const [filter] = params as [Filter]
    return respond(filter)
  }
}

const blocksOf = ({ fromBlock, toBlock }: Filter): number => Number(toBlock) - Number(fromBlock) + 1

it('reads fewer blocks per request after a response of more than 10 MiB, and reaches the head', async () => {
  const tokens = await indexedTokens()
  const ranges: number[] = []
  onLogs((filter) => {
    if (filter.fromBlock === undefined) return undefined
    ranges.push(blocksOf(filter))
    return blocksOf(filter) > 12 ? { result: [], padding: ELEVEN_MIB } : undefined
  })
  const { indexer, database } = anIndexer()
  await indexer.run()
  for (const token of tokens) expect(await ownersOf(token.address)).toEqual(OWNERS)
  expect(await listLags(database.system)).toMatchObject([{ blocks: 0 }])
  expect(ranges.filter((blocks) => blocks > 12).length).toBeGreaterThan(0)
})

it('reads contracts one by one where a single block has more events than the node returns', async () => {
  const tokens = await indexedTokens()
  let refused = 0
  onLogs(({ address = [], ...filter }) => {
    if (address.length === 1 && filter.blockHash !== undefined) return undefined
    refused += 1
    return TOO_MANY
  })
  const { indexer, database } = anIndexer()
  await indexer.run()
  for (const token of tokens) expect(await ownersOf(token.address)).toEqual(OWNERS)
  expect(await listLags(database.system)).toMatchObject([{ blocks: 0 }])
  expect(refused).toBeGreaterThan(0)
})

it('takes the events of a contract from receipts where the node refuses them for a single block', async () => {
  const tokens = await indexedTokens()
  onLogs(() => TOO_MANY)
  const { indexer, database } = anIndexer()
  await indexer.run()
  for (const token of tokens) expect(await ownersOf(token.address)).toEqual(OWNERS)
  expect(await listLags(database.system)).toMatchObject([{ blocks: 0 }])
})

it('accepts more than 10 MiB for a single block', async () => {
  const tokens = await indexedTokens()
  const logs = new Map<string, object[]>()
  const all = await createPublicClient({ transport: http(chain.rpcUrl) }).request({
    method: 'eth_getLogs',
    params: [{ fromBlock: '0x0', toBlock: 'latest', address: tokens.map(({ address }) => address) }],
  })
  for (const log of all) logs.set(String(log.blockHash), [...(logs.get(String(log.blockHash)) ?? []), log])
  onLogs(({ blockHash }) => {
    const result = blockHash === undefined ? undefined : logs.get(blockHash)
    if (result !== undefined) return { result, padding: ELEVEN_MIB }
    return blockHash === undefined ? TOO_MANY : { result: [] }
  })
  node.calls.length = 0
  const { indexer } = anIndexer()
  await indexer.run()
  for (const token of tokens) expect(await ownersOf(token.address)).toEqual(OWNERS)
  expect(node.calls).not.toContain('eth_getBlockReceipts')
})

it('names the chain and the block that no request returns, and continues once a node returns it', async () => {
  const [token] = await indexedTokens()
  const sold = await token.call(1, 'transferFrom', [ann, ben, 1n])
  const { blockNumber, blockHash } = await chain.client.getTransactionReceipt({ hash: sold })
  const { indexer, logged } = anIndexer()
  node.interfere = (method, params) => {
    const isOfBlock = JSON.stringify(params ?? []).includes(blockHash)
    if (method === 'eth_getLogs') return isOfBlock || !hasHash(params) ? TOO_MANY : undefined
    return method === 'eth_getBlockReceipts' && isOfBlock ? TOO_MANY : undefined
  }
  await indexer.run()
  const errors = logged.filter((line) => line.includes('"level":50')).join()
  expect(errors).toContain(`"block":${blockNumber}`)
  expect(errors).toContain(`"chain":"${chain.chainId}"`)
  expect(errors).not.toContain(node.url)
  expect([...indexer.unreadableBlocks()]).toEqual([[String(chain.chainId), Number(blockNumber)]])

  node.interfere = () => undefined
  await indexer.run()
  expect(await ownersOf(token.address)).toEqual({ ...OWNERS, 1: ben.toLowerCase() })
  expect([...indexer.unreadableBlocks()]).toEqual([])
})

const hasHash = (params: unknown): boolean => JSON.stringify(params).includes('blockHash')
