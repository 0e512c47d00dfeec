import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliverOnce } from './express.ts'
import type { SellerOptions } from './options.ts'
import { createMemoryStore } from './stores/memory-store.ts'
import { type Environment, openPayer, startEnvironment } from './testing/fixture.ts'
import { createHttpServer } from './testing/routes.ts'
import { serve } from './testing/serve.ts'

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())

/** Serves a seller whose handler counts its runs. */
async function openSeller(options: Partial<SellerOptions> = {}) {
  const seller = { url: '', runs: 0 }
  const app = express()
  app.use(express.json())
  app.use(
    deliverOnce(paymentMiddlewareFromHTTPServer, createHttpServer(environment), {
      store: createMemoryStore(),
      ...options,
    }),
  )
  app.all('/report', (_request, response) => {
    seller.runs += 1
    response.status(201).set('x-report', 'yes').type('text/csv').send(`report ${seller.runs}`)
  })
  seller.url = await serve(app, stops)
  return seller
}

it('delivers what was paid to a payer who signs again after the answer of the settle was lost', async () => {
  const seller = await openSeller()
  const payer = await openPayer(environment)
  environment.answers.mode = 'lose'
  const first = await payer.buy(`${seller.url}/report`)
  expect([first.status, first.headers.get('retry-after'), await first.json()]).toMatchObject([
    503,
    '2',
    { error: 'settlement_pending' },
  ])
  environment.answers.mode = 'pass'
  const second = await payer.buy(`${seller.url}/report`)
  expect([
    second.status,
    await second.text(),
    second.headers.get('content-type'),
    second.headers.get('x-report'),
  ]).toEqual([201, 'report 1', 'text/csv; charset=utf-8', 'yes'])
  expect(second.headers.get('payment-response')).toBeTruthy()
  expect(await payer.paid()).toBe(1n)
  const third = await payer.buy(`${seller.url}/report`)
  expect([await third.text(), await payer.paid()]).toEqual(['report 2', 2n])
})
