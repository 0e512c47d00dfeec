// Payment channels of the scheme batch-settlement. Sellers and payers are the npm packages of x402.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { BatchSettlementEvmScheme as PayerScheme } from '@x402/evm/batch-settlement/client'
import { BatchSettlementEvmScheme as SellerScheme } from '@x402/evm/batch-settlement/server'
import { paymentMiddleware } from '@x402/express'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import express from 'express'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { fund, NETWORK, newAccount, signerOf } from './testing-channels.ts'
import { openFacilitatorClient, type ServedSeller, serveSeller } from './testing-sellers.ts'

const PRICE = 10_000n
const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const sellers: ServedSeller[] = []
afterAll(async () => {
  for (const seller of sellers) seller.stop()
  await facilitator.close()
})

const balanceOf = (account: `0x${string}`) =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [account],
  })

/** Opens a stock seller with a wallet of its own. */
async function openSeller(
  { token }: Pick<TestAccount, 'token'>,
  settings: { onchainStateTtlMs?: number } = {},
) {
  const authorizer = newAccount()
  const receiver = newAccount().address
  const client = openFacilitatorClient(`${facilitator.url}/x402`, token)
  const scheme = new SellerScheme(receiver, { receiverAuthorizerSigner: authorizer, ...settings })
  const routes: RoutesConfig = {
    '/report': {
      accepts: { scheme: 'batch-settlement', price: '$0.01', network: NETWORK, payTo: receiver },
    },
  }
  const app = express()
  app.use(paymentMiddleware(routes, new x402ResourceServer(client).register(NETWORK, scheme)))
  app.get('/report', (_, response) => void response.send('the report'))
  const served = await serveSeller(app)
  sellers.push(served)
  const manager = scheme.createChannelManager(client, NETWORK, chain.token)
  return { url: `${served.url}/report`, receiver, scheme, manager, client }
}

/** Creates a payer with the token and a channel of its own. */
async function openPayer() {
  const account = newAccount()
  await fund(chain, account.address, 1_000_000n)
  const scheme = new PayerScheme(signerOf(chain, account) as never)
  const client = new x402Client().register('eip155:*', scheme)
  const paymentClient = new x402HTTPClient(client)
  return {
    account,
    scheme,
    pay: wrapFetchWithPayment(fetch, client),
    /** Signs the next payment without sending it. */
    async sign(url: string): Promise<PaymentPayload> {
      const challenge = await fetch(url)
      const required = paymentClient.getPaymentRequiredResponse((name) => challenge.headers.get(name))
      return paymentClient.createPaymentPayload(required)
    },
    send: (url: string, payload: PaymentPayload) =>
      fetch(url, {
        headers: { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') },
      }),
  }
}

const readReason = (response: Response): string | undefined => {
  const settled = response.headers.get('payment-response')
  if (settled !== null) return decodePaymentResponseHeader(settled).errorReason
  return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error
}

let account: TestAccount
beforeEach(async () => {
  account = await facilitator.account()
})
const countCharges = async () => 100n - (await facilitator.available(account)) / settlePrice

it('a stock seller with payment channels is paid by a deposit and vouchers, and claims and receives all of it', async () => {
  const seller = await openSeller(account)
  const payer = await openPayer()
  for (const paid of [1n, 2n, 3n]) {
    const response = await payer.pay(seller.url)
    expect(readReason(response)).toBeUndefined()
    expect(await response.text()).toBe('the report')
    const [channel] = await seller.scheme.getStorage().list()
    expect(channel).toMatchObject({ chargedCumulativeAmount: String(paid * PRICE), balance: '100000' })
  }
  // The deposit only: vouchers are free.
  expect(await countCharges()).toBe(1n)
  expect(await seller.manager.claim()).toMatchObject([{ vouchers: 1 }])
  expect(await seller.manager.settle()).toHaveProperty('transaction')
  expect(await balanceOf(seller.receiver)).toBe(3n * PRICE)
  expect(await countCharges()).toBe(3n)
  const settlements = await facilitator.settlements()
  expect(settlements.filter(({ account_id }) => account_id === account.id)).toMatchObject([
    { scheme: 'batch-settlement', state: 'settled', amount: '100000' },
    { scheme: 'batch-settlement', state: 'settled', amount: '0' },
    { scheme: 'batch-settlement', state: 'settled', amount: '0' },
  ])
})

it('a stock seller with payment channels serves one of several concurrent requests with the same voucher', async () => {
  const seller = await openSeller(account)
  const payer = await openPayer()
  await payer.pay(seller.url)
  const payload = await payer.sign(seller.url)
  expect(payload.payload).toMatchObject({ type: 'voucher' })
  const responses = await Promise.all(Array.from({ length: 10 }, () => payer.send(seller.url, payload)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  const [channel] = await seller.scheme.getStorage().list()
  expect(channel).toMatchObject({ chargedCumulativeAmount: String(2n * PRICE) })
})

it('a stock seller with payment channels is paid once for several concurrent requests with the same deposit', async () => {
  const seller = await openSeller(account)
  const payer = await openPayer()
  const payload = await payer.sign(seller.url)
  expect(payload.payload).toMatchObject({ type: 'deposit' })
  const responses = await Promise.all(Array.from({ length: 5 }, () => payer.send(seller.url, payload)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await countCharges()).toBe(1n)
})

it('a stock seller with payment channels has vouchers verified by the facilitator when its own state of the channel is old', async () => {
  const seller = await openSeller(account, { onchainStateTtlMs: -1 })
  const payer = await openPayer()
  for (let request = 0; request < 3; request += 1) expect((await payer.pay(seller.url)).status).toBe(200)
  const verified = facilitator.log.filter((line) => line.includes('x402.verify') && line.includes('200'))
  expect(verified.length).toBeGreaterThanOrEqual(3)
  expect(await countCharges()).toBe(1n)
})

it('a stock seller with payment channels pays back what was not used when the payer asks for it, and receives the rest', async () => {
  const seller = await openSeller(account)
  const payer = await openPayer()
  await payer.pay(seller.url)
  await payer.pay(seller.url)
  const refund = await payer.scheme.refund(seller.url)
  expect(refund).toMatchObject({ success: true, amount: '80000' })
  expect(await balanceOf(payer.account.address)).toBe(1_000_000n - 2n * PRICE)
  await seller.manager.settle()
  expect(await balanceOf(seller.receiver)).toBe(2n * PRICE)
  // The deposit, the refund with its claim, and the payout.
  expect(await countCharges()).toBe(3n)
  expect(await seller.scheme.getStorage().list()).toEqual([])
})

it('a stock seller with payment channels adds a deposit to the channel when it is used up', async () => {
  const seller = await openSeller(account)
  const payer = await openPayer()
  for (let request = 0; request < 11; request += 1) expect((await payer.pay(seller.url)).status).toBe(200)
  const [channel] = await seller.scheme.getStorage().list()
  expect(channel).toMatchObject({ chargedCumulativeAmount: String(11n * PRICE), balance: '200000' })
  expect(await countCharges()).toBe(2n)
})
