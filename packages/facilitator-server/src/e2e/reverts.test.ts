// Transactions that revert, and payments that somebody else submits first.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, hostileWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import hostileWallet from '@mintmark/devkit/chain/artifacts/HostileWallet.json' with { type: 'json' }
import silentToken from '@mintmark/devkit/chain/artifacts/SilentToken.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { encodeFunctionData, type Hex, keccak256, numberToHex, pad, parseEther, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { randomKey } from '../chains/evm/testing.ts'
import { hex, signedBody } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { toTransferArguments } from '../engine/testing-execution.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, type TestAccount, type TestFacilitator, testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const payer = devAccount(1)
const relayer = chain.as(8)
const token = { address: chain.token, abi: devUsdcAbi } as const
type Body = Awaited<ReturnType<typeof signedBody>>

const signerKey = hex(randomKey())
const signer = privateKeyToAddress(signerKey)
await chain.client.setBalance({ address: signer, value: parseEther('10') })
const facilitator = await testFacilitator({ chain: { ...chain, rpcUrl: node.url }, signerKeys: [signerKey] })
const hastyKey = hex(randomKey())
await chain.client.setBalance({ address: privateKeyToAddress(hastyKey), value: parseEther('10') })
const hasty = await testFacilitator({
  chain,
  signerKeys: [hastyKey],
  env: { UPSTREAM_TIMEOUT_MS: '1000', CHARGE_ON: 'upstream-2xx' },
})

afterEach(async () => {
  node.catchUp()
  node.lags = () => true
  node.interfere = () => undefined
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  for (const { db } of [facilitator, hasty]) expect((await checkLedger(db)).problems).toEqual([])
})
afterAll(async () => {
  await facilitator.close()
  await hasty.close()
  node.close()
})

const settle = (body: object, account: TestAccount, on = facilitator) =>
  on.post('/settle', body, account.token)
const settlementsOf = async ({ id }: TestAccount, on = facilitator) =>
  (await on.settlements()).filter(({ account_id }) => account_id === id)

async function mined(sent: Promise<Hex>): Promise<Hex> {
  const hash = await sent
  const { status } = await chain.client.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
  return hash
}
/** Waits until the node's pool holds this many transactions. */
async function pooled(count: number): Promise<void> {
  while ((await chain.client.getTxpoolStatus()).pending < count)
    await new Promise((resolve) => setTimeout(resolve, 10))
}
/** More than any settlement offers, so that it is mined first. */
const first = { maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n, gas: 300_000n }

/** Submits the payment as somebody else. */
function submit(body: Body): Promise<Hex> {
  return relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: toTransferArguments(body),
    ...first,
  })
}

/** Repeats the settle, with expired leases, until its outcome is known. */
async function settleUntilKnown(body: object, account: TestAccount, on = facilitator): Promise<Response> {
  for (;;) {
    const response = await settle(body, account, on)
    if (response.status !== 503) return response
    await letTimePass(on.db)
  }
}

/** Waits until the server's own reconciliation has ended all settlements of an account. */
async function ended(account: TestAccount, on: TestFacilitator) {
  for (;;) {
    const settlements = await settlementsOf(account, on)
    if (settlements.every(({ state }) => state !== 'unknown' && state !== 'sent')) return settlements
    await letTimePass(on.db)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function deployWallet(): Promise<Hex> {
  const hash = await relayer.deployContract({
    abi: hostileWalletAbi,
    bytecode: hostileWallet.bytecode as Hex,
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The wallet was not deployed')
  await mined(relayer.writeContract({ ...token, functionName: 'mint', args: [contractAddress, 10_000_000n] }))
  return contractAddress
}
const configure = (wallet: Hex, approving: boolean, burnedGas = 0n) =>
  relayer.writeContract({
    address: wallet,
    abi: hostileWalletAbi,
    functionName: 'configure',
    args: [approving, burnedGas],
    ...first,
  })
const times = <T>(count: number, each: () => Promise<T>) => Promise.all(Array.from({ length: count }, each))

test('a contract wallet that behaves differently when it is mined is refused before anything is sent when it only looks at the gas price: ten settles cost the signer nothing', async () => {
  const account = await facilitator.account()
  const wallet = await deployWallet()
  const before = await chain.client.getBalance({ address: signer })
  const responses = await times(10, async () =>
    settle(await signedBody({ account: payer, from: wallet }), account),
  )
  expect(await chain.client.getBalance({ address: signer })).toBe(before)
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(400))
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
})

test('a contract wallet that behaves differently when it is mined charges every reverted transaction: ten settles are charged ten times', async () => {
  const account = await facilitator.account()
  const wallet = await deployWallet()
  await mined(configure(wallet, true))
  await chain.client.setAutomine(false)
  const bodies = await times(10, () => signedBody({ account: payer, from: wallet }))
  const settling = bodies.map((body) => settle(body, account))
  await pooled(10)
  await configure(wallet, false)
  await pooled(11)
  await chain.client.mine({ blocks: 2 })
  for (const response of await Promise.all(settling)) {
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      error: 'SettlementPending',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  }
  expect(await facilitator.available(account)).toBe(90n * settlePrice)
  await chain.client.mine({ blocks: 4 })
  for (const settlement of await ended(account, facilitator)) {
    expect(settlement).toMatchObject({
      state: 'failed',
      hold: 'captured',
      reason: 'invalid_exact_evm_transaction_failed',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  }
  expect(await facilitator.available(account)).toBe(90n * settlePrice)
  const repeat = await settle(bodies[0] ?? {}, account)
  expect(repeat.status).toBe(400)
  expect(await repeat.json()).toMatchObject({ error: 'invalid_exact_evm_transaction_failed' })
})

test('a contract wallet that behaves differently when it is mined is refused when its signature check burns more gas than a contract may', async () => {
  const account = await facilitator.account()
  const wallet = await deployWallet()
  await mined(configure(wallet, true, 350_000n))
  const refused = await settle(await signedBody({ account: payer, from: wallet }), account)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: 'invalid_exact_evm_transaction_simulation_failed',
    message: expect.stringContaining('above the cap of 300000'),
  })
  await mined(configure(wallet, true, 50_000n))
  expect((await settle(await signedBody({ account: payer, from: wallet }), account)).status).toBe(200)
})

test('a transaction that reverts after the settle timed out ends the settlement as failed and charged once its block is final', async () => {
  const account = await hasty.account()
  const wallet = await deployWallet()
  await mined(configure(wallet, true))
  await chain.client.setAutomine(false)
  const body = await signedBody({ account: payer, from: wallet })
  const response = await settle(body, account, hasty)
  expect(response.status).toBe(503)
  expect(await settlementsOf(account, hasty)).toMatchObject([
    { state: 'unknown', reason: 'upstream_timeout' },
  ])
  await configure(wallet, false)
  await pooled(2)
  await chain.client.mine({ blocks: 1 })
  // A reorganization could still let it succeed.
  await letTimePass(hasty.db)
  expect((await settle(body, account, hasty)).status).toBe(503)
  await chain.client.mine({ blocks: 4 })
  expect(await ended(account, hasty)).toMatchObject([
    {
      state: 'failed',
      hold: 'captured',
      reason: 'invalid_exact_evm_transaction_failed',
      upstream_responded: true,
    },
  ])
  expect(await hasty.available(account)).toBe(99n * settlePrice)
})

test('settles and charges once a reverted transaction that succeeds after a reorganization', async () => {
  const account = await facilitator.account()
  const wallet = await deployWallet()
  await mined(configure(wallet, true))
  const snapshot = await chain.client.snapshot()
  await chain.client.setAutomine(false)
  const body = await signedBody({ account: payer, from: wallet })
  const settling = settle(body, account)
  await pooled(1)
  await configure(wallet, false)
  await pooled(2)
  await chain.client.mine({ blocks: 1 })
  expect((await settling).status).toBe(503)
  // Reconciliation sees the reverted receipt, whose block is not final.
  await letTimePass(facilitator.db)
  expect((await settle(body, account)).status).toBe(503)
  expect(await settlementsOf(account)).toMatchObject([{ state: 'unknown', hold: 'held' }])
  await chain.client.revert({ id: snapshot })
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 2 })
  const response = await settleUntilKnown(body, account)
  expect(response.status).toBe(200)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

describe('a payment that somebody else submits first', () => {
  const implementation: Hex = `0x${'7e'.repeat(20)}`
  const slot = (name: string) => keccak256(toHex(`SilentToken.${name}`))
  /** Puts a proxy in the token's place that gives no reason for a revert. */
  async function silence(customError: boolean): Promise<() => Promise<void>> {
    const code = await chain.client.getCode({ address: chain.token })
    if (code === undefined) throw new Error('The token has no code')
    await chain.client.setCode({ address: implementation, bytecode: code })
    const store = (name: string, value: Hex) =>
      chain.client.setStorageAt({ address: chain.token, index: slot(name), value: pad(value) })
    await store('implementation', implementation)
    await store('customError', numberToHex(customError ? 1 : 0))
    await chain.client.setCode({ address: chain.token, bytecode: silentToken.deployedBytecode as Hex })
    return () => chain.client.setCode({ address: chain.token, bytecode: code })
  }
  const transferSelector = encodeFunctionData({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [signer, signer, 0n, 0n, 0n, pad('0x'), 27, pad('0x'), pad('0x')],
  }).slice(2, 10)

  test.each([
    ['without data', false],
    ['with a custom error', true],
  ])(
    'a payment that somebody else submits first between verify and simulation is settled and charged by its logs, though the token reverts %s',
    async (_, customError) => {
      const account = await facilitator.account()
      const body = await signedBody({ account: payer })
      const restore = await silence(customError)
      // Verify reads from a node that has not seen the other transaction.
      await node.lag()
      node.lags = (method, params) =>
        method === 'eth_call' && !JSON.stringify(params).includes(transferSelector)
      const hash = await mined(submit(body))
      const early = await settle(body, account)
      expect([early.status, await early.json()]).toEqual([503, { error: 'SettlementPending' }])
      expect(await settlementsOf(account)).toMatchObject([{ state: 'unknown', hold: 'held' }])
      node.catchUp()
      const response = await settleUntilKnown(body, account)
      expect(response.status).toBe(200)
      expect(await settlementsOf(account)).toMatchObject([{ state: 'settled', transaction: hash }])
      expect(await facilitator.available(account)).toBe(99n * settlePrice)
      await restore()
    },
  )

  test.each([
    ['without data', false],
    ['with a custom error', true],
  ])(
    'a payment that somebody else submits first between signing and mining is settled and charged by its logs, though the token reverts %s',
    async (_, customError) => {
      const account = await facilitator.account()
      const body = await signedBody({ account: payer })
      const restore = await silence(customError)
      await chain.client.setAutomine(false)
      const settling = settle(body, account)
      await pooled(1)
      const hash = await submit(body)
      await pooled(2)
      await chain.client.mine({ blocks: 1 })
      expect((await settling).status).toBe(503)
      const response = await settleUntilKnown(body, account)
      expect(response.status).toBe(200)
      const header = Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString()
      expect(JSON.parse(header)).toMatchObject({ success: true, transaction: hash })
      expect(await facilitator.available(account)).toBe(99n * settlePrice)
      await restore()
    },
  )
})
