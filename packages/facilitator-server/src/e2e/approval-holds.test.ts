// What the account pays when a sponsored approval is not executed: nothing. The ledger stays balanced.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { serializeErc6492Signature } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hex, seller } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { deployContract } from '../schemes/agreement/testing-payers.ts'
import {
  approvalExtension,
  createWallet,
  MAX_FEE,
  STOCK_GAS,
  signApproval,
  sponsoredBody,
} from '../schemes/evm/shared/permit2/approvals/testing-approvals.ts'
import { startFacilitator } from '../server.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { callsOf } from './testing-channels.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const asset = await deployContract(chain, hex(plainToken.bytecode))
const COST = STOCK_GAS * MAX_FEE
const facilitator = await testFacilitator({
  chain: { rpcUrl: node.url, treasury: chain.treasury },
  signerKeys: [devAccount(9).privateKey],
  env: { ALLOWED_ASSETS: `84532=${asset}`, APPROVAL_GRANT_WEI: `${COST}` },
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

let account: TestAccount
let wallet: PrivateKeyAccount
beforeEach(async () => {
  account = await facilitator.account()
  wallet = await createWallet(chain, asset)
})
afterEach(async () => {
  node.interfere = () => undefined
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})

async function signPayment(nonce = 0) {
  const raw = await signApproval(wallet, asset, { nonce })
  return { raw, body: await sponsoredBody(wallet, asset, approvalExtension(wallet.address, asset, raw)) }
}
const settle = async (body: object) =>
  (await facilitator.post('/x402/settle', body, account.token)).json() as Promise<object>
const readState = async () => {
  const settlements = await facilitator.settlements()
  const { state, hold } = settlements.findLast(({ account_id }) => account_id === account.id) ?? {}
  return { state, hold, paid: 100n * settlePrice - (await facilitator.available(account)) }
}
const countGrants = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from facilitator.approval_grants where account_id = ${account.id}`.execute(
    facilitator.db,
  )
  return rows[0]?.count
}
const waitForGas = () =>
  vi.waitFor(async () => {
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(COST)
  }, 20_000)

it('returns the price when the payer spends the gas for something else', async () => {
  const { raw, body } = await signPayment()
  node.interfere = (method, params) =>
    method === 'eth_sendRawTransaction' && JSON.stringify(params).includes(raw)
      ? { error: { code: -32000, message: 'insufficient funds for gas * price + value' } }
      : undefined
  const response = settle(body)
  await waitForGas()
  const value = COST - 21_000n * MAX_FEE
  const drain = { account: wallet, chain: null, to: hex(seller), gas: 21_000n, maxFeePerGas: MAX_FEE, value }
  await chain.confirm(chain.client.sendTransaction(drain))
  node.interfere = () => undefined
  expect(await response).toMatchObject({
    success: false,
    errorReason: 'erc20_approval_tx_failed',
    transaction: '',
  })
  expect(await readState()).toEqual({ state: 'not_sent', hold: 'released', paid: 0n })

  await chain.client.setBalance({ address: wallet.address, value: 0n })
  expect(await settle((await signPayment(1)).body)).toMatchObject({
    errorReason: 'permit2_allowance_required',
  })
  expect(await countGrants()).toBe(1)
  expect((await readState()).paid).toBe(0n)
})

it('returns the price when the gas is not mined in time, and the same payment settles later without more gas', async () => {
  const { body } = await signPayment()
  await chain.client.setAutomine(false)
  await settleWithShortTimeout(body)
  expect(await readState()).toEqual({ state: 'not_sent', hold: 'released', paid: 0n })
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  await waitForGas()
  expect(await settle(body)).toMatchObject({ success: true })
  expect(await readState()).toEqual({ state: 'settled', hold: 'captured', paid: settlePrice })
  expect(await countGrants()).toBe(1)
})

/**
 * Settles with a facilitator that has a short timeout. On a busy machine the settle may end before the gas is
 * given. Then it is repeated.
 */
async function settleWithShortTimeout(body: object): Promise<void> {
  const env = { ...facilitator.env, UPSTREAM_TIMEOUT_MS: '3000' }
  const other = await startFacilitator(readEnvironment(env), createLog('facilitator', 'silent'), {
    configuration: testConfiguration,
  })
  try {
    do {
      expect(await callsOf(facilitator, account, other.url).settle(body)).toMatchObject({
        success: false,
      })
    } while ((await countGrants()) === 0)
  } finally {
    await other.close()
  }
}

it.each([
  ['can', () => undefined],
  [
    'cannot',
    (method: string) =>
      method === 'eth_simulateV1' ? { error: { code: -32601, message: 'method not found' } } : undefined,
  ],
] as const)(
  'refuses at verify and settle a wrapped signature that is not the payer’s, and gives nothing, where nodes %s execute two transactions at once',
  async (_, interfere) => {
    node.interfere = interfere
    const { body } = await signPayment()
    const { payload } = body.paymentPayload
    const deployment = { address: hex(asset), data: '0x' } as const
    payload.signature = serializeErc6492Signature({ ...deployment, signature: `0x${'11'.repeat(65)}` })
    const verified = await facilitator.post('/x402/verify', body, account.token)
    expect(await verified.json()).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_permit2_signature',
    })
    expect(await settle(body)).toMatchObject({ success: false, errorReason: 'invalid_permit2_signature' })
    expect(await facilitator.settlements()).not.toContainEqual(
      expect.objectContaining({ account_id: account.id }),
    )
    expect(await countGrants()).toBe(0)
  },
)
