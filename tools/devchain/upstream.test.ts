import { x402Client } from '@x402/core/client'
import { HTTPFacilitatorClient } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { devAccount } from './accounts.ts'
import { devUsdcAbi } from './artifacts/abi.ts'
import { testChain } from './testing.ts'
import { startReferenceFacilitator } from './upstream.ts'

const chain = await testChain()
const upstream = await startReferenceFacilitator({
  rpcUrl: chain.rpcUrl,
  privateKey: devAccount(9).privateKey,
})
afterAll(() => upstream.stop())
const facilitator = new HTTPFacilitatorClient({ url: upstream.url })

const payer = devAccount(1)
const payee: Address = '0x00000000000000000000000000000000000000e1'
const requirements: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:84532',
  asset: chain.token,
  amount: '2500',
  payTo: payee,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
}
const requirementsV1 = {
  scheme: 'exact',
  network: 'base-sepolia',
  maxAmountRequired: '2500',
  resource: 'https://example.com/weather',
  description: 'The weather',
  mimeType: 'application/json',
  payTo: payee,
  maxTimeoutSeconds: 300,
  asset: chain.token,
  extra: { name: 'USDC', version: '2' },
}

/** What a stock x402 client sends after a 402 response. */
function payment(signer = payer, terms = requirements): Promise<PaymentPayload> {
  return registerExactEvmScheme(new x402Client(), { signer }).createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://example.com/weather' },
    accepts: [terms],
  })
}

const received = () =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [payee],
  })

async function post(path: string, body: unknown) {
  const response = await fetch(`${upstream.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

test('supported lists the exact scheme in both versions, and the signer', async () => {
  expect(await facilitator.getSupported()).toEqual({
    kinds: [
      { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    ],
    extensions: [],
    signers: { 'eip155:*': [devAccount(9).address] },
  })
})

test("a stock client's payment verifies, settles on the chain, and settles once", async () => {
  const payload = await payment()
  expect(await facilitator.verify(payload, requirements)).toEqual({ isValid: true, payer: payer.address })

  const before = await received()
  const settled = await facilitator.settle(payload, requirements)
  expect(settled).toMatchObject({ success: true, payer: payer.address, network: 'eip155:84532' })
  expect(await received()).toBe(before + 2500n)
  // The package's own type says text; a success carries a transaction's hash.
  const receipt = await chain.client.getTransactionReceipt({ hash: settled.transaction as Hex })
  expect(receipt.status).toBe('success')

  expect(await facilitator.settle(payload, requirements)).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_nonce_already_used',
    transaction: '',
  })
  expect(await facilitator.verify(payload, requirements)).toMatchObject({ isValid: false })
  expect(await received()).toBe(before + 2500n)
})

test('a payment of version 1 verifies and settles', async () => {
  // Version 1 lives on in the packages under the types of version 2.
  const terms = requirementsV1 as unknown as PaymentRequirements
  const signed = await new ExactEvmSchemeV1(payer).createPaymentPayload(1, terms)
  const payload = signed as unknown as PaymentPayload
  expect(await facilitator.verify(payload, terms)).toMatchObject({ isValid: true })
  const before = await received()
  expect(await facilitator.settle(payload, terms)).toMatchObject({ success: true, network: 'base-sepolia' })
  expect(await received()).toBe(before + 2500n)
})

test('twenty concurrent settles all succeed', async () => {
  const before = await received()
  const payloads = await Promise.all(Array.from({ length: 20 }, () => payment()))
  const outcomes = await Promise.all(payloads.map((payload) => facilitator.settle(payload, requirements)))
  expect(outcomes.filter((outcome) => outcome.success)).toHaveLength(20)
  expect(new Set(outcomes.map((outcome) => outcome.transaction)).size).toBe(20)
  expect(await received()).toBe(before + 20n * 2500n)
})

test('one payment settled twice concurrently moves the money once', async () => {
  const before = await received()
  const payload = await payment()
  const outcomes = await Promise.all([
    facilitator.settle(payload, requirements),
    facilitator.settle(payload, requirements),
  ])
  expect(outcomes.map((outcome) => outcome.success).sort()).toEqual([false, true])
  expect(await received()).toBe(before + 2500n)
})

test("the classes' own reasons come through with status 200", async () => {
  const payload = await payment()
  const request = (changes: Partial<PaymentRequirements>) => ({
    paymentPayload: payload,
    paymentRequirements: { ...requirements, ...changes },
  })
  expect(await post('/verify', request({ payTo: payer.address }))).toMatchObject({
    status: 200,
    body: { isValid: false, invalidReason: 'invalid_exact_evm_recipient_mismatch', payer: payer.address },
  })
  expect(await post('/settle', request({ amount: '2501' }))).toMatchObject({
    status: 200,
    body: {
      success: false,
      errorReason: 'invalid_exact_evm_payload_authorization_value_mismatch',
      transaction: '',
    },
  })
})

test('a payer without money is reported as having an insufficient balance', async () => {
  const payload = await payment({ ...payer, ...privateKeyToAccount(`0x${'7'.repeat(64)}`) })
  expect(await facilitator.verify(payload, requirements)).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_exact_evm_insufficient_balance',
  })
})

test('a settle of version 1 that cannot succeed has a reason in a word, not a dump of the call', async () => {
  const terms = requirementsV1 as unknown as PaymentRequirements
  const signed = await new ExactEvmSchemeV1(payer).createPaymentPayload(1, terms)
  const payload = signed as unknown as PaymentPayload
  expect(await facilitator.settle(payload, terms)).toMatchObject({ success: true })
  expect(await facilitator.settle(payload, terms)).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_nonce_already_used',
    transaction: '',
  })
})

test('a request that the classes cannot take is refused with 400 and a reason', async () => {
  const payload = await payment()
  const valid = { x402Version: 2, paymentPayload: payload, paymentRequirements: requirements }
  const unusable: [reason: string, body: unknown][] = [
    ['invalid_payload', 'no JSON'],
    ['invalid_payload', null],
    ['invalid_payload', []],
    ['invalid_payload', { ...valid, paymentPayload: null }],
    ['invalid_payload', { ...valid, paymentPayload: { ...payload, payload: null } }],
    ['invalid_payload', { ...valid, paymentPayload: { ...payload, payload: { signature: '0x' } } }],
    ['invalid_payment_requirements', { ...valid, paymentRequirements: undefined }],
    ['invalid_payment_requirements', { ...valid, paymentRequirements: { ...requirements, amount: '1e3' } }],
    ['invalid_payment_requirements', { ...valid, paymentRequirements: { ...requirements, asset: '0x1' } }],
    ['invalid_x402_version', { ...valid, x402Version: 1 }],
    ['invalid_x402_version', { ...valid, x402Version: 3, paymentPayload: { ...payload, x402Version: 3 } }],
    ['unsupported_scheme', { ...valid, paymentRequirements: { ...requirements, scheme: 'upto' } }],
    ['invalid_network', { ...valid, paymentRequirements: { ...requirements, network: 'eip155:1' } }],
  ]
  for (const [reason, body] of unusable) {
    expect(await post('/verify', body)).toMatchObject({
      status: 400,
      body: { isValid: false, invalidReason: reason, invalidMessage: expect.any(String) },
    })
    expect(await post('/settle', body)).toMatchObject({
      status: 400,
      body: { success: false, errorReason: reason, errorMessage: expect.any(String), transaction: '' },
    })
  }
})

test('it does not start on a taken port', async () => {
  const port = Number(new URL(upstream.url).port)
  const second = startReferenceFacilitator({
    rpcUrl: chain.rpcUrl,
    port,
    privateKey: devAccount(8).privateKey,
  })
  await expect(second).rejects.toThrow('EADDRINUSE')
})
