// Nobody gets a paid route of a guide or an example without a payment, whatever the method is and however the path is
// written. The sellers have the keys and the handlers of the pages, and stock middleware.

import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  request,
} from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { FacilitatorClient, RoutesConfig } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware as expressPayments } from '@x402/express'
import { paymentMiddleware as honoPayments, x402ResourceServer } from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import { NextRequest, NextResponse } from 'next/server.js'
import { afterAll, expect, it } from 'vitest'
import { createPaidApi } from '../../examples/paid-api/api.ts'
import { repositoryRoot } from '../../tools/workspace.ts'

const NETWORK = 'eip155:84532'
const kinds = [{ x402Version: 2, scheme: 'exact', network: NETWORK }] as const
/** Accepts no payment. */
const facilitator: FacilitatorClient = {
  getSupported: async () => ({ kinds: [...kinds], extensions: [], signers: {} }),
  verify: async () => ({ isValid: false, invalidReason: 'invalid_payload' }),
  settle: async () => ({ success: false, errorReason: 'invalid_payload', transaction: '', network: NETWORK }),
}
const accepts = { scheme: 'exact', price: '$0.01', network: NETWORK, payTo: `0x${'11'.repeat(20)}` } as const

/** What a page sells: the keys of its middleware and the paths of its handlers. */
interface Shop {
  readonly page: string
  readonly framework: 'express' | 'hono'
  readonly keys: readonly string[]
  readonly paths: readonly string[]
}

const readPage = (page: string): string => readFileSync(join(repositoryRoot, page), 'utf8')

const SELLS = /paymentMiddleware\w*\(|x402HTTPResourceServer\(/

/** The pages that sell something. `examples/paid-api` is started by itself. */
const PAGES = globSync(['docs/**/*.md', 'packages/*/README.md', 'examples/*/*.ts'], {
  cwd: repositoryRoot,
  exclude: ['docs/node_modules/**'],
})
  .filter((page) => SELLS.test(readPage(page)) && page !== 'examples/paid-api/api.ts')
  .sort()

/** Reads the shop of a page. The keys are the texts before a colon that begin with a path or a method and a path. */
function readShop(page: string): Shop {
  const text = readPage(page)
  const declared = /new x402HTTPResourceServer\(.*$/m.exec(text)?.[0]
  const middleware =
    declared ?? /^(?<indent> *)app\.use\((?:.|\n)*?^(?:\k<indent>\)|.*\)\)$)/m.exec(text)?.[0] ?? ''
  const paths = [...text.matchAll(/app\.get\('(\/[^']*)'/g), ...text.matchAll(/const path of \[([^\]]*)\]/g)]
  return {
    page,
    framework: /from '@x402\/(express|hono)'/.exec(text)?.[1] === 'express' ? 'express' : 'hono',
    keys: [...middleware.matchAll(/'((?:[A-Z]+ )?\/[^']*)': /g)].map(([, key = '']) => key),
    paths: paths.flatMap(([, listed = '']) => listed.replaceAll("'", '').split(', ')),
  }
}

const stops: (() => void)[] = []
afterAll(() => {
  for (const stop of stops) stop()
})

/** A started seller. `served` are the requests that reached a handler. */
interface Seller {
  readonly port: number
  readonly served: string[]
}

const toRoutes = (keys: readonly string[]): RoutesConfig =>
  Object.fromEntries(keys.map((key) => [key, { accepts }]))
const createServer = () => new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme())

/** Starts a server. Returns its port. */
async function listen(handler: RequestListener): Promise<number> {
  const server = createHttpServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function start({
  framework,
  keys,
  paths,
}: Pick<Shop, 'framework' | 'keys' | 'paths'>): Promise<Seller> {
  const served: string[] = []
  if (framework === 'hono') {
    const app = new Hono()
    app.use(honoPayments(toRoutes(keys), createServer()))
    for (const path of paths)
      app.get(path, (context) => {
        served.push(context.req.method)
        return context.text('the report')
      })
    return { port: await listen(getRequestListener(app.fetch)), served }
  }
  const app = express()
  app.use(expressPayments(toRoutes(keys), createServer()))
  for (const path of paths)
    app.get(path, ({ method }, response) => {
      served.push(method)
      response.send('the report')
    })
  return { port: await listen(app), served }
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']

/** Lists the ways to write a path. */
function listForms(path: string): string[] {
  const [first = ''] = path.slice(1)
  const code = first.charCodeAt(0).toString(16)
  const rest = path.slice(2)
  return [
    ...[path, `${path}/`, `${path}//`, `/${path}`, `//${path}`, path.toUpperCase()],
    ...[
      `/%${code}${rest}`,
      `/%25${code}${rest}`,
      `/%2525${code}${rest}`,
      `${path}%2F`,
      `%2F${path}`,
      `/%ZZ${rest}`,
    ],
    ...[
      `/.${path}`,
      `/x/..${path}`,
      `/%2e%2e${path}`,
      `${path}/.`,
      `${path}/x/..`,
      `${path}/..`,
      `${path}%2F..${path}`,
    ],
    ...[`${path}?`, `${path}?a=b`, `${path}??`, `${path}%3Fa`, `${path};a=b`, `${path}#a`, `${path}%23a`],
    ...[
      `${path}%20`,
      `${path}%00`,
      `${path}%0A`,
      `${path}.`,
      `${path}.json`,
      `\\${path.slice(1)}`,
      `${path}\\`,
    ],
    `http://127.0.0.1${path}`,
  ]
}

/** Sends a path as it is written: other clients normalize it. */
async function send(port: number, method: string, path: string): Promise<{ status: number; body: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, resolve)
    sent.on('error', reject)
    sent.end()
  })
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode ?? 0, body }
}

/** Tries every method on every form of the paths of a seller. Returns those that got something for nothing. */
async function findFreeRequests({ port, served }: Seller, paths: readonly string[]): Promise<string[]> {
  const free: string[] = []
  for (const path of paths)
    for (const form of listForms(path))
      for (const method of METHODS) {
        const { status, body } = await send(port, method, form)
        if (served.length > 0 || status < 400 || body.includes('the report'))
          free.push(`${method} ${form}: ${status}`)
        served.length = 0
      }
  return free
}

it('a paid route cannot be used without a payment is tried on all pages', () => {
  expect(PAGES.length).toBeGreaterThan(5)
})

it.each(PAGES)('a paid route cannot be used without a payment in %s', async (page) => {
  const shop = readShop(page)
  expect(shop.keys).not.toEqual([])
  expect(shop.paths).not.toEqual([])
  const seller = await start(shop)
  for (const path of shop.paths) expect((await send(seller.port, 'GET', path)).status).toBe(402)
  expect(await findFreeRequests(seller, shop.paths)).toEqual([])
})

it.each(['express', 'hono'] as const)(
  'a paid route cannot be used without a payment with parameters in the path, in %s',
  async (framework) => {
    const seller = await start({ framework, keys: ['/weather/[city]'], paths: ['/weather/:city'] })
    expect((await send(seller.port, 'GET', '/weather/Lisbon')).status).toBe(402)
    expect(await findFreeRequests(seller, ['/weather/Lisbon', '/weather/a%2Fb', '/weather/..'])).toEqual([])
  },
)

it('a paid route cannot be used without a payment in examples/paid-api', async () => {
  const app = new Hono()
  app.get('/x402/supported', (context) => context.json({ kinds, extensions: [], signers: {} }))
  const facilitatorUrl = `http://127.0.0.1:${await listen(getRequestListener(app.fetch))}`
  const api = createPaidApi({ facilitatorUrl, token: 'mm_test', payTo: accepts.payTo, network: NETWORK })
  const port = await listen(api)
  expect((await send(port, 'GET', '/weather/Lisbon')).status).toBe(402)
  const free: string[] = []
  for (const form of listForms('/weather/Lisbon'))
    for (const method of METHODS) {
      const { body, status } = await send(port, method, form)
      if (status < 400 && (method === 'HEAD' || body.includes('celsius')))
        free.push(`${method} ${form}: ${status}`)
    }
  expect(free).toEqual([])
})

it('a paid route cannot be used without a payment with withX402 of @x402/next around the handler of each method', async () => {
  // As a module, it imports `next/server`, which only bundlers and `require` find.
  const { withX402, x402ResourceServer: NextResourceServer }: typeof import('@x402/next') = createRequire(
    import.meta.url,
  )('@x402/next')
  const served: string[] = []
  const handle = withX402(
    async ({ method }) => {
      served.push(method)
      return new NextResponse('the report')
    },
    { accepts },
    // It has its own version of `@x402/core`, with the same classes and other private fields.
    new NextResourceServer(facilitator as never).register(NETWORK, new ExactEvmScheme() as never),
  )
  // Next answers HEAD with the handler of GET.
  const app = new Hono()
  const run = (method: string) =>
    app.on(method, '/report', ({ req }) => handle(new NextRequest(req.url, { method })))
  for (const method of METHODS) run(method)
  expect(
    await findFreeRequests({ port: await listen(getRequestListener(app.fetch)), served }, ['/report']),
  ).toEqual([])
})
