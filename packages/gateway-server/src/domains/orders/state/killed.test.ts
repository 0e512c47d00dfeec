import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { waitForEnd } from '@mintmark/devkit/process-pool'
import { openChains } from '@mintmark/evm-reader'
import type { Order } from '@mintmark/orders'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createPaymentChains } from '../../../chain/payment-chains.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createGatewayPool, type GatewayPool } from '../../../testing/gateway-pool.ts'
import { createOrderFixture } from '../../../testing/order-fixture.ts'
import { type PaymentEnvironment, paymentCases, preparePayments } from '../../../testing/payment-cases.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'

const points = ['claimed', 'observed', 'applied'] as const
/** The nightly tests kill more. */
const KILLS = Number(process.env.KILLS ?? points.length)

vi.setConfig({ testTimeout: 180_000 + 10_000 * KILLS })

let chain: TestChain
let gateway: TestGateway
let fixture: PaymentEnvironment
const stops = new AsyncDisposableStack()
let pool: GatewayPool
beforeAll(async () => {
  chain = await testChain()
  pool = await createGatewayPool({ spare: 1 }, stops)
  const config = { id: chain.chainId, rpcUrls: [chain.rpcUrl], finality: { depth: 1 } }
  const chains = createPaymentChains(openChains([config]), { warn: () => {} })
  gateway = await testGateway({ chains })
  const [project, other] = [await sampleProject(gateway, 'shop'), await sampleProject(gateway, 'rival')]
  const prepared = await preparePayments(chain)
  const orderFixture = createOrderFixture(project, { chains })
  fixture = {
    chain,
    project,
    orderFixture,
    other: { project: other, orderFixture: createOrderFixture(other, { chains }) },
    ...prepared,
  }
})
afterAll(async () => {
  await stops.disposeAsync()
  await gateway?.close()
})

/** Starts a gateway on the test's database. */
function start(at?: (typeof points)[number]) {
  const env = {
    DATABASE_URL: gateway.url,
    SECRET_KEYS: gateway.secretKeys,
    GATEWAY_PORT: '0',
    CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
    FINALITY: '1',
    PAYMENT_UNSEEN_SECONDS: '1',
  }
  return pool.start({ env, end: at && { at, passes: 0 } })
}

it('every order ends correctly, whenever the gateways that check it are killed', async () => {
  const begun: { order: Order; each: (typeof paymentCases)[number] }[] = []
  const inOrder = paymentCases.toSorted((a, b) => Number(b.verifies ?? false) - Number(a.verifies ?? false))
  for (const each of inOrder) begun.push({ order: await each.begin(fixture), each })
  await chain.client.mine({ blocks: 2 })
  // Nothing else is decided yet: the processes below do that.
  for (const { order, each } of begun.filter(({ each }) => !each.verifies)) {
    expect(await fixture.orderFixture.readState(order), each.name).not.toMatchObject({
      status: each.ends.status,
    })
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    expect(await waitForEnd(await start(points[kill % points.length]))).toMatchObject({ signal: 'SIGKILL' })
  }
  await start()
  await start()
  const ends = async () =>
    Object.fromEntries(
      await Promise.all(
        begun.map(
          async ({ order, each }) => [each.name, await fixture.orderFixture.readState(order)] as const,
        ),
      ),
    )
  const expected = Object.fromEntries(
    begun.map(({ each }) => [each.name, expect.objectContaining(each.ends)]),
  )
  await vi.waitFor(async () => expect(await ends()).toEqual(expected), { timeout: 170_000, interval: 500 })

  // Each was sold once, and each payment counts once.
  const sold = begun.filter(({ each }) => each.ends.status === 'SUCCESS').length
  const sales = await gateway.owner.system
    .selectFrom('gateway.sales')
    .select('order_id')
    .where('project_id', '=', fixture.project.projectId)
    .execute()
  expect(sales).toHaveLength(sold)
  for (const { order } of begun) {
    const events = await fixture.orderFixture.events(order)
    expect(new Set(events).size, `${events}`).toBe(events.length)
  }
})
