// Verify over HTTP: it refuses what the settlement would refuse, and deploys no wallet that the operator has
// not allowed.

import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { parseEther, serializeErc6492Signature } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { randomKey } from '../chains/evm/testing.ts'
import { hex, signedBody } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { deployFactory, planWallet, walletCode } from '../schemes/agreement/testing-payers.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'

const chain = await testChain()
const relayer = chain.as(9)
const payer = devAccount(1)
const token = { address: chain.token, abi: devUsdcAbi } as const
const signerKey = hex(randomKey())
await chain.client.setBalance({ address: privateKeyToAddress(signerKey), value: parseEther('10') })
const factory = await deployFactory(chain)
const facilitator = await testFacilitator({
  chain,
  signerKeys: [signerKey],
  env: { WALLET_FACTORIES: `84532=${factory}` },
})

afterEach(async () => expect((await checkLedger(facilitator.db)).problems).toEqual([]))
afterAll(() => facilitator.close())

const verify = async (body: object, { token: key }: TestAccount) =>
  (await facilitator.post('/x402/verify', body, key)).json()

test('refuses payments while the token is paused, at no cost, and accepts the same ones afterwards', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const refusal = 'invalid_exact_evm_transaction_simulation_failed'
  await chain.confirm(relayer.writeContract({ ...token, functionName: 'pause' }))
  expect(await verify(body, account)).toMatchObject({
    isValid: false,
    invalidReason: refusal,
    invalidMessage: 'The transfer would fail: Pausable: paused',
  })
  const refused = await facilitator.post('/settle', body, account.token)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: refusal })
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
  await chain.confirm(relayer.writeContract({ ...token, functionName: 'unpause' }))
  expect(await verify(body, account)).toMatchObject({ isValid: true })
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
})

test('verifies and settles for a wallet that does not exist yet, for one price', async () => {
  const account = await facilitator.account()
  const salt = hex(randomBytes(32).toString('hex'))
  const wallet = planWallet(factory, walletCode(payer.address), salt)
  const args = [wallet.address, 1_000_000n] as const
  await chain.confirm(relayer.writeContract({ ...token, functionName: 'mint', args }))
  const body = await signedBody({ account: payer, from: wallet.address })
  const { payload } = body.paymentPayload
  payload.signature = serializeErc6492Signature({
    address: factory,
    data: wallet.data,
    signature: hex(String(payload.signature)),
  })
  expect(await verify(body, account)).toMatchObject({ isValid: true, payer: wallet.address.toLowerCase() })
  const settled = await facilitator.post('/x402/settle', body, account.token)
  expect(await settled.json()).toMatchObject({ success: true })
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect(await chain.client.getCode({ address: wallet.address })).toBeDefined()
})
