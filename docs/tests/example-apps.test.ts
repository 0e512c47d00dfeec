import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createGateway } from '@mintmark/transport'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCoffeeShop } from '../../examples/coffee-shop/shop.ts'
import { createPaidApi } from '../../examples/paid-api/api.ts'
import { startServers } from './servers.ts'

const stops = new AsyncDisposableStack()
let prepare: Awaited<ReturnType<typeof startServers>>
beforeAll(async () => {
  prepare = await startServers(stops)
})
afterAll(() => stops.disposeAsync())

describe('the coffee shop', () => {
  const staff = { authorization: `Basic ${btoa('staff:beans')}` }

  async function openShop() {
    const { credentials } = await prepare('coffee shop')
    const { baseUrl, ...key } = credentials.gateway
    const gateway = createGateway({ baseUrl, credentials: key })
    const shop = createCoffeeShop({
      gateway,
      nftAddress: credentials.demo.nftAddress,
      staffPassword: 'beans',
    })
    const created = await shop.request('/cards', { method: 'POST' })
    const cardPage = created.headers.get('location') ?? ''
    const readCard = async () => await (await shop.request(cardPage)).text()
    const scan = async (nonce: string, qrCode = cardPage.replace('/cards/', '')) => {
      const body = JSON.stringify({ qrCode, nonce })
      const response = await shop.request('/stamps', { method: 'POST', body, headers: staff })
      return await response.json()
    }
    return { shop, readCard, scan }
  }

  it('gives ten stamps and one free coffee, however often a scan is sent and by whomever', async () => {
    const { readCard, scan } = await openShop()
    expect(await readCard()).toContain('0 of 10 stamps')
    // Two tills scan at the same time, and each sends its scan twice.
    const nonces = Array.from({ length: 11 }, (_, index) => `scan ${index}`)
    const outcomes = await Promise.all([...nonces, ...nonces].map((nonce) => scan(nonce)))
    const texts = outcomes.slice(0, 11).map(({ text }) => text)
    expect(outcomes.slice(11).map(({ text }) => text)).toEqual(texts)
    const stamps = Array.from({ length: 10 }, (_, index) => `Stamp ${index + 1} of 10`)
    expect(texts.toSorted()).toEqual([...stamps, 'This coffee is free'].toSorted())
    expect(await scan('one more')).toEqual({ ok: false, text: 'This card is full' })
    expect(await readCard()).toContain('You have had your free coffee.')
  })

  it('shows the card with its QR code', async () => {
    const { readCard, scan } = await openShop()
    await scan('first')
    expect(await readCard()).toMatch(/1 of 10 stamps.*<img src="http[^"]+\.svg"/s)
  })

  it('does not stamp for anybody else than the staff', async () => {
    const { shop, readCard } = await openShop()
    const body = JSON.stringify({ qrCode: 'x', nonce: 'y' })
    expect((await shop.request('/stamps', { method: 'POST', body })).status).toBe(401)
    expect((await shop.request('/staff')).status).toBe(401)
    expect(await readCard()).toContain('0 of 10 stamps')
  })

  it('responds to an unknown card and to a broken scan', async () => {
    const { shop, scan } = await openShop()
    expect((await shop.request('/cards/unknown')).status).toBe(404)
    expect(await scan('n', 'unknown')).toEqual({ ok: false, text: 'No card has this code' })
    const broken = await shop.request('/stamps', { method: 'POST', body: '{', headers: staff })
    expect(broken.status).toBe(400)
  })
})

describe('the paid API', () => {
  it('answers a call that is paid by a stock client, and asks for the price otherwise', async () => {
    const { given, credentials } = await prepare('paid API')
    const api = createPaidApi({
      facilitatorUrl: credentials.facilitator.baseUrl,
      token: credentials.facilitator.token,
      payTo: String(given.payTo),
      network: `eip155:${credentials.chain.chainId}`,
    })
    const server = api.listen(0, '127.0.0.1')
    stops.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())))
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}/weather/Berlin`
    expect((await fetch(address)).status).toBe(402)
    const customer = privateKeyToAccount(given.customerKey as Hex)
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(customer))
    const paid = await wrapFetchWithPayment(fetch, client)(address)
    expect([paid.status, await paid.json()]).toEqual([200, { city: 'Berlin', weather: 'sunny', celsius: 21 }])
  })
})
