// x402 version 1: the payer is @x402/fetch with the packages' version 1 scheme, the seller sends the
// challenge of version 1 (terms in the body, X-PAYMENT), and settles by the packages' facilitator client.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { listen } from '@mintmark/server-kit'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Hono } from 'hono'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { devUsdc, hex } from '../engine/testing.ts'
import { settlePrice, testFacilitator } from '../testing.ts'
import { openFacilitatorClient } from './testing-sellers.ts'

const chain = await testChain()
const payer = devAccount(1)
const sellersWallet = hex('0x00000000000000000000000000000000005e11e1')
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const account = await facilitator.account()
const client = openFacilitatorClient(`${facilitator.url}/x402`, account.token)

const requirements = {
  scheme: 'exact',
  network: 'base-sepolia',
  maxAmountRequired: '2500',
  resource: 'https://seller.example/report',
  description: 'A report',
  mimeType: 'text/plain',
  outputSchema: null,
  payTo: sellersWallet,
  maxTimeoutSeconds: 60,
  asset: devUsdc,
  extra: { name: 'USDC', version: '2' },
}
// The packages' facilitator client sends version 1 as it is, though their types know version 2 only.
const asTyped = requirements as object as PaymentRequirements
const app = new Hono()
let paymentHeader: string | undefined
app.get('/report', async (c) => {
  const header = c.req.header('x-payment')
  const paymentRequired = (error: string) => c.json({ x402Version: 1, error, accepts: [requirements] }, 402)
  if (header === undefined) return paymentRequired('X-PAYMENT header is required')
  paymentHeader = header
  const payload = JSON.parse(Buffer.from(header, 'base64').toString())
  const verdict = await client.verify(payload, asTyped)
  if (!verdict.isValid) return paymentRequired(verdict.invalidReason ?? 'invalid')
  const settled = await client.settle(payload, asTyped)
  if (!settled.success) return paymentRequired(settled.errorReason ?? 'failed')
  c.header('X-PAYMENT-RESPONSE', Buffer.from(JSON.stringify(settled)).toString('base64'))
  return c.text('the report')
})
const seller = await listen(app, { port: 0 })
const url = `${seller.url}/report`
afterAll(async () => {
  await seller.close(0)
  await facilitator.close()
})

const paying = (key = payer.privateKey) =>
  wrapFetchWithPayment(
    fetch,
    new x402Client().registerV1('base-sepolia', new ExactEvmSchemeV1(privateKeyToAccount(key))),
  )

test('a version 1 payer gets the resource, pays once, and cannot use the payment twice', async () => {
  const response = await paying()(url)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('the report')
  const settled = decodePaymentResponseHeader(response.headers.get('x-payment-response') ?? '')
  expect(settled).toMatchObject({ success: true, network: 'base-sepolia' })
  const again = await fetch(url, { headers: { 'x-payment': paymentHeader ?? '' } })
  expect(again.status).toBe(402)
  expect(await again.json()).toMatchObject({ error: 'duplicate_settlement' })
  const balance = await chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [sellersWallet],
  })
  expect(balance).toBe(2500n)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect(await facilitator.settlements()).toMatchObject([
    { x402_version: 1, network: 'eip155:84532', wire_network: 'base-sepolia', state: 'settled' },
  ])
})
