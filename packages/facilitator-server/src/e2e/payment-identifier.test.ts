// Sellers on stock servers declare the extension `payment-identifier`, and stock payers add an identifier.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  generatePaymentId,
  paymentIdentifierResourceServerExtension,
} from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import express from 'express'
import type { LocalAccount } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { hex, signedPermit2Body } from '../engine/testing.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { serveSeller } from './testing-sellers.ts'

const chain = await testChain()
const payer = devAccount(1)
const sellersWallet = hex('0x00000000000000000000000000000000005e11e4')
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const stops: (() => void)[] = []
afterAll(async () => {
  for (const stop of stops) stop()
  await facilitator.close()
})

interface Seller {
  readonly url: string
  /** How often the handler ran. */
  runs: number
}

/** Starts a seller of reports. `required`: payments need an identifier. `prefer`: a header of its calls. */
async function sell(account: TestAccount, { required = false, prefer = '' } = {}): Promise<Seller> {
  const headers = { Authorization: `Bearer ${account.token}`, ...(prefer && { Prefer: prefer }) }
  const client = new HTTPFacilitatorClient({
    url: `${facilitator.url}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const server = new x402ResourceServer(client)
    .register('eip155:84532', new SellerScheme())
    .registerExtension(paymentIdentifierResourceServerExtension)
  const accepts = { scheme: 'exact', price: '$0.01', network: 'eip155:84532', payTo: sellersWallet } as const
  const extensions = { 'payment-identifier': declarePaymentIdentifierExtension(required) }
  const app = express()
  app.use(paymentMiddleware({ '/report': { accepts, extensions } }, server))
  const { url, stop } = await serveSeller(app)
  stops.push(stop)
  const seller = { url: `${url}/report`, runs: 0 }
  app.get('/report', (_, response) => {
    seller.runs += 1
    response.send('the report')
  })
  return seller
}

/** A stock client that adds the identifier, if there is one, to each payment. */
function openClient(identifier: string | undefined, account: LocalAccount = payer) {
  const client = new x402Client().register('eip155:*', new PayerScheme(account))
  client.onBeforePaymentCreation(async ({ paymentRequired }) => {
    if (identifier !== undefined) {
      appendPaymentIdentifierToExtensions(paymentRequired.extensions ?? {}, identifier)
    }
  })
  const http = new x402HTTPClient(client)
  return {
    /** Requests the resource and pays for it. */
    pay: wrapFetchWithPayment(fetch, client),
    /** Signs a payment without sending it. */
    async sign(url: string): Promise<PaymentPayload> {
      const challenge = await fetch(url)
      return http.createPaymentPayload(http.getPaymentRequiredResponse((name) => challenge.headers.get(name)))
    },
  }
}

const send = (url: string, payload: object) =>
  fetch(url, {
    headers: { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') },
  })
const readReason = (response: Response) =>
  decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error
const balanceOf = (address: string) =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [hex(address)],
  })

test('a stock client that repeats a purchase with its identifier pays once, although it signs another payment', async () => {
  const seller = await sell(await facilitator.account())
  const { pay } = openClient(generatePaymentId())
  const before = await balanceOf(sellersWallet)
  const first = await pay(seller.url)
  expect([first.status, await first.text()]).toEqual([200, 'the report'])
  const second = await pay(seller.url)
  expect(second.status).toBe(402)
  expect(readReason(second)).toBe('payment_identifier_conflict')
  // It is refused before the handler works for it.
  expect(seller.runs).toBe(1)
  expect(await balanceOf(sellersWallet)).toBe(before + 10_000n)
  // A new purchase has a new identifier.
  expect((await openClient(generatePaymentId()).pay(seller.url)).status).toBe(200)
  expect(await balanceOf(sellersWallet)).toBe(before + 20_000n)
})

test('a stock seller that asks for successes again delivers the same payment again, for one payment', async () => {
  const account = await facilitator.account()
  const seller = await sell(account, { prefer: 'respond-async, Repeat-Success' })
  const payload = await openClient(generatePaymentId()).sign(seller.url)
  const before = await balanceOf(sellersWallet)
  const receipts = new Set<string | null>()
  for (let presentation = 0; presentation < 3; presentation += 1) {
    const response = await send(seller.url, payload)
    expect([response.status, await response.text()]).toEqual([200, 'the report'])
    receipts.add(response.headers.get('payment-response'))
  }
  expect(receipts.size).toBe(1)
  expect(await balanceOf(sellersWallet)).toBe(before + 10_000n)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  // Without an identifier, a payment is delivered once.
  const plain = await openClient(undefined).sign(seller.url)
  expect((await send(seller.url, plain)).status).toBe(200)
  expect(readReason(await send(seller.url, plain))).toBe('duplicate_settlement')
})

test('both APIs repeat the success of a payment by Permit2 with an identifier to a seller that asks for it', async () => {
  const account = await facilitator.account()
  const approval = await chain.as(1).writeContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'approve',
    args: [permit2Address, 10n ** 12n],
  })
  await chain.client.waitForTransactionReceipt({ hash: approval })
  const extensions = {
    'payment-identifier': { info: { required: false, id: generatePaymentId() }, schema: {} },
  }
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  const terms = { account: payer, to: sellersWallet, value: 10_000n, nonce: '11', validBefore }
  const body = await signedPermit2Body({ ...terms, extensions })
  const prefer = { prefer: 'repeat-success' }
  const first = await facilitator.post('/settle', body, account.token)
  const again = await facilitator.post('/settle', body, account.token, prefer)
  expect([first.status, again.status]).toEqual([200, 200])
  const receipt = first.headers.get('payment-response') ?? ''
  expect(again.headers.get('payment-response')).toBe(receipt)
  const valid = await facilitator.post('/verify', body, account.token, prefer)
  expect(await valid.json()).toMatchObject({ valid: true })
  const below = await facilitator.post('/x402/settle', body, account.token, prefer)
  expect(await below.json()).toEqual(JSON.parse(Buffer.from(receipt, 'base64').toString()))
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(400)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('a seller that requires identifiers is paid with one, and a payment without one is refused before any work', async () => {
  const seller = await sell(await facilitator.account(), { required: true })
  expect((await openClient(generatePaymentId()).pay(seller.url)).status).toBe(200)
  const without = await openClient(undefined).pay(seller.url)
  expect(without.status).toBe(402)
  expect(readReason(without)).toBe('invalid_payload')
  expect(seller.runs).toBe(1)
})
