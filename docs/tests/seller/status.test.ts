// What a seller finds out from our facilitator about settles that it did not see the end of.

import type { PurchaseStore } from '@mintmark/seller'
import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { createPaymentStatus } from '@mintmark/seller/status'
import { createFacilitator } from '@mintmark/transport'
import type { PaymentPayload } from '@x402/core/types'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { createHttpServer, SELLERS_WALLET } from './routes.ts'
import { serve } from './serve.ts'

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())

/** Serves two processes of a seller with one store. */
async function openSeller(store: PurchaseStore = createMemoryStore()) {
  const { facilitator, account } = environment
  const client = createFacilitator({ baseUrl: facilitator.url, credentials: { token: account.token } })
  const seller = { urls: ['', ''] as [string, string], runs: 0 }
  for (const index of [0, 1] as const) {
    const app = express()
    const options = { store, status: createPaymentStatus(client) }
    app.use(deliverOnce(paymentMiddlewareFromHTTPServer, createHttpServer(environment), options))
    app.get('/report', (_request, response) => {
      seller.runs += 1
      response.send(`report ${seller.runs}`)
    })
    seller.urls[index] = await serve(app, stops)
  }
  return seller
}

it('a process delivers what another one has sold, as the status of the payment says', async () => {
  const store = createMemoryStore()
  // The origin is part of what is bought: both processes are behind one.
  const seller = await openSeller(store)
  const payer = await openPayer(environment)
  const host = new URL(seller.urls[0]).host
  const settle = vi.spyOn(globalThis, 'fetch')
  environment.answers.mode = 'lose'
  expect((await payer.buy(`${seller.urls[0]}/report`)).status).toBe(503)
  environment.answers.mode = 'pass'
  settle.mockClear()
  const response = await payer.buyAt(seller.urls[1], '/report', host)
  expect([response.status, await response.text()]).toEqual([200, 'report 1'])
  const settles = settle.mock.calls.filter(([request]) => String(request).endsWith('/settle'))
  settle.mockRestore()
  // The facilitator gives each success once, so the process that delivers asks for it.
  expect([settles.length, await payer.paid(), seller.runs]).toEqual([1, 1n, 1])
})

it('the status of a payment is not that of another payment by the same nonce, which another contract keeps', async () => {
  const { facilitator, account } = environment
  const client = createFacilitator({ baseUrl: facilitator.url, credentials: { token: account.token } })
  const status = createPaymentStatus(client)
  const [seller, payer] = [await openSeller(), await openPayer(environment)]
  expect((await payer.buy(`${seller.urls[0]}/report`)).status).toBe(200)
  const payload = JSON.parse(Buffer.from(payer.getSigned(), 'base64').toString()) as PaymentPayload
  const requirements = payload.accepted
  const payment = { payer: payer.wallet.address, payload, requirements }
  expect(await status(payment)).toMatchObject({ state: 'settled' })
  const dearToken = { ...requirements, asset: SELLERS_WALLET, amount: '1000000' }
  expect(await status({ ...payment, requirements: dearToken })).toEqual({ state: 'unknown' })
  const { authorization } = payload.payload
  const byPermit2 = { ...payload, payload: { permit2Authorization: authorization } }
  expect(await status({ ...payment, payload: byPermit2 })).toEqual({ state: 'unknown' })
})

it('a purchase whose payment was refused begins again with the payment that asks for it', async () => {
  const store = createMemoryStore()
  const seller = await openSeller(store)
  const payer = await openPayer(environment, 1n)
  // The seller ends before the facilitator has received the settle, and the payer has spent its money meanwhile.
  const replace = vi.spyOn(store, 'replace').mockImplementationOnce(async (token, entry, ttlMs) => {
    replace.mockRestore()
    const purchase = { ...entry.purchase, settlingUntil: 0 }
    await store.replace(token, { ...entry, token: 'of a process that ended', purchase }, ttlMs)
    return false
  })
  expect((await payer.buy(`${seller.urls[0]}/report`)).status).toBe(503)
  await payer.spend()
  expect((await payer.buy(`${seller.urls[0]}/report`)).status).toBe(402)
  await environment.mint(payer.wallet.address, 10_000n)
  expect(await (await payer.buy(`${seller.urls[0]}/report`)).text()).toBe('report 2')
})
