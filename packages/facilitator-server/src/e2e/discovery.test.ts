// Sellers on stock servers declare the extension `bazaar`, stock payers echo it, and the stock client finds
// the resources.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { catalog } from '@mintmark/facilitator'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { SettleResponse } from '@x402/core/types'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import {
  bazaarResourceServerExtension,
  type DeclareDiscoveryExtensionInput,
  declareDiscoveryExtension,
  withBazaar,
} from '@x402/extensions/bazaar'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { hex, signedBody } from '../engine/testing.ts'
import { type TestAccount, testFacilitator } from '../testing.ts'
import { openFacilitatorClient, serveSeller } from './testing-sellers.ts'

const chain = await testChain()
const payer = devAccount(1)
const payTo = hex('0x00000000000000000000000000000000005e11e3')
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const stops: (() => void)[] = []
afterAll(async () => {
  for (const stop of stops) stop()
  await facilitator.close()
})

/** What the seller's server learned of the extensions of each settle. */
let learned: unknown[] = []
beforeEach(() => {
  learned = []
  vi.spyOn(console, 'log').mockReturnValue()
})

const weather: DeclareDiscoveryExtensionInput = {
  input: { city: 'Lisbon' },
  inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
  output: { example: { celsius: 21 } },
}

/** Starts a seller of weather reports and returns its URL. */
async function sell(
  account: TestAccount,
  { path, extensions, description }: { path: string; extensions: object; description: string },
): Promise<string> {
  const app = express()
  const client = openFacilitatorClient(`${facilitator.url}/x402`, account.token)
  const server = new x402ResourceServer(client)
    .register('eip155:84532', new SellerScheme())
    .registerExtension(bazaarResourceServerExtension)
    .onAfterSettle(async ({ result }) => {
      learned.push((result as SettleResponse & { extensionResponses?: unknown }).extensionResponses)
    })
  const accepts = { scheme: 'exact', price: '$0.01', network: 'eip155:84532', payTo } as const
  const route = { accepts, description, mimeType: 'application/json', extensions: { ...extensions } }
  app.use(paymentMiddleware({ [path]: route }, server))
  app.get(path, (_, response) => void response.json({ celsius: 21 }))
  const { url, stop } = await serveSeller(app)
  stops.push(stop)
  return url
}

const pay = (url: string) =>
  wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', new PayerScheme(payer)))(url)

const bazaar = withBazaar(new HTTPFacilitatorClient({ url: `${facilitator.url}/x402` })).extensions.bazaar

test('the resource of a payment between stock packages is cataloged, its seller learns it, and the stock client finds it', async () => {
  const account = await facilitator.account()
  const extensions = declareDiscoveryExtension(weather)
  const origin = await sell(account, {
    path: '/weather',
    extensions,
    description: 'Forecasts of the weather',
  })
  const first = await pay(`${origin}/weather?city=Porto`)
  expect(first.status).toBe(200)
  expect(learned).toEqual([{ bazaar: { status: 'processing' } }])
  // The buyer does not learn it.
  const receipt = Buffer.from(first.headers.get('payment-response') ?? '', 'base64').toString()
  expect(receipt).not.toContain('bazaar')
  expect(first.headers.get('extension-responses')).toBeNull()

  await expect.poll(async () => (await bazaar.listResources()).items.length).toBe(1)
  const { items, pagination } = await bazaar.listResources({
    type: 'http',
    scheme: 'exact',
    network: 'eip155:84532',
    payTo,
    extensions: 'bazaar',
  })
  expect(pagination).toMatchObject({ offset: 0, total: 1 })
  expect(items).toMatchObject([
    {
      resource: `${origin}/weather`,
      type: 'http',
      x402Version: 2,
      description: 'Forecasts of the weather',
      mimeType: 'application/json',
      accepts: [{ scheme: 'exact', network: 'eip155:84532', amount: '10000', payTo }],
      extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } } } },
      settleCount: 1,
    },
  ])
  const search = async (query: string) => (await bazaar.search({ query })).resources
  expect(await search('weather forecast')).toHaveLength(1)
  expect(await search('weather of tomorrow')).toEqual([])

  expect((await pay(`${origin}/weather?city=Faro`)).status).toBe(200)
  expect(learned).toEqual([{ bazaar: { status: 'processing' } }, { bazaar: { status: 'success' } }])
  await expect.poll(async () => (await search('forecast'))[0]).toMatchObject({ settleCount: 2 })
})

test('the native API reports extensions in the same header, and its client searches the catalog', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const paymentPayload = {
    ...body.paymentPayload,
    resource: { url: 'https://native.example/tides?harbor=1', description: 'Harbor soundings' },
    extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: {} } },
  }
  const response = await facilitator.post('/settle', { ...body, paymentPayload }, account.token)
  expect(response.status).toBe(200)
  const header = Buffer.from(response.headers.get('extension-responses') ?? '', 'base64').toString()
  expect(JSON.parse(header)).toEqual({ bazaar: { status: 'processing' } })
  const client = facilitator.client()
  const search = () => catalog.search(client, { query: 'sounding', maxAmount: '10000' })
  await expect
    .poll(async () => (await search()).resources.map(({ resource }) => resource))
    .toEqual(['https://native.example/tides'])
  const page = await catalog.list(client, { limit: 1 })
  expect(page.items).toHaveLength(1)
  const rest = await catalog.list(client, { cursor: page.pagination.cursor ?? '' })
  expect(rest.items.map(({ resource }) => resource)).not.toContain(page.items[0]?.resource)
  await expect(catalog.list(client, { cursor: 'x' })).rejects.toMatchObject({ issues: [{ path: 'cursor' }] })
})
