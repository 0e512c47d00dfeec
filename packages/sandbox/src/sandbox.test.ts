import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anvilClient } from '@mintmark/devkit/chain/chain'
import { payments } from '@mintmark/facilitator'
import { createTestDatabase } from '@mintmark/server-kit/testing'
import { createFacilitator } from '@mintmark/transport'
import type { Hash } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { createDemoPayments } from './payments.ts'
import { startSandbox } from './sandbox.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-sandbox-'))
const { url: databaseUrl, drop } = await createTestDatabase()
afterAll(async () => {
  await drop()
  await rm(dataDir, { recursive: true })
})

const ports = { gateway: 0, facilitator: 0, chain: 0 }

it('keeps its keys, its orders and its chain when it is stopped and started again', async () => {
  const first = new AsyncDisposableStack()
  const { credentials } = await startSandbox({ dataDir, ports, databaseUrl }, first)
  const { baseUrl, token } = credentials.facilitator
  const facilitator = createFacilitator({ baseUrl, credentials: { token } })
  const { signPayment, payOrder } = createDemoPayments(credentials, dataDir)
  const payment = await signPayment(credentials.demo.creator)
  const settlement = await payments.settle(facilitator, payment)
  const hash = await payOrder(credentials.demo.orderNo, credentials.demo.creator)
  await first.disposeAsync()
  await expect(fetch(`${baseUrl}/health`)).rejects.toThrow()

  await using second = new AsyncDisposableStack()
  const restarted = await startSandbox({ dataDir, ports, databaseUrl }, second)
  const { gateway, facilitator: account, chain, demo } = restarted.credentials
  expect(gateway).toMatchObject({ apiKey: credentials.gateway.apiKey, secret: credentials.gateway.secret })
  expect(account.token).toBe(token)
  expect(demo).toEqual(credentials.demo)
  const client = anvilClient(chain.rpcUrl)
  const receipt = await client.getTransactionReceipt({ hash: settlement?.transaction as Hash })
  expect(receipt.status).toBe('success')
  const repeated = createDemoPayments(restarted.credentials, dataDir)
  expect(await repeated.payOrder(demo.orderNo, demo.creator)).toBe(hash)
})
