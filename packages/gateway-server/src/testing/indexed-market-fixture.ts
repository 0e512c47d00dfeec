import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import { createPaymentChains } from '../chain/payment-chains.ts'
import type { Indexer } from '../indexer/indexer.ts'
import { type TestGateway, testGateway } from './gateway.ts'
import { testIndexer } from './indexer-fixture.ts'
import { createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { sampleProject } from './samples/calls.ts'
import type { SampleProject } from './samples/sample.ts'

/** A gateway and an indexer with a chain of their own, and a project that sells tokens of that chain. */
export interface IndexedMarket {
  readonly chain: TestChain
  readonly gateway: TestGateway
  readonly project: SampleProject
  readonly orderFixture: OrderFixture
  readonly indexer: Indexer
  close(): Promise<void>
}

/**
 * @param depth Number of later blocks after which a block is final for the indexer.
 * @param payments Whether orders are paid on the real chain, where payments are final immediately, or on the
 * fake chain.
 */
export async function indexedMarket(depth: number, payments: 'chain' | 'fake'): Promise<IndexedMarket> {
  const chain = await testChain()
  const config = { id: chain.chainId, rpcUrls: [chain.rpcUrl], finality: { depth: 0 } }
  const paid =
    payments === 'chain' ? { chains: createPaymentChains(openChains([config]), { warn: () => {} }) } : {}
  const gateway = await testGateway(paid)
  const project = await sampleProject(gateway, 'shop')
  const { indexer, database } = testIndexer({
    url: gateway.url,
    rpcUrl: chain.rpcUrl,
    chainId: chain.chainId,
    depth,
  })
  return {
    chain,
    gateway,
    project,
    indexer,
    orderFixture: createOrderFixture(project, paid),
    async close() {
      await database.close()
      await gateway.close()
    },
  }
}
