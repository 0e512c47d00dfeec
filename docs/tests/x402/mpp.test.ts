// Stock customers of MPP and x402 at one address, and customers who send a used credential again.
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { Mppx } from 'mppx/client'
import { evm } from 'mppx/evm/client'
import { evm as evmShop } from 'mppx/evm/server'
import { Mppx as MppShop } from 'mppx/server'
import { mpp } from 'mppx/x402/hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Environment, openPayer, startEnvironment } from '../seller/fixture.ts'
import { NETWORK, SELLERS_WALLET } from '../seller/routes.ts'

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())

const secretKey = 'a'.repeat(64)
const authorization = { name: 'USDC', version: '2' }

const getHeaders = () => ({ Authorization: `Bearer ${environment.account.token}` })
const getUrl = () => `${environment.answers.url}/x402`

/** Sells reports by the routes of x402, to customers of both protocols. */
async function sellByRoutes(sell: () => Response) {
  const headers = getHeaders()
  const payments = new HTTPFacilitatorClient({
    url: getUrl(),
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const resources = new x402ResourceServer(payments).register(NETWORK, new ExactEvmScheme())
  await resources.initialize()
  const accepts = { scheme: 'exact', price: '$0.01', network: NETWORK, payTo: SELLERS_WALLET } as const
  const app = new Hono()
  app.use(mpp({ '/report': { accepts } }, resources, { secretKey }))
  app.get('/report', sell)
  return app.fetch
}

/** Sells reports as a shop of MPP does. */
async function sellByCharges(sell: () => Response) {
  const shop = MppShop.create({
    secretKey,
    methods: [
      evmShop.charge({
        chainId: 84532,
        currency: environment.chain.token,
        decimals: 6,
        authorization,
        recipient: SELLERS_WALLET,
        x402: {
          facilitator: getUrl(),
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...getHeaders() } }),
        },
      }),
    ],
  })
  return async (request: Request) => {
    const paid = await shop.evm.charge({ amount: '0.01' })(request)
    return paid.status === 402 ? paid.challenge : paid.withReceipt(sell())
  }
}

const SHOPS = { 'the routes of x402': sellByRoutes, 'the charges of MPP': sellByCharges }

it.each(Object.entries(SHOPS))('a shop by %s sells to customers of x402 and MPP', async (_, open) => {
  const runs = { count: 0 }
  const sell = () => Response.json({ report: ++runs.count })
  const shop = await serveShop(await open(sell))
  const payer = await openPayer(environment)
  const before = await environment.available()

  const byX402 = await payer.buy(`${shop}/report`)
  expect([byX402.status, await byX402.json()]).toEqual([200, { report: 1 }])
  let credential: string | null = null
  const { fetch: buy } = Mppx.create({
    polyfill: false,
    methods: [evm.charge({ account: payer.wallet, authorization, maxAtomicAmount: '10000' })],
    fetch: (input, init) => {
      const request = new Request(input, init)
      credential = request.headers.get('authorization') ?? credential
      return fetch(request)
    },
  })
  const byMpp = await buy(`${shop}/report`)
  expect([byMpp.status, await byMpp.json()]).toEqual([200, { report: 2 }])
  expect(byMpp.headers.get('payment-receipt')).toBeTruthy()

  // Two calls send the used credential again at the same time.
  const again = () => fetch(`${shop}/report`, { headers: { authorization: String(credential) } })
  const repeats = await Promise.all([again(), again()])
  expect(repeats.map(({ status }) => status)).toEqual([402, 402])
  expect(runs.count).toBe(2)
  expect(await payer.paid()).toBe(2n)
  expect(before - (await environment.available())).toBe(2n)
})

async function serveShop(handle: (request: Request) => Response | Promise<Response>): Promise<string> {
  const server = serve({ fetch: handle, port: 0 })
  stops.defer(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop has no port')
  return `http://127.0.0.1:${address.port}`
}
