import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promoCodeCards } from '@mintmark/cards'
import { accountClient } from '@mintmark/devkit'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { payments } from '@mintmark/facilitator'
import { createFacilitator, createGateway } from '@mintmark/transport'
import type { Hash } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, expect, it } from 'vitest'
import { startSandbox } from './sandbox.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-sandbox-'))
const { url: databaseUrl, drop } = await createTestDatabase()
afterAll(async () => {
  await drop()
  await rm(dataDir, { recursive: true })
})

/** The nightly tests start ten at a time. */
const SANDBOXES = Number(process.env.SANDBOXES ?? 3)

const card = {
  nftAddress: '0x00000000000000000000000000000000000000aa',
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-01-01T00:00:00Z',
  totalIssued: 1,
}

it('startSandbox keeps its keys, its orders, its chain and its clock when it is stopped and started again', async () => {
  const first = await startSandbox({ dataDir, databaseUrl, demo: true })
  const { credentials, accounts } = first
  const payment = await first.signPayment({ payTo: accounts.creator.address })
  const settlement = await payments.settle(first.facilitator, payment)
  await first.clock.advance('2d')
  const movedTo = first.clock.now()
  await first.stop()
  await expect(fetch(`${credentials.facilitator.baseUrl}/health`)).rejects.toThrow()

  await using second = await startSandbox({ dataDir, databaseUrl, demo: true })
  const { gateway, facilitator, demo } = second.credentials
  expect(gateway).toMatchObject({ apiKey: credentials.gateway.apiKey, secret: credentials.gateway.secret })
  expect(facilitator.token).toBe(credentials.facilitator.token)
  expect(demo).toEqual(credentials.demo)
  expect(second.clock.now()).toBeGreaterThanOrEqual(movedTo)
  const chain = accountClient(second.chain.rpcUrl, accounts.buyer)
  const hash = settlement?.transaction as Hash
  expect(await chain.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  await payments.settle(second.facilitator, await second.signPayment({ payTo: accounts.creator.address }))
})

it('startSandbox starts several at a time, which share nothing', async () => {
  await using stops = new AsyncDisposableStack()
  const sandboxes = await Promise.all(
    Array.from({ length: SANDBOXES }, async (_, index) => {
      return { name: `card ${index}`, sandbox: stops.use(await startSandbox()) }
    }),
  )
  await Promise.all(
    sandboxes.map(async ({ name, sandbox }) => {
      await promoCodeCards.create(sandbox.gateway, { ...card, name })
      const payment = await sandbox.signPayment({ payTo: sandbox.accounts.creator.address })
      expect(await payments.settle(sandbox.facilitator, payment)).toMatchObject({ success: true })
    }),
  )
  for (const { name, sandbox } of sandboxes) {
    const { list } = await promoCodeCards.list(sandbox.gateway)
    expect(list.map((each) => each.name)).toEqual([name])
  }
  const [first, second] = sandboxes
  await first?.sandbox.clock.advance('1d')
  expect((first?.sandbox.clock.now() ?? 0) - (second?.sandbox.clock.now() ?? 0)).toBeGreaterThan(86_000_000)
})

it('startSandbox removes its temporary folder when it is disposed of', async () => {
  const sandbox = await startSandbox()
  expect(await readdir(sandbox.dataDir)).toContain('credentials.json')
  await sandbox[Symbol.asyncDispose]()
  await expect(readdir(sandbox.dataDir)).rejects.toThrow('ENOENT')
})

it('startSandbox accepts the clients of a program that has the credentials, whose clock is the system’s', async () => {
  await using sandbox = await startSandbox()
  const { gateway, facilitator, accounts } = sandbox.credentials
  await sandbox.clock.advance('1w')
  expect((await promoCodeCards.list(createGateway(gateway))).totalRow).toBe(0)
  const other = createFacilitator(facilitator)
  expect(privateKeyToAddress(accounts.payer.privateKey).toLowerCase()).toBe(facilitator.payer)
  expect((await payments.supported(other)).paymentKinds).not.toEqual([])
})
