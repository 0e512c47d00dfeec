// What payers may try, honest and hostile ones, at a seller on Express.
import { randomBytes } from 'node:crypto'
import type { PurchaseStore, SellerOptions } from '@mintmark/seller'
import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { createHttpServer } from './routes.ts'
import { serve } from './serve.ts'

/** Waits for a condition as long as a busy machine may need. */
const waitUntil = <T>(condition: () => T | Promise<T>) => vi.waitUntil(condition, { timeout: 60_000 })

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())
afterEach(() => {
  environment.answers.mode = 'pass'
})

/** Serves a seller whose handler counts its runs, and whose responses differ. */
async function openSeller(options: Partial<SellerOptions> = {}) {
  const seller = { url: '', runs: 0, isCut: false, onRun: async () => {} }
  const app = express()
  app.use(express.json())
  app.use((request, _response, next) => {
    if (seller.isCut && request.headers['payment-signature']) request.socket.destroy()
    next()
  })
  app.use(
    deliverOnce(paymentMiddlewareFromHTTPServer, createHttpServer(environment), {
      store: createMemoryStore(),
      ...options,
    }),
  )
  app.all(['/report', '/book'], async ({ path, body, query }, response) => {
    seller.runs += 1
    const run = seller.runs
    await seller.onRun()
    response.status(query.failAt === String(run) ? 500 : 200).json({ path, run, ...(body && { body }) })
  })
  seller.url = await serve(app, stops)
  return seller
}

type Payer = Awaited<ReturnType<typeof openPayer>>

/** Buys a report whose payment settles, and whose settle is not answered. */
async function loseAnswer(seller: { url: string }, payer: Payer, path = '/report', init = {}) {
  environment.answers.mode = 'lose'
  const response = await payer.buy(`${seller.url}${path}`, init)
  environment.answers.mode = 'pass'
  expect([response.status, await response.json()]).toMatchObject([503, { error: 'settlement_pending' }])
}

/** Buys until the seller neither works nor settles. */
const buyUntilServed = (seller: { url: string }, payer: Payer) =>
  waitUntil(async () => {
    const response = await payer.buy(`${seller.url}/report`)
    return response.status !== 503 && response
  })

const post = (body: object, identifier?: string) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
  ...(identifier !== undefined && { identifier }),
})
const createIdentifier = () => `pay_${randomBytes(16).toString('hex')}`

describe('an honest payer', () => {
  it('receives what it has paid for by the same signed request after the answer of the settle was lost', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    await loseAnswer(seller, payer)
    const repeated = await payer.repeat(`${seller.url}/report`)
    expect([repeated.status, await repeated.json(), await payer.paid(), seller.runs]).toEqual([
      200,
      { path: '/report', run: 1 },
      1n,
      1,
    ])
  })

  it('receives what it has paid for by a new signature although its payment took all it had', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment, 1n)]
    await loseAnswer(seller, payer)
    const again = await payer.buy(`${seller.url}/report`)
    expect([again.status, await again.json(), await payer.paid()]).toEqual([
      200,
      { path: '/report', run: 1 },
      1n,
    ])
  })

  it('pays once and receives the response each time that it asks by one payment identifier', async () => {
    const [seller, payer, identifier] = [await openSeller(), await openPayer(environment), createIdentifier()]
    await loseAnswer(seller, payer, '/report', { identifier })
    for (let time = 0; time < 3; time += 1) {
      const response = await payer.buy(`${seller.url}/report`, { identifier })
      expect([response.status, await response.json()]).toEqual([200, { path: '/report', run: 1 }])
    }
    const repeated = await payer.repeat(`${seller.url}/report`)
    expect([repeated.status, await payer.paid(), seller.runs]).toEqual([200, 1n, 1])
  })

  it('buys the same thing again once it was delivered', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    for (const run of [1, 2])
      expect(await (await payer.buy(`${seller.url}/report`)).json()).toEqual({ path: '/report', run })
    expect(await payer.paid()).toBe(2n)
  })

  it('can ask again at once if the handler failed, and has paid nothing for it', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    const failed = await payer.buy(`${seller.url}/report?failAt=1`)
    expect([failed.status, await payer.paid()]).toEqual([500, 0n])
    const response = await payer.buy(`${seller.url}/report?failAt=1`)
    expect([response.status, await payer.paid()]).toEqual([200, 1n])
  })

  it('pays the seller nothing twice while the facilitator cannot be reached, and receives the purchase afterwards', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    environment.answers.mode = 'hang-up'
    expect((await payer.buy(`${seller.url}/report`)).status).toBe(503)
    environment.answers.mode = 'pass'
    const responses = waitUntil(async () => {
      const response = await payer.buy(`${seller.url}/report`)
      return response.status === 200 && response
    })
    expect(await (await responses).json()).toEqual({ path: '/report', run: 1 })
    expect(await payer.paid()).toBe(1n)
  })

  it('receives what it has paid for although the handler that runs again fails first', async () => {
    const seller = await openSeller({ maxResponseBytes: 4 })
    const payer = await openPayer(environment)
    await loseAnswer(seller, payer, '/report?failAt=2')
    expect((await payer.buy(`${seller.url}/report?failAt=2`)).status).toBe(500)
    const again = await payer.buy(`${seller.url}/report?failAt=2`)
    expect([again.status, await payer.paid(), seller.runs]).toEqual([200, 1n, 3])
  })

  it('receives a response that was too large to store from a handler that runs again, a limited number of times', async () => {
    const seller = await openSeller({ maxResponseBytes: 4, maxReruns: 1 })
    const payer = await openPayer(environment)
    await loseAnswer(seller, payer)
    const again = await payer.buy(`${seller.url}/report`)
    expect([again.status, await again.json(), await payer.paid()]).toEqual([
      200,
      { path: '/report', run: 2 },
      1n,
    ])
  })
})

describe('a payer that hangs up', () => {
  it('receives the same response again, and no second one for its payment', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    seller.isCut = true
    for (let time = 0; time < 3; time += 1) await expect(payer.buy(`${seller.url}/report`)).rejects.toThrow()
    seller.isCut = false
    const response = await buyUntilServed(seller, payer)
    expect([await response.json(), await payer.paid(), seller.runs]).toEqual([
      { path: '/report', run: 1 },
      1n,
      1,
    ])
  })

  it('does not make a handler whose response was too large run without end', async () => {
    const seller = await openSeller({ maxResponseBytes: 4, maxReruns: 2 })
    const payer = await openPayer(environment)
    await loseAnswer(seller, payer)
    seller.isCut = true
    for (let time = 0; time < 2; time += 1) {
      await expect(payer.buy(`${seller.url}/report`)).rejects.toThrow()
      await waitUntil(() => seller.runs === time + 2)
    }
    seller.isCut = false
    expect((await buyUntilServed(seller, payer)).status).toBe(200)
    expect([await payer.paid(), seller.runs]).toEqual([2n, 4])
  })
})

describe('a hostile payer', () => {
  it.each([1, 2])('gets nothing more by two calls at once with %i signatures', async (signatures) => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    const release = Promise.withResolvers<void>()
    seller.onRun = () => release.promise
    const first = payer.buy(`${seller.url}/report`)
    await waitUntil(() => seller.runs === 1)
    const second = signatures === 1 ? payer.repeat(`${seller.url}/report`) : payer.buy(`${seller.url}/report`)
    expect((await second).status).toBe(503)
    release.resolve()
    expect([(await first).status, await payer.paid(), seller.runs]).toEqual([200, 1n, 1])
  })

  it('cannot use one signature for two things at once', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    const release = Promise.withResolvers<void>()
    seller.onRun = () => release.promise
    const first = payer.buy(`${seller.url}/report?city=rome`)
    await waitUntil(() => seller.runs === 1)
    expect((await payer.repeat(`${seller.url}/report?city=oslo`)).status).toBe(409)
    release.resolve()
    expect([(await first).status, await payer.paid(), seller.runs]).toEqual([200, 1n, 1])
  })

  it('pays for another body, and is refused another body under one identifier', async () => {
    const [seller, payer, identifier] = [await openSeller(), await openPayer(environment), createIdentifier()]
    await loseAnswer(seller, payer, '/report', post({ city: 'rome' }))
    const other = await payer.buy(`${seller.url}/report`, post({ city: 'oslo' }))
    expect([await other.json(), await payer.paid()]).toEqual([
      { path: '/report', run: 2, body: { city: 'oslo' } },
      2n,
    ])
    await payer.buy(`${seller.url}/report`, post({ city: 'rome' }, identifier))
    const refused = await payer.buy(`${seller.url}/report`, post({ city: 'oslo' }, identifier))
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: 'payment_identifier_conflict' },
    ])
    expect((await payer.repeat(`${seller.url}/report`, post({ city: 'bonn' }))).status).toBe(409)
    expect(await payer.paid()).toBe(3n)
  })

  it('cannot redeem a cheap purchase on a dear route, by a new signature or by an old one', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    await loseAnswer(seller, payer)
    expect((await payer.repeat(`${seller.url}/book`)).status).toBe(402)
    expect(seller.runs).toBe(1)
    expect((await payer.buy(`${seller.url}/book`)).status).toBe(200)
    expect(await payer.paid()).toBe(6n)
  })

  it('cannot replay a delivered purchase, although the signature is public on the chain', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    expect((await payer.buy(`${seller.url}/report`)).status).toBe(200)
    expect((await payer.repeat(`${seller.url}/report`)).status).toBe(402)
    expect(seller.runs).toBe(1)
  })

  it('cannot redeem what another payer has bought, by its address, its identifier or its settled signature', async () => {
    const [seller, payer, thief] = [
      await openSeller(),
      await openPayer(environment),
      await openPayer(environment),
    ]
    const identifier = createIdentifier()
    await loseAnswer(seller, payer, '/report', { identifier })
    const payment = JSON.parse(Buffer.from(payer.getSigned(), 'base64').toString())
    const present = (changed: object) => {
      const header = Buffer.from(JSON.stringify({ ...payment, ...changed })).toString('base64')
      return fetch(`${seller.url}/report`, { headers: { 'PAYMENT-SIGNATURE': header } })
    }
    const { payload } = payment
    await payer.repeat(`${seller.url}/book`)
    // What the chain shows: the signed authorization, without the identifier.
    expect((await present({ extensions: {} })).status).not.toBe(200)
    // The address of the payer, with a signature of somebody else.
    const nonce = `0x${randomBytes(32).toString('hex')}`
    const authorization = { ...payload.authorization, nonce }
    expect((await present({ payload: { ...payload, authorization } })).status).not.toBe(200)
    // The identifier, by another payer: it is another purchase.
    expect(await (await thief.buy(`${seller.url}/report`, { identifier })).json()).toEqual({
      path: '/report',
      run: 2,
    })
    expect(await thief.paid()).toBe(1n)
    const redeemed = await payer.buy(`${seller.url}/report`, { identifier })
    expect([await redeemed.json(), await payer.paid()]).toEqual([{ path: '/report', run: 1 }, 1n])
  })

  it('cannot redeem a purchase at another origin of the seller', async () => {
    const [seller, payer] = [await openSeller(), await openPayer(environment)]
    await loseAnswer(seller, payer)
    const elsewhere = seller.url.replace('127.0.0.1', 'localhost')
    expect((await payer.repeat(`${elsewhere}/report`)).status).toBe(402)
    expect(seller.runs).toBe(1)
  })

  it('takes no more room by asking again', async () => {
    const entries = new Set<string>()
    const store = createMemoryStore()
    const counting: PurchaseStore = {
      ...store,
      claim: async (entry, ttl) => {
        const existing = await store.claim(entry, ttl)
        if (existing === undefined) entries.add(entry.payment)
        return existing
      },
    }
    const [seller, payer] = [
      await openSeller({ store: counting, maxResponseBytes: 4, maxReruns: 100 }),
      await openPayer(environment),
    ]
    await loseAnswer(seller, payer)
    seller.isCut = true
    for (let time = 0; time < 20; time += 1) await payer.buy(`${seller.url}/report`).catch(() => {})
    await waitUntil(() => seller.runs > 10)
    expect([entries.size, await payer.paid()]).toEqual([1, 1n])
  })
})
