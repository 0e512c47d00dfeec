import type { Order } from '@mintmark/orders'
import { openChains } from '@mintmark/server-kit'
import { type FaultyNode, faultyNode } from '@mintmark/server-kit/testing'
import { testChain } from '../../../../tools/devchain/testing.ts'
import { createPaymentChains, type PaymentChains } from '../chain/payment-chains.ts'
import type { OrderSettings } from '../order-settings.ts'
import { type TestGateway, testGateway } from './gateway.ts'
import { type OrderDesk, orderDesk, type Seen } from './order-desk.ts'
import { type PaymentBed, preparePayments } from './payment-cases.ts'
import { sampleProject } from './samples/calls.ts'

/** A gateway with two projects that reads payments from a dev chain through a node that can lag. */
export interface PaymentFixture extends PaymentBed {
  readonly gateway: TestGateway
  readonly node: FaultyNode
  /** What the gateway reads payments by. */
  readonly chains: PaymentChains
  /** Mines so many blocks and lets the verifier read every order once. */
  mineAndVerify(blocks?: number): Promise<void>
  close(): Promise<void>
}

export async function paymentFixture(settings: Partial<OrderSettings> = {}): Promise<PaymentFixture> {
  const chain = await testChain()
  const node = await faultyNode(chain.rpcUrl)
  const config = { id: chain.chainId, rpcUrls: [node.url], finality: { depth: 1 } }
  const chains = createPaymentChains(openChains([config]), { warn: () => {} })
  const gateway = await testGateway({ chains, orderSettings: settings })
  const project = await sampleProject(gateway, 'shop')
  const other = await sampleProject(gateway, 'rival')
  const desk = orderDesk(project, { chains, settings })
  return {
    chain,
    node,
    chains,
    gateway,
    project,
    desk,
    other: { project: other, desk: orderDesk(other, { chains, settings }) },
    ...(await preparePayments(chain)),
    async mineAndVerify(blocks = 2) {
      await chain.client.mine({ blocks })
      await desk.verify()
    },
    async close() {
      node.close()
      await gateway.close()
    },
  }
}

const UNFINISHED = ['PRE', 'IN_PROGRESS']

/** Mines and verifies until an order ends, and answers its state. */
export async function settleOrder({ chain, desk }: PaymentBed, order: Order): Promise<Seen> {
  for (let turn = 0; turn < 40; turn += 1) {
    await chain.client.mine({ blocks: 1 })
    await desk.verify()
    const seen = await desk.see(order)
    if (!UNFINISHED.includes(seen.status) && (turn > 0 || seen.status === 'UNRESOLVED')) return seen
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return await desk.see(order)
}

/** A verifier of its own over the same database and chain, as a second process has it. */
export function anotherDesk(
  { project, chains }: PaymentFixture,
  settings: Partial<OrderSettings> = {},
): OrderDesk {
  return orderDesk(project, { chains, settings })
}
