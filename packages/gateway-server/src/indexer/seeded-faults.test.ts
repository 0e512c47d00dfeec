import { assets, contracts } from '@mintmark/contracts'
import { markForkPoint } from '@mintmark/devkit/chain/reorganize'
import { testChain } from '@mintmark/devkit/chain/testing'
import { randomFrom } from '@mintmark/devkit/random'
import { createFaults, readFaultSeeds, startFaultyNode } from '@mintmark/devkit/testing'
import { afterAll, expect, it } from 'vitest'
import { testGateway } from '../testing/gateway.ts'
import { deployCollectible, deployEdition, testIndexer } from '../testing/indexer-fixture.ts'
import { sampleProject } from '../testing/samples/calls.ts'
import { TokenTraffic } from '../testing/token-traffic.ts'
import { listLags } from './blocks/cursor-store.ts'

const ROUNDS = 8
/** Half of all requests meet a lagging node. */
const FAULT_RATES = {
  lag: 0.5,
  delay: 0.05,
  dropRequest: 0.01,
  dropResponse: 0.01,
  truncate: 0.01,
  rateLimit: 0.005,
  rateLimitError: 0.005,
  capRange: 0.1,
}

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const gateway = await testGateway()
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
  await gateway.close()
  node.close()
})

// FAULT_SEEDS=1-50 runs other seeds.
it.each(readFaultSeeds([3]))(
  'the owners are those of the chain after lagging nodes, lost responses and a reorganization, seed %i',
  async (seed) => {
    const random = randomFrom(seed)
    const project = await sampleProject(gateway, `faults-${seed}`)
    const [token, edition] = [await deployCollectible(chain), await deployEdition(chain)]
    const chainId = String(chain.chainId)
    for (const [{ address: nftAddress }, nftType] of [
      [token, 'ERC721'],
      [edition, 'ERC1155'],
    ] as const) {
      await contracts.add(project.client, { nftAddress, nftType, chainId, name: 'T', index: true })
    }
    const traffic = new TokenTraffic(chain, { token: token.address, edition: edition.address }, random)
    await traffic.mint()
    await traffic.mined()
    const settings = { rangeBlocks: 16, keptBlocks: 64 }
    const source = { url: gateway.url, rpcUrl: node.url, chainId: chain.chainId, depth: 12 }
    const { indexer, database, logged } = testIndexer(source, settings)
    closers.push(() => database.close())

    node.faults = createFaults({ seed, rates: FAULT_RATES, lags: [1, 2, 5, 9], rangeCap: 6 })
    for (let round = 0; round < ROUNDS; round += 1) {
      const fork = await markForkPoint(chain.client)
      const before = traffic.state()
      for (let block = 1 + random.integer(7); block > 0; block -= 1) await traffic.block()
      await traffic.mined()
      await indexer.run()
      if (random.chance(0.3)) {
        await fork.replaceBlocks(1 + random.integer(10))
        traffic.restore(before)
      }
    }
    node.faults = undefined
    await chain.client.mine({ blocks: 20 })
    await indexer.run()

    expect(await listLags(database.system)).toMatchObject([{ blocks: 0 }])
    const owned = new Map<string, string>()
    for await (const each of assets.list.items(project.client, { pageSize: 100 })) {
      owned.set(`${each.nftAddress} ${each.nftId} ${each.owner}`, each.quantity)
    }
    expect(owned).toEqual(await traffic.owned())
    expect(logged.filter((line) => line.includes('"level":50'))).toEqual([])
  },
)
