import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import type { Order } from '@mintmark/orders'
import { openChains } from '@mintmark/server-kit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createPaymentChains } from '../../../chain/payment-chains.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture } from '../../../testing/order-fixture.ts'
import { type PaymentEnvironment, paymentCases, preparePayments } from '../../../testing/payment-cases.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'

const points = ['claimed', 'observed', 'applied'] as const
/** The release suite sets more. */
const KILLS = Number(process.env.KILLS ?? points.length)

vi.setConfig({ testTimeout: 180_000 + 10_000 * KILLS })

let chain: TestChain
let gateway: TestGateway
let fixture: PaymentEnvironment
const children: ChildProcess[] = []
beforeAll(async () => {
  chain = await testChain()
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
  for (const child of children) child.kill('SIGKILL')
  await gateway?.close()
})

/** Starts a gateway on the test's database; it ends by itself where a point is named. */
function start(fault: string): ChildProcess {
  const script = fileURLToPath(new URL('../../../testing/killed-gateway.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', script], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      FAULT: fault,
      DATABASE_URL: gateway.url,
      SECRET_KEYS: gateway.secretKeys,
      GATEWAY_PORT: '0',
      CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
      FINALITY: '1',
      PAYMENT_UNSEEN_SECONDS: '1',
      ORDER_LOOK_EVERY_MS: '50',
      ORDER_LEASE_SECONDS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
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
    const [, signal] = await once(start(points[kill % points.length] ?? ''), 'exit')
    expect(signal).toBe('SIGKILL')
  }
  start('')
  start('')
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
    .select('id')
    .where('project_id', '=', fixture.project.projectId)
    .execute()
  expect(sales).toHaveLength(sold)
  for (const { order } of begun) {
    const events = await fixture.orderFixture.events(order)
    expect(new Set(events).size, `${events}`).toBe(events.length)
  }
})
