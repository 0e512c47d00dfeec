// Purchases at stock sellers inside of `@mintmark/seller`, whose answers are lost.
import { createRequire } from 'node:module'
import { createMemoryStore, type SellerOptions } from '@mintmark/seller'
import { deliverOnce as deliverExpress } from '@mintmark/seller/express'
import { deliverOnce as deliverHono } from '@mintmark/seller/hono'
import { deliverOnce as deliverNext } from '@mintmark/seller/next'
import { listen } from '@mintmark/server-kit'
import { paymentMiddlewareFromHTTPServer as expressPayments } from '@x402/express'
import { paymentMiddlewareFromHTTPServer as honoPayments } from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import { NextRequest, NextResponse } from 'next/server.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, openPayer, startEnvironment } from '../seller/fixture.ts'
import { createHttpServer } from '../seller/routes.ts'
import { serve } from '../seller/serve.ts'
import { PAYER_PACKAGES } from './stock-payers.ts'

const next: typeof import('@x402/next') = createRequire(import.meta.url)('@x402/next')

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())

interface Seller {
  runs: number
}
type Open = (seller: Seller, options: SellerOptions) => Promise<string>

/** Sellers of each package: a text, an empty response, and a response by the body of the request. */
const SELLERS: Readonly<Record<string, Open>> = {
  async '@x402/express'(seller, options) {
    const app = express()
    app.use(express.json())
    app.use(deliverExpress(expressPayments, createHttpServer(environment), options))
    app.all('/report', ({ body, method }, response) => {
      seller.runs += 1
      if (method === 'PUT') response.status(204).end()
      else
        response
          .status(201)
          .type('text/csv')
          .send(`report ${seller.runs} ${JSON.stringify(body ?? {})}`)
    })
    return serve(app, stops)
  },
  async '@x402/hono'(seller, options) {
    const app = new Hono()
    app.use(deliverHono(honoPayments, createHttpServer(environment), options))
    app.all('/report', async ({ req }) => {
      seller.runs += 1
      if (req.method === 'PUT') return new Response(null, { status: 204 })
      const body = req.method === 'POST' ? await req.json() : {}
      const text = `report ${seller.runs} ${JSON.stringify(body)}`
      return new Response(text, { status: 201, headers: { 'content-type': 'text/csv; charset=utf-8' } })
    })
    return serveApp(app)
  },
  async '@x402/next'(seller, options) {
    // It has its own version of `@x402/core`, with the same classes and other private fields.
    const classes = { Server: next.x402ResourceServer, HttpServer: next.x402HTTPResourceServer }
    const http = createHttpServer(environment, classes as never)
    const handle = deliverNext(
      next.withX402FromHTTPServer as never,
      async (request: NextRequest) => {
        seller.runs += 1
        if (request.method === 'PUT') return new NextResponse(null, { status: 204 })
        const body = request.method === 'POST' ? await request.json() : {}
        const text = `report ${seller.runs} ${JSON.stringify(body)}`
        return new NextResponse(text, { status: 201, headers: { 'content-type': 'text/csv; charset=utf-8' } })
      },
      http,
      options,
    )
    const app = new Hono()
    app.all('/report', async ({ req }) => {
      const { method, headers } = req.raw
      const body = method === 'GET' ? null : await req.arrayBuffer()
      return handle(new NextRequest(req.url, { method, headers, body }))
    })
    return serveApp(app)
  },
}

async function serveApp(app: Hono): Promise<string> {
  const listening = await listen(app, { port: 0 })
  stops.defer(() => listening.close(0))
  return listening.url
}

async function openSeller(name: string) {
  const open = SELLERS[name]
  if (open === undefined) throw new Error(`There is no seller of ${name}`)
  const seller = { runs: 0, url: '' }
  seller.url = await open(seller, { store: createMemoryStore() })
  return seller
}

describe.each(Object.keys(SELLERS))('a seller on %s', (name) => {
  it.each(Object.keys(PAYER_PACKAGES))(
    'delivers once what a payer with %s has paid for when the answer of the settle was lost',
    async (payerPackage) => {
      const seller = await openSeller(name)
      const payer = await openPayer(environment)
      const buy = PAYER_PACKAGES[payerPackage]?.(payer.createClient())
      environment.answers.mode = 'lose'
      // axios throws what is not a success.
      const first = await buy?.(`${seller.url}/report`).catch(({ response }) => response as Response)
      environment.answers.mode = 'pass'
      expect(first?.status).toBe(503)
      const second = await buy?.(`${seller.url}/report`)
      expect([second?.status, await second?.text()]).toEqual([201, 'report 1 {}'])
      expect([second?.headers.get('content-type'), await payer.paid()]).toEqual([
        'text/csv; charset=utf-8',
        1n,
      ])
      const third = await buy?.(`${seller.url}/report`)
      expect([await third?.text(), await payer.paid(), seller.runs]).toEqual(['report 2 {}', 2n, 2])
    },
  )

  it('sells by the body of the request, and gives a response without a body again', async () => {
    const seller = await openSeller(name)
    const payer = await openPayer(environment)
    const post = (city: string) => ({
      method: 'POST',
      body: JSON.stringify({ city }),
      headers: { 'content-type': 'application/json' },
    })
    environment.answers.mode = 'lose'
    expect((await payer.buy(`${seller.url}/report`, post('rome'))).status).toBe(503)
    expect((await payer.buy(`${seller.url}/report`, { method: 'PUT' })).status).toBe(503)
    environment.answers.mode = 'pass'
    expect(await (await payer.buy(`${seller.url}/report`, post('oslo'))).text()).toBe(
      'report 3 {"city":"oslo"}',
    )
    expect(await (await payer.buy(`${seller.url}/report`, post('rome'))).text()).toBe(
      'report 1 {"city":"rome"}',
    )
    expect((await payer.buy(`${seller.url}/report`, { method: 'PUT' })).status).toBe(204)
    expect([await payer.paid(), seller.runs]).toEqual([3n, 3])
  })
})
