// What a request may be: what it buys, who sends it, and how it ends.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce as deliverHono } from '@mintmark/seller/hono'
import { deliverOnce as deliverTool, type ToolResult } from '@mintmark/seller/mcp'
import { deliverOnce as deliverNext } from '@mintmark/seller/next'
import { listen } from '@mintmark/server-kit'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { paymentMiddlewareFromHTTPServer as honoPayments } from '@x402/hono'
import express, { type RequestHandler } from 'express'
import { Hono } from 'hono'
import { NextRequest, NextResponse } from 'next/server.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  createPayer,
  createScript,
  createScriptedRoutes,
  lose,
  openScriptedSeller,
  present,
} from './scripted-facilitator.ts'

const next: typeof import('@x402/next') = createRequire(import.meta.url)('@x402/next')

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())
const openSeller = (...before: RequestHandler[]) => openScriptedSeller(stops, {}, before)

/** Express 4: a body of another type than is parsed becomes an empty object. */
const fillBody: RequestHandler = (request, _response, proceed) => {
  request.body ??= {}
  proceed()
}

const post = (body: string, type: string) => ({ method: 'POST', body, headers: { 'content-type': type } })

describe('what a request buys', () => {
  it('differs by all of the query, also behind a second question mark', async () => {
    const [seller, payer] = [await openSeller(), createPayer()]
    seller.script.answers = [lose]
    expect((await payer.buy(`${seller.url}?next=/a?page=1`)).status).toBe(503)
    expect(await (await payer.buy(`${seller.url}?next=/a?page=2`)).text()).toBe('report 2')
    expect(await (await payer.buy(`${seller.url}?next=/a?page=1`)).text()).toBe('report 1')
  })

  it.each([
    ['Express 5', [express.json()]],
    ['Express 4', [express.json(), fillBody]],
  ] as const)('includes the body, which is refused on %s if nothing parsed it', async (_name, before) => {
    const [seller, payer] = [await openSeller(...before), createPayer()]
    for (const type of ['text/csv', 'multipart/form-data; boundary=x'])
      expect((await payer.buy(seller.url, post('rome', type))).status).toBe(500)
    const refused = await payer.buy(seller.url, post('rome', 'text/csv'))
    expect([refused.status, await refused.json(), seller.runs]).toMatchObject([
      500,
      {
        error: 'unreadable_request',
        message: expect.stringContaining('Check the body and its content type'),
      },
      0,
    ])
    expect(await (await payer.buy(seller.url, post('{}', 'application/json'))).text()).toBe('report 1')
    expect(await (await payer.buy(seller.url, { method: 'POST' })).text()).toBe('report 2')
    expect(seller.script.settles).toBe(2)
  })
})

describe('who sends a request', () => {
  it.each([
    { permit2Authorization: { from: '0x01', nonce: '1' } },
    { transaction: 'AQ==' },
    { transaction: '' },
    { permit2Authorization: false, transaction: 0 },
  ])('cannot leave the layer with a second authorization: %j', async (second) => {
    const [seller, payer] = [await openSeller(), createPayer()]
    seller.script.answers = [lose]
    await payer.buy(seller.url)
    const { verifies } = seller.script
    const signed = payer.getSigned()
    const refused = await present(seller.url, { ...signed, payload: { ...signed.payload, ...second } })
    const required = Buffer.from(refused.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString()
    expect([refused.status, JSON.parse(required).error]).toEqual([402, 'invalid_payload'])
    expect([seller.script.verifies, seller.script.settles, seller.runs]).toEqual([verifies, 1, 1])
  })

  it('neither learns about a purchase nor causes a settle without a proof that it is the payer', async () => {
    const [seller, payer] = [await openSeller(), createPayer()]
    const release = Promise.withResolvers<void>()
    seller.work = () => release.promise
    const bought = payer.buy(seller.url)
    await vi.waitUntil(() => seller.runs === 1)
    const signed = payer.getSigned()
    const authorization = { ...(signed.payload.authorization as object), nonce: `0x${'1'.repeat(64)}` }
    const forgeries = [
      { ...signed, payload: { ...signed.payload, authorization } },
      { ...signed, payload: { ...signed.payload, signature: `0x${'2'.repeat(130)}` } },
    ]
    const presentAll = () =>
      Promise.all(forgeries.map(async (forgery) => (await present(seller.url, forgery)).status))
    seller.script.verify = () => ({ isValid: false, invalidReason: 'invalid_exact_evm_signature' })
    expect(await presentAll()).toEqual([402, 402])
    seller.script.answers = [lose]
    release.resolve()
    expect((await bought).status).toBe(503)
    expect([await presentAll(), seller.script.settles]).toEqual([[402, 402], 1])
    expect(await (await present(seller.url, signed)).text()).toBe('report 1')
  })
})

describe('how a request ends', () => {
  it('is not delivered if the customer hung up while the handler worked', async () => {
    // Node 22 reports what ends after its connection closed as finished.
    const finish: RequestHandler = (_request, response, proceed) => {
      Object.defineProperty(response, 'writableFinished', { get: () => response.writableEnded })
      proceed()
    }
    const [seller, payer] = [await openSeller(finish), createPayer()]
    seller.work = async (response) => {
      response.socket?.destroy()
      await once(response, 'close')
    }
    await expect(payer.buy(seller.url)).rejects.toThrow()
    await vi.waitUntil(() => seller.script.settles === 1)
    const again = await vi.waitUntil(async () => {
      const response = await payer.buy(seller.url)
      return response.status === 200 && response
    })
    expect([await again.text(), seller.runs, seller.script.settles]).toEqual(['report 1', 1, 1])
  })

  const { script, facilitator } = createScript()
  const options = { store: createMemoryStore(), onError: () => {} }
  /** Fails the first time. */
  const createWork = () =>
    vi
      .fn(() => 'the report')
      .mockImplementationOnce(() => {
        // Hono handles errors, but not what else is thrown.
        throw 'broken'
      })

  it('frees the purchase on Hono if the handler throws what is no error', async () => {
    const work = createWork()
    const app = new Hono()
    app.use(deliverHono(honoPayments, createScriptedRoutes(facilitator), options))
    app.get('/report', (context) => context.text(work()))
    const listening = await listen(app, { port: 0 })
    stops.defer(() => listening.close(0))
    const payer = createPayer()
    await payer.buy(`${listening.url}/report`).catch(() => {})
    expect(await (await payer.buy(`${listening.url}/report`)).text()).toBe('the report')
  })

  it('frees the purchase on Next if the handler throws', async () => {
    const work = createWork()
    const classes = { Server: next.x402ResourceServer, HttpServer: next.x402HTTPResourceServer }
    const http = createScriptedRoutes(facilitator, classes as never)
    const handle = deliverNext(
      next.withX402FromHTTPServer as never,
      async () => new NextResponse(work()),
      http,
      options,
    )
    const signed = createPayer()
    const url = 'http://shop.example/report'
    const call = (input: RequestInfo | URL, init?: RequestInit) =>
      handle(new NextRequest(new Request(input, init))) as Promise<Response>
    await expect(signed.buyBy(call, url)).rejects.toBe('broken')
    expect(await (await signed.buyBy(call, url)).text()).toBe('the report')
  })

  it('frees the purchase of a tool of MCP if the tool throws', async () => {
    const work = createWork()
    const server = createScriptedRoutes(facilitator).server
    await server.initialize()
    const payer = createPayer()
    await payer.buy((await openSeller()).url)
    const signed = payer.getSigned() as unknown as PaymentPayload
    const requirements = signed.accepted as PaymentRequirements
    const paid = deliverTool(
      (handler) => async (args, extra) => {
        await server.verifyPayment(signed, requirements)
        const result = await handler(args, extra)
        await server.settlePayment(signed, requirements)
        return result
      },
      (): ToolResult => ({ content: [{ type: 'text', text: work() }] }),
      server,
      { ...options, name: 'report' },
    )
    await expect(paid({}, undefined)).rejects.toBe('broken')
    expect(await paid({}, undefined)).toMatchObject({ content: [{ text: 'the report' }] })
    expect(script.settles).toBe(3)
  })
})
