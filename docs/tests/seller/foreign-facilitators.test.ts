// Sellers that use the reference facilitator of x402, which does not report the status of a payment.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { newAuthorization, signAuthorization } from '@mintmark/devkit/chain/authorization'
import { startReferenceFacilitator } from '@mintmark/devkit/chain/upstream'
import type { SellerOptions } from '@mintmark/seller'
import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { isAddressEqual, parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type AnswerProxy,
  startAnswerProxy,
} from '../../../packages/facilitator-server/src/e2e/testing-failing-path.ts'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { createHttpServer, PRICE } from './routes.ts'
import { serve } from './serve.ts'

const stops = new AsyncDisposableStack()
let environment: Environment
let answers: AnswerProxy
beforeAll(async () => {
  environment = await startEnvironment(stops)
  const { rpcUrl } = environment.chain
  const reference = await startReferenceFacilitator({ rpcUrl, privateKey: devAccount(8).privateKey })
  stops.defer(() => reference.stop())
  answers = await startAnswerProxy(reference.url, async () => {})
  stops.defer(() => answers.close())
})
afterAll(() => stops.disposeAsync())

async function openSeller(options: Partial<SellerOptions> = {}) {
  const seller = { url: '', runs: 0, isCut: false, losesSettle: false }
  const app = express()
  app.use((request, _response, next) => {
    if (seller.isCut && request.headers['payment-signature']) request.socket.destroy()
    next()
  })
  const http = createHttpServer({ ...environment, answers }, { path: '' })
  const settle = http.server.settlePayment.bind(http.server)
  http.server.settlePayment = async (...payment) => {
    if (!seller.losesSettle) return settle(...payment)
    seller.losesSettle = false
    throw new Error('The connection broke before the facilitator received the settle')
  }
  app.use(deliverOnce(paymentMiddlewareFromHTTPServer, http, { store: createMemoryStore(), ...options }))
  app.get('/report', (_request, response) => {
    seller.runs += 1
    response.send(`report ${seller.runs}`)
  })
  seller.url = await serve(app, stops)
  return seller
}

it('delivers what was paid at a facilitator without a status after the connection of the payer broke', async () => {
  const [seller, payer] = [await openSeller(), await openPayer(environment)]
  seller.isCut = true
  await expect(payer.buy(`${seller.url}/report`)).rejects.toThrow()
  seller.isCut = false
  await expect.poll(async () => (await payer.buy(`${seller.url}/report`)).text()).toBe('report 1')
  expect([await payer.paid(), seller.runs]).toEqual([1n, 1])
})

it('asks for no second payment after a facilitator without a status has not answered', async () => {
  const [seller, payer] = [await openSeller(), await openPayer(environment)]
  answers.mode = 'lose'
  expect((await payer.buy(`${seller.url}/report`)).status).toBe(503)
  answers.mode = 'pass'
  for (let time = 0; time < 2; time += 1) expect((await payer.buy(`${seller.url}/report`)).status).toBe(503)
  expect([await payer.paid(), seller.runs]).toEqual([1n, 1])
})

/** Reads the status of a payment by EIP-3009 from the chain. A used nonce does not prove it: the payer can have used it for another transfer. */
const readStatus: SellerOptions['status'] = async ({ payload, requirements }) => {
  const { client, token } = environment.chain
  const { from, nonce } = payload.payload.authorization as { from: `0x${string}`; nonce: `0x${string}` }
  const [used] = await client.getContractEvents({
    address: token,
    abi: devUsdcAbi,
    eventName: 'AuthorizationUsed',
    args: { authorizer: from, nonce },
    fromBlock: 0n,
  })
  if (used === undefined) return { state: 'unknown' }
  const { logs } = await client.getTransactionReceipt({ hash: used.transactionHash })
  const events = parseEventLogs({
    abi: devUsdcAbi,
    logs: logs.filter(({ address }) => address === used.address),
  })
  // Which of several authorizations has caused a transfer is not in the events.
  if (events.filter(({ eventName }) => eventName === 'AuthorizationUsed').length > 1)
    return { state: 'pending' }
  const isPaid = events.some(
    ({ eventName, args }) =>
      eventName === 'Transfer' &&
      isAddressEqual(args.from, from) &&
      isAddressEqual(args.to, requirements.payTo as `0x${string}`) &&
      args.value === BigInt(requirements.amount),
  )
  return isPaid ? { state: 'settled', transaction: used.transactionHash } : { state: 'failed' }
}

it('delivers what was paid when the seller reads the status from the chain', async () => {
  const [seller, payer] = [await openSeller({ status: readStatus }), await openPayer(environment)]
  answers.mode = 'lose'
  expect((await payer.buy(`${seller.url}/report`)).status).toBe(503)
  answers.mode = 'pass'
  expect(await (await payer.buy(`${seller.url}/report`)).text()).toBe('report 1')
  expect([await payer.paid(), seller.runs]).toEqual([1n, 1])
})

it('delivers nothing to a payer who has used the nonce of its payment for a transfer to itself', async () => {
  const { chain } = environment
  const [seller, payer] = [await openSeller({ status: readStatus }), await openPayer(environment)]
  seller.losesSettle = true
  expect((await payer.buy(`${seller.url}/report`)).status).toBe(503)
  const { nonce } = JSON.parse(Buffer.from(payer.getSigned(), 'base64').toString()).payload.authorization
  const { address } = payer.wallet
  const authorization = newAuthorization({ from: address, to: address, value: PRICE, nonce })
  const { from, to, value, validAfter, validBefore } = authorization
  const signature = await signAuthorization(payer.wallet, authorization)
  await chain.confirm(
    chain.as(9).writeContract({
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, signature],
    }),
  )
  expect((await payer.repeat(`${seller.url}/report`)).status).toBe(402)
  expect(await (await payer.buy(`${seller.url}/report`)).text()).toBe('report 2')
  expect(await payer.paid()).toBe(1n)
})
