// Sellers that use the reference facilitator of x402, which does not report the status of a payment.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startReferenceFacilitator } from '@mintmark/devkit/chain/upstream'
import type { SellerOptions } from '@mintmark/seller'
import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type AnswerProxy,
  startAnswerProxy,
} from '../../../packages/facilitator-server/src/e2e/testing-failing-path.ts'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { createHttpServer } from './routes.ts'
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
  const seller = { url: '', runs: 0, isCut: false }
  const app = express()
  app.use((request, _response, next) => {
    if (seller.isCut && request.headers['payment-signature']) request.socket.destroy()
    next()
  })
  const http = createHttpServer({ ...environment, answers }, { path: '' })
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

it('delivers what was paid when the seller reads the status from the chain', async () => {
  const { chain } = environment
  const status: SellerOptions['status'] = async ({ payload }) => {
    const { from, nonce } = payload.payload.authorization as { from: `0x${string}`; nonce: `0x${string}` }
    const [used] = await chain.client.getContractEvents({
      address: chain.token,
      abi: parseAbi(['event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)']),
      eventName: 'AuthorizationUsed',
      args: { authorizer: from, nonce },
      fromBlock: 0n,
    })
    return used ? { state: 'settled', transaction: used.transactionHash } : { state: 'unknown' }
  }
  const [seller, payer] = [await openSeller({ status }), await openPayer(environment)]
  answers.mode = 'lose'
  expect((await payer.buy(`${seller.url}/report`)).status).toBe(503)
  answers.mode = 'pass'
  expect(await (await payer.buy(`${seller.url}/report`)).text()).toBe('report 1')
  expect([await payer.paid(), seller.runs]).toEqual([1n, 1])
})
