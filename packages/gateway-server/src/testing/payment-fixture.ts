import { testChain } from '@mintmark/devkit/chain/testing'
import { type FaultyNode, startFaultyNode } from '@mintmark/devkit/testing'
import { type Chains, openChains } from '@mintmark/evm-reader'
import type { Order } from '@mintmark/orders'
import { createPaymentChains, type PaymentChains } from '../chain/payment-chains.ts'
import type { OrderSettings } from '../domains/inventory/order-settings.ts'
import { type TestGateway, testGateway } from './gateway.ts'
import { createOrderFixture, type OrderFixture, type OrderSnapshot } from './order-fixture.ts'
import { type PaymentEnvironment, preparePayments } from './payment-cases.ts'
import { sampleProject } from './samples/calls.ts'

/** A gateway with two projects that reads payments from a dev chain through a node that can lag. */
export interface PaymentFixture extends PaymentEnvironment {
  readonly gateway: TestGateway
  readonly node: FaultyNode
  /** The chains that the gateway reads. */
  readonly chains: PaymentChains
  /** The same chains, as the health of the server reads them. */
  readonly openedChains: Chains
  /** Mines blocks and runs the verifier once. */
  mineAndVerify(blocks?: number): Promise<void>
  close(): Promise<void>
}

export async function paymentFixture(settings: Partial<OrderSettings> = {}): Promise<PaymentFixture> {
  const chain = await testChain()
  const node = await startFaultyNode(chain.rpcUrl)
  const config = { id: chain.chainId, rpcUrls: [node.url], finality: { depth: 1 } }
  const openedChains = openChains([config])
  const chains = createPaymentChains(openedChains, { warn: () => {} })
  const gateway = await testGateway({ chains, orderSettings: settings })
  const project = await sampleProject(gateway, 'shop')
  const other = await sampleProject(gateway, 'rival')
  const orderFixture = createOrderFixture(project, { chains, settings })
  return {
    chain,
    node,
    chains,
    openedChains,
    gateway,
    project,
    orderFixture,
    other: { project: other, orderFixture: createOrderFixture(other, { chains, settings }) },
    ...(await preparePayments(chain)),
    async mineAndVerify(blocks = 2) {
      await chain.client.mine({ blocks })
      await orderFixture.verify()
    },
    async close() {
      node.close()
      await gateway.close()
    },
  }
}

const UNFINISHED = ['PRE', 'IN_PROGRESS']

/** Mines and verifies until an order is finished. Returns its state. */
export async function verifyUntilFinished(
  { chain, orderFixture }: PaymentEnvironment,
  order: Order,
): Promise<OrderSnapshot> {
  for (let turn = 0; turn < 40; turn += 1) {
    await chain.client.mine({ blocks: 1 })
    await orderFixture.verify()
    const seen = await orderFixture.readState(order)
    if (!UNFINISHED.includes(seen.status) && (turn > 0 || seen.status === 'UNRESOLVED')) return seen
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return await orderFixture.readState(order)
}

/** Creates a second verifier for the same database and chain, like that of another process. */
export function createSecondOrderFixture(
  { project, chains }: PaymentFixture,
  settings: Partial<OrderSettings> = {},
): OrderFixture {
  return createOrderFixture(project, { chains, settings })
}
