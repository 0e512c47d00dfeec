import { assets, contracts, nfts } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { deployCollectible, deployEdition, testIndexer } from '../testing/indexer-fixture.ts'
import { sampleProject } from '../testing/samples/calls.ts'
import type { SampleProject } from '../testing/samples/sample.ts'
import { listLags } from './blocks/cursor-store.ts'

const [ann, ben, cat] = [1, 2, 3].map((account) => devAccount(account).address) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const lower = (address: string) => address.toLowerCase()
const ZERO = `0x${'0'.repeat(40)}`

let chain: TestChain
let gateway: TestGateway
let project: SampleProject
const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  chain = await testChain()
  gateway = await testGateway()
  project = await sampleProject(gateway, 'indexed')
})
afterAll(async () => {
  for (const close of closers) await close()
  await gateway?.close()
})

function anIndexer(...[settings, rpcUrl = chain.rpcUrl]: [Parameters<typeof testIndexer>[1]?, string?]) {
  const made = testIndexer({ url: gateway.url, rpcUrl, chainId: chain.chainId }, settings)
  closers.push(() => made.database.close())
  return made
}

async function register(nftAddress: string, nftType: 'ERC721' | 'ERC1155', of = project) {
  const chainId = String(chain.chainId)
  return await contracts.add(of.client, { nftAddress, nftType, chainId, name: 'Indexed', index: true })
}

/** The quantities that each wallet owns, as the project's client returns them. */
async function ownedOf(nftAddress: string, of = project): Promise<Record<string, string>> {
  const owned: Record<string, string> = {}
  for await (const asset of assets.list.items(of.client, { nftAddress, pageSize: 100 })) {
    owned[`${asset.nftId} ${asset.owner}`] = asset.quantity
  }
  return owned
}

it('indexes owners and transfers of an ERC-721 contract from its first block', async () => {
  const token = await deployCollectible(chain)
  await token.call(0, 'mintMany', [ann, 1n, 3n])
  await token.call(1, 'transferFrom', [ann, ben, 2n])
  await register(token.address, 'ERC721')
  const { indexer } = anIndexer()
  await indexer.run()
  expect(await ownedOf(token.address)).toEqual({
    [`1 ${lower(ann)}`]: '1',
    [`2 ${lower(ben)}`]: '1',
    [`3 ${lower(ann)}`]: '1',
  })

  const sold = await token.call(2, 'transferFrom', [ben, cat, 2n])
  await token.call(1, 'burn', [3n])
  await indexer.run()
  expect(await ownedOf(token.address)).toEqual({ [`1 ${lower(ann)}`]: '1', [`2 ${lower(cat)}`]: '1' })
  const { list } = await assets.transfers(project.client, { nftAddress: token.address, nftId: '2' })
  const place = {
    nftAddress: token.lowerCase,
    nftId: '2',
    quantity: '1',
    orderNo: '',
    projectId: project.projectId,
  }
  expect(list).toMatchObject([
    { ...place, from: lower(ben), to: lower(cat), hash: sold },
    { ...place, from: lower(ann), to: lower(ben) },
    { ...place, from: ZERO, to: lower(ann) },
  ])
  const { timestamp } = await chain.client.getBlock({
    blockHash: (await chain.client.getTransactionReceipt({ hash: sold })).blockHash,
  })
  expect(list[0]?.createTimeLong).toBe(Number(timestamp) * 1000)
  await nfts.add(project.client, { nftAddress: token.address, nftId: '2', name: 'Two', owner: ann })
  expect(await nfts.get(project.client, { nftAddress: token.address, nftId: '2' })).toMatchObject({
    owner: lower(cat),
  })
})

it('counts single and batch transfers of an ERC-1155 contract, each token of a batch once', async () => {
  const token = await deployEdition(chain)
  await register(token.address, 'ERC1155')
  await token.call(0, 'mintBatch', [ann, [1n, 2n, 1n], [10n, 20n, 5n]])
  await token.call(1, 'safeTransferFrom', [ann, ben, 1n, 4n, '0x'])
  await token.call(1, 'safeBatchTransferFrom', [ann, cat, [1n, 2n], [11n, 0n], '0x'])
  const { indexer } = anIndexer()
  await indexer.run()
  await indexer.run()
  expect(await ownedOf(token.address)).toEqual({
    [`1 ${lower(ben)}`]: '4',
    [`1 ${lower(cat)}`]: '11',
    [`2 ${lower(ann)}`]: '20',
  })
  const transfers = await assets.transfers(project.client, { nftAddress: token.address })
  expect(transfers.list.map(({ nftId, quantity }) => [nftId, quantity]).reverse()).toEqual([
    ['1', '10'],
    ['2', '20'],
    ['1', '5'],
    ['1', '4'],
    ['1', '11'],
  ])
})

it('catches up a contract that is registered late, and writes the assets of a second project immediately', async () => {
  const [early, late] = [await deployCollectible(chain), await deployCollectible(chain)]
  await register(early.address, 'ERC721')
  const { indexer } = anIndexer({ rangeBlocks: 2, keptBlocks: 3 })
  await late.call(0, 'mintMany', [ann, 1n, 5n])
  for (let block = 0; block < 8; block += 1) await early.call(0, 'mint', [ben, BigInt(block)])
  await late.call(1, 'transferMany', [ben, 1n, 2n])
  await indexer.run()
  expect(Object.keys(await ownedOf(early.address))).toHaveLength(8)
  expect(await ownedOf(late.address)).toEqual({})

  await register(late.address, 'ERC721')
  await early.call(2, 'transferFrom', [ben, cat, 7n])
  await indexer.run()
  const owned = await ownedOf(late.address)
  expect(Object.values(owned)).toHaveLength(5)
  expect(owned).toMatchObject({ [`1 ${lower(ben)}`]: '1', [`5 ${lower(ann)}`]: '1' })
  expect(await ownedOf(early.address)).toMatchObject({ [`7 ${lower(cat)}`]: '1' })

  const second = await sampleProject(gateway, 'second')
  await register(late.address, 'ERC721', second)
  await indexer.run()
  expect(await ownedOf(late.address, second)).toEqual(owned)
  expect((await assets.transfers(second.client, { nftAddress: late.address })).totalRow).toBe(7)
})

it('returns no transfers and assets of a contract that the project has not registered or has removed', async () => {
  const token = await deployCollectible(chain)
  const own = await register(token.address, 'ERC721')
  const stranger = await sampleProject(gateway, 'stranger')
  // It sees the chain, but of its own contract alone.
  await register((await deployCollectible(chain)).address, 'ERC721', stranger)
  await token.call(0, 'mint', [ann, 1n])
  const { indexer } = anIndexer()
  await indexer.run()
  const db = gateway.database.forProject(stranger.projectId)
  const seen = async (of: SampleProject) => [
    (await assets.transfers(of.client, { nftAddress: token.address })).totalRow,
    (await assets.list(of.client, { nftAddress: token.address })).totalRow,
  ]
  expect(await seen(project)).toEqual([1, 1])
  expect(await seen(stranger)).toEqual([0, 0])
  // Nor by a query that names no project.
  expect(await db.selectFrom('gateway.chain_transfers').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('gateway.transfer_history').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('gateway.chain_balances').selectAll().execute()).toEqual([])
  // One that is of no project is refused.
  const unbound = gateway.database.system.selectFrom('gateway.chain_transfers').selectAll().execute()
  await expect(unbound).rejects.toThrow(/bigint/)
  await expect(db.deleteFrom('gateway.chain_transfers').execute()).rejects.toThrow(/permission denied/)

  await contracts.remove(project.client, { id: own.id })
  expect(await seen(project)).toEqual([0, 0])
  await token.call(1, 'transferFrom', [ann, ben, 1n])
  await indexer.run()
  expect(await seen(project)).toEqual([0, 0])
  await register(token.address, 'ERC721')
  await indexer.run()
  expect(await ownedOf(token.address)).toEqual({ [`1 ${lower(ben)}`]: '1' })
  expect(await seen(project)).toEqual([2, 1])
})

it('requests fewer blocks after a refusal, and then more again', async () => {
  const token = await deployCollectible(chain)
  await register(token.address, 'ERC721')
  for (let id = 0n; id < 40n; id += 1n) await token.call(0, 'mint', [ann, id])
  // Blocks of the last minute are requested one by one.
  await chain.client.mine({ blocks: 100, interval: 1 })
  const node = await startFaultyNode(chain.rpcUrl)
  closers.push(async () => node.close())
  const spans: number[] = []
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs') return undefined
    // What a log filter is.
    const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
    if (fromBlock === undefined) return undefined
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    spans.push(blocks)
    return blocks > 10 ? { error: { code: -32600, message: 'block range is too large' } } : undefined
  }
  const { indexer } = anIndexer({ rangeBlocks: 64, keptBlocks: 4 }, node.url)
  await indexer.run()
  expect(Object.keys(await ownedOf(token.address))).toHaveLength(40)
  expect(spans[0]).toBeGreaterThan(10)
  expect(spans.filter((blocks) => blocks > 10).length).toBeLessThan(spans.length / 2)
})

it('does not treat blocks as empty that one of several nodes lacks', async () => {
  const token = await deployCollectible(chain)
  await register(token.address, 'ERC721')
  await anIndexer().indexer.run()
  await token.call(0, 'mint', [ann, 1n])
  const node = await startFaultyNode(chain.rpcUrl)
  closers.push(async () => node.close())
  const newest = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
  let behind = true
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs' || !behind) return undefined
    // Like a node that has all blocks but the newest.
    const [{ blockHash, toBlock }] = params as [{ blockHash?: string; toBlock?: string }]
    if (blockHash !== undefined) return { error: { code: -32000, message: 'unknown block' } }
    return Number(toBlock) >= newest ? { result: [] } : undefined
  }
  const { indexer } = anIndexer({}, node.url)
  await indexer.run()
  behind = false
  await indexer.run()
  expect(await ownedOf(token.address)).toEqual({ [`1 ${lower(ann)}`]: '1' })
})

it('continues after a node did not respond, and reports its lag', async () => {
  const token = await deployCollectible(chain)
  await register(token.address, 'ERC721')
  await anIndexer().indexer.run()
  await token.call(0, 'mint', [ann, 1n])
  await token.call(0, 'mint', [ben, 2n])
  const node = await startFaultyNode(chain.rpcUrl)
  closers.push(async () => node.close())
  node.interfere = (method) =>
    method === 'eth_getLogs' || method === 'eth_getBlockReceipts'
      ? { error: { code: -32000, message: 'out of order' } }
      : undefined
  const { indexer, logged, database } = anIndexer({}, node.url)
  await indexer.run()
  expect(await ownedOf(token.address)).toEqual({})
  expect(logged.join('\n')).toMatch(/cannot be read/)
  expect(logged.join('\n')).not.toContain(node.url)
  const [behind] = await listLags(database.system)
  expect(behind).toMatchObject({ chainId: String(chain.chainId), blocks: 2 })

  node.interfere = () => undefined
  await indexer.run()
  expect(Object.keys(await ownedOf(token.address))).toHaveLength(2)
  expect(await listLags(database.system)).toMatchObject([{ blocks: 0 }])
})

it('reads a chain with one of several concurrent processes and counts each transfer once', async () => {
  const token = await deployEdition(chain)
  await register(token.address, 'ERC1155')
  for (let round = 0; round < 10; round += 1) await token.call(0, 'mint', [ann, 1n, 1n])
  const several = [1, 2, 3, 4].map(() => anIndexer({ rangeBlocks: 3, leaseSeconds: 0 }).indexer)
  for (let round = 0; round < 4; round += 1) await Promise.all(several.map((indexer) => indexer.run()))
  expect(await ownedOf(token.address)).toEqual({ [`1 ${lower(ann)}`]: '10' })
  expect((await assets.transfers(project.client, { nftAddress: token.address })).totalRow).toBe(10)
})

it("is not stopped by a contract that writes what no token's transfers are", async () => {
  const token = await deployEdition(chain)
  await register(token.address, 'ERC1155')
  // Each is a uint256, and their sum is more than one.
  const most = 2n ** 256n - 1n
  await token.call(0, 'mint', [ann, 1n, most])
  await token.call(0, 'mint', [ben, 2n, most])
  const { indexer } = anIndexer()
  await indexer.run()
  await gateway.owner.system
    .updateTable('gateway.chain_balances')
    .set({ quantity: `9${'9'.repeat(78)}` })
    .where('nft_address', '=', token.lowerCase)
    .where('owner', '=', lower(ann))
    .execute()
  await token.call(1, 'safeTransferFrom', [ann, cat, 1n, 1n, '0x'])
  await indexer.run()
  const owned = await ownedOf(token.address)
  expect(owned).toMatchObject({ [`2 ${lower(ben)}`]: most.toString(), [`1 ${lower(cat)}`]: '1' })
  expect(owned[`1 ${lower(ann)}`]).toBe('9'.repeat(78))
})

it('refuses an NFT whose id no chain can know', async () => {
  const token = await deployCollectible(chain)
  await register(token.address, 'ERC721')
  for (const nftId of ['one', '01', '-1', '0x1', (2n ** 256n).toString()]) {
    const nft = { nftAddress: token.address, nftId, name: 'No token', owner: ann }
    await expect(nfts.add(project.client, nft)).rejects.toMatchObject({ issues: [{ path: 'nftId' }] })
  }
})
