// Sellers and payers as the npm packages of x402 make them, with nothing of ours but the facilitator's
// address and a key.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { listen } from '@mintmark/server-kit'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { paymentMiddleware as expressPayments } from '@x402/express'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { paymentMiddleware as honoPayments } from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hex, signedBody, version1Body } from '../engine/testing.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { openFacilitatorClient, serveSeller } from './testing-sellers.ts'

const chain = await testChain()
const payer = devAccount(1)
const sellersWallet = hex('0x00000000000000000000000000000000005e11e2')
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { REPEAT_TIMEOUT_MS: '80000' },
})

const openClient = ({ token }: Pick<TestAccount, 'token'>, url = `${facilitator.url}/x402`) =>
  openFacilitatorClient(url, token)
const routes: RoutesConfig = {
  '/report': {
    accepts: { scheme: 'exact', price: '$0.01', network: 'eip155:84532', payTo: sellersWallet },
    description: 'A report',
    mimeType: 'text/plain',
  },
}

/**
 * A payment's parts as the packages type them: theirs are template types, and some of ours are wrong on
 * purpose.
 */
const partsOf = (body: { paymentPayload: object; paymentRequirements: object }) =>
  [body.paymentPayload as PaymentPayload, body.paymentRequirements as PaymentRequirements] as const

/** A seller on a socket. Its handler counts its runs: the work that a stock server does before it settles. */
interface Seller {
  url: string
  runs: number
  stop(): void
}

async function expressSeller(account: TestAccount, facilitatorUrl?: string): Promise<Seller> {
  const app = express()
  const seller = { url: '', runs: 0, stop: () => {} }
  const server = new x402ResourceServer(openClient(account, facilitatorUrl)).register(
    'eip155:84532',
    new SellerScheme(),
  )
  app.use(expressPayments(routes, server))
  app.get('/report', (_, response) => {
    seller.runs += 1
    response.send('the report')
  })
  const { url, stop } = await serveSeller(app)
  seller.url = `${url}/report`
  seller.stop = stop
  return seller
}

async function honoSeller(account: TestAccount, facilitatorUrl?: string): Promise<Seller> {
  const app = new Hono()
  const seller = { url: '', runs: 0, stop: () => {} }
  const server = new x402ResourceServer(openClient(account, facilitatorUrl)).register(
    'eip155:84532',
    new SellerScheme(),
  )
  app.use(honoPayments(routes, server))
  app.get('/report', (c) => {
    seller.runs += 1
    return c.text('the report')
  })
  const listening = await listen(app, { port: 0 })
  seller.url = `${listening.url}/report`
  seller.stop = () => void listening.close(0)
  return seller
}

/** A payer's client, and the request it would send: the header that a test repeats or tampers with. */
function payerOf(account: LocalAccount) {
  const client = new x402Client().register('eip155:*', new PayerScheme(account))
  const http = new x402HTTPClient(client)
  return {
    fetch: wrapFetchWithPayment(fetch, client),
    async pay(url: string): Promise<PaymentPayload> {
      const challenge = await fetch(url)
      expect(challenge.status).toBe(402)
      const required = http.getPaymentRequiredResponse((name) => challenge.headers.get(name))
      return http.createPaymentPayload(required)
    },
    send: (url: string, payload: object) =>
      fetch(url, {
        headers: { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') },
      }),
  }
}

/** Reads the reason that the payer receives, wherever the stock server puts it. */
function readReason(response: Response): string | undefined {
  const settled = response.headers.get('payment-response')
  if (settled !== null) return decodePaymentResponseHeader(settled).errorReason
  return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error
}

const balanceOf = (address: string) =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [hex(address)],
  })
const ordersOf = ({ id }: TestAccount) =>
  facilitator.db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('account_id', '=', id)
    .orderBy('id')
    .execute()

const sellers: Seller[] = []
afterAll(async () => {
  for (const { stop } of sellers) stop()
  await facilitator.close()
})

describe.each([
  ['@x402/express', expressSeller],
  ['@x402/hono', honoSeller],
])('a seller on %s', (_, open) => {
  const payers = payerOf(payer)
  let account: TestAccount
  let seller: Seller
  beforeEach(async () => {
    account = await facilitator.account()
    seller = await open(account)
    sellers.push(seller)
  })
  const charged = async () => 100n - (await facilitator.available(account)) / settlePrice

  test('is paid by @x402/fetch: the resource is delivered, and the payment is executed, charged and recorded once', async () => {
    const before = [await balanceOf(payer.address), await balanceOf(sellersWallet)] as const
    const response = await payers.fetch(seller.url)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('the report')
    const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(settled).toMatchObject({
      success: true,
      payer: payer.address.toLowerCase(),
      network: 'eip155:84532',
    })
    expect(await balanceOf(payer.address)).toBe(before[0] - 10_000n)
    expect(await balanceOf(sellersWallet)).toBe(before[1] + 10_000n)
    expect(await charged()).toBe(1n)
    expect(await ordersOf(account)).toMatchObject([
      { state: 'settled', hold: 'captured', transaction: settled.transaction, amount: '10000', api: 'x402' },
    ])
  })

  test('releases nothing for a used payment, and reports it to the payer', async () => {
    const payload = await payers.pay(seller.url)
    expect((await payers.send(seller.url, payload)).status).toBe(200)
    const again = await payers.send(seller.url, payload)
    expect(again.status).toBe(402)
    expect(await again.text()).not.toContain('the report')
    expect(readReason(again)).toBe('duplicate_settlement')
    // It is refused before the handler works for it.
    expect(seller.runs).toBe(1)
    expect(await charged()).toBe(1n)
  })

  test('releases one resource for 20 concurrent presentations of a payment', async () => {
    const payload = await payers.pay(seller.url)
    const before = await balanceOf(sellersWallet)
    const responses = await Promise.all(Array.from({ length: 20 }, () => payers.send(seller.url, payload)))
    const bodies = await Promise.all(
      responses.map(async (response) => ({ response, text: await response.text() })),
    )
    expect(bodies.filter(({ text }) => text === 'the report')).toHaveLength(1)
    for (const { response } of bodies.filter(({ text }) => text !== 'the report')) {
      expect(response.status).toBe(402)
      // The second one if its verification began after the payment was mined, the last one if many others wait.
      const reasons = ['duplicate_settlement', 'invalid_exact_evm_nonce_already_used', 'settlement_pending']
      expect(reasons).toContain(readReason(response))
    }
    expect(await balanceOf(sellersWallet)).toBe(before + 10_000n)
    expect(await charged()).toBe(1n)
    expect(await ordersOf(account)).toHaveLength(1)
  })

  const wrong: [string, string, (payload: PaymentPayload) => object][] = [
    [
      'whose signature was tampered with',
      'invalid_exact_evm_payload_signature',
      (payload) => inPayload(payload, { signature: `0x${'12'.repeat(64)}1b` }),
    ],
    [
      'whose amount was tampered with',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      (payload) => inAuthorization(payload, { value: '1' }),
    ],
    ['without a signature', 'invalid_payload', (payload) => inPayload(payload, { signature: undefined })],
  ]
  test.each(wrong)('refuses a payment %s and reports to the payer: %s', async (_, reason, tamper) => {
    const response = await payers.send(seller.url, tamper(await payers.pay(seller.url)))
    expect(response.status).toBe(402)
    expect(await response.text()).not.toContain('the report')
    expect(readReason(response)).toBe(reason)
    expect(seller.runs).toBe(0)
    expect(await charged()).toBe(0n)
    expect(await ordersOf(account)).toEqual([])
  })

  test('refuses a payer with an insufficient balance and reports it', async () => {
    const response = await payerOf(privateKeyToAccount(generatePrivateKey())).fetch(seller.url)
    expect(response.status).toBe(402)
    expect(readReason(response)).toBe('insufficient_funds')
    expect(seller.runs).toBe(0)
  })

  test('refuses before its handler runs when its account cannot pay for the settle', async () => {
    const broke = await facilitator.account({ settles: 0 })
    const poor = await open(broke)
    sellers.push(poor)
    const response = await payers.fetch(poor.url)
    expect(response.status).toBe(402)
    expect(readReason(response)).toContain('InsufficientBalance')
    expect(poor.runs).toBe(0)
    expect(await ordersOf(broke)).toEqual([])
  })
})

describe.each([
  ['@x402/express', expressSeller],
  ['@x402/hono', honoSeller],
])('a seller on %s whose facilitator URL lacks /x402', (_, open) => {
  test('fails before any money moves, and seller and operator see what to change', async () => {
    const remedy = 'x402 software needs /x402 at the end of its facilitator URL'
    const account = await facilitator.account()
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const seller = await open(account, facilitator.url)
    sellers.push(seller)
    const before = [await balanceOf(payer.address), await balanceOf(sellersWallet)]

    // What the customer signed for the same seller with the right URL.
    const working = await open(account)
    sellers.push(working)
    const payload = await payerOf(payer).pay(working.url)
    for (const response of [await fetch(seller.url), await payerOf(payer).send(seller.url, payload)]) {
      expect(response.status).toBe(502)
      expect(await response.text()).toContain(remedy)
    }
    expect(warn.mock.calls.join('\n')).toContain(remedy)
    warn.mockRestore()

    expect(seller.runs).toBe(0)
    expect([await balanceOf(payer.address), await balanceOf(sellersWallet)]).toEqual(before)
    expect(await facilitator.available(account)).toBe(100n * settlePrice)
    expect(await ordersOf(account)).toEqual([])
    expect(facilitator.log).toContainEqual(expect.stringContaining(`stock x402 software. ${remedy}`))
  })
})

describe('stock software that skips /supported, at the root', () => {
  test('reads no valid payment out of /verify, so that it does not go on to settle', async () => {
    const account = await facilitator.account()
    const body = await signedBody({ account: payer })
    const client = openClient(account, facilitator.url)
    await expect(client.verify(...partsOf(body))).rejects.toThrow('Facilitator verify returned invalid data')
    // Packages of x402 version 1 check nothing but this property.
    const response = await facilitator.post('/verify', version1Body(body), account.token)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ valid: true, payer: payer.address.toLowerCase() })
  })
})

describe('the facilitator client of the packages', () => {
  test('lists what is supported, of both versions, with the signers', async () => {
    const supported = await openClient(await facilitator.account()).getSupported()
    expect(supported).toEqual({
      kinds: [
        { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
        {
          x402Version: 2,
          scheme: 'upto',
          network: 'eip155:84532',
          extra: { facilitatorAddress: devAccount(9).address.toLowerCase() },
        },
        {
          x402Version: 2,
          scheme: 'auth-capture',
          network: 'eip155:84532',
          extra: { captureAuthorizer: devAccount(9).address.toLowerCase() },
        },
        { x402Version: 2, scheme: 'batch-settlement', network: 'eip155:84532' },
        { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
      ],
      extensions: ['eip2612GasSponsoring', 'bazaar', 'payment-identifier'],
      signers: { 'eip155:*': [devAccount(9).address.toLowerCase()] },
    })
  })

  test.each([
    ['an unknown scheme', { scheme: 'deferred' }, 'unsupported_scheme'],
    ['an unknown network', { network: 'eip155:1' }, 'invalid_network'],
  ])('receives the x402 reason for %s', async (_, changes, reason) => {
    const client = openClient(await facilitator.account())
    const { paymentPayload, paymentRequirements } = await signedBody({ account: payer })
    const requirements = { ...paymentRequirements, ...changes }
    const parts = partsOf({
      paymentPayload: { ...paymentPayload, accepted: requirements },
      paymentRequirements: requirements,
    })
    expect(await client.verify(...parts)).toMatchObject({ isValid: false, invalidReason: reason })
    expect(await client.settle(...parts)).toMatchObject({
      success: false,
      errorReason: reason,
      transaction: '',
    })
  })

  test('receives an error for a wrong key, and the shortage of its account', async () => {
    const parts = partsOf(await signedBody({ account: payer }))
    const settle = (account: Pick<TestAccount, 'token'>) => openClient(account).settle(...parts)
    await expect(settle({ token: 'mm_guess' })).rejects.toMatchObject({
      statusCode: 401,
      errorReason: 'Unauthorized',
    })
    await expect(settle(await facilitator.account({ quota: 0 }))).rejects.toMatchObject({
      statusCode: 402,
      errorReason: 'InsufficientBalance',
    })
  })
})

function inPayload(payload: PaymentPayload, changes: object): object {
  return { ...payload, payload: { ...payload.payload, ...changes } }
}
function inAuthorization(payload: PaymentPayload, changes: object): object {
  // The scheme's part of the payload is untyped in the packages; exact by EIP-3009 has this in it.
  const authorization = payload.payload.authorization as object
  return inPayload(payload, { authorization: { ...authorization, ...changes } })
}
