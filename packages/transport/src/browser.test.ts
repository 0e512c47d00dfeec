import { afterEach, expect, it, vi } from 'vitest'
import { envelope, failure, misbehave } from '../testdata/misbehaving-server.ts'
import { aThing, create, get, publicThing, settle } from '../testdata/things.ts'
import { createBrowserGateway } from './browser.ts'
import { createFacilitator, type FacilitatorOptions } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const publishableKey = `pk_${'a'.repeat(22)}`
const secret = 'sk_test_4f3c2b1a'

/** Makes this process look like a page. */
function openPage() {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', {})
}
afterEach(() => vi.unstubAllGlobals())

it('createBrowserGateway sends its key in a header of its own, without a signature', async () => {
  const server = await misbehave(envelope(aThing))
  const gateway = createBrowserGateway({ baseUrl: server.url, publishableKey })
  expect(await publicThing(gateway, { id: '7' })).toEqual(aThing)
  const [request] = server.received
  expect(request?.headers['x-publishable-key']).toBe(publishableKey)
  for (const name of ['x-api-key', 'x-signature', 'x-timestamp', 'authorization', 'content-type'])
    expect(request?.headers, name).not.toHaveProperty(name)
})

it('createBrowserGateway works in a page', async () => {
  openPage()
  const server = await misbehave(envelope(aThing))
  const gateway = createBrowserGateway({ baseUrl: server.url, publishableKey })
  expect(await publicThing(gateway, { id: '7' })).toEqual(aThing)
})

it('createBrowserGateway sends no operation that is not publishable', async () => {
  const server = await misbehave(envelope(aThing))
  const gateway = createBrowserGateway({ baseUrl: server.url, publishableKey })
  await expect(get(gateway, { id: '7' })).rejects.toThrow(
    new TypeError('things.get is not available with a publishable key. Call it from your server'),
  )
  await expect(create(gateway, { name: 'seven' })).rejects.toThrow(TypeError)
  expect(server.received).toEqual([])
})

it('createBrowserGateway throws the errors of the gateway', async () => {
  const server = await misbehave(failure(404))
  const gateway = createBrowserGateway({ baseUrl: server.url, publishableKey })
  await expect(publicThing(gateway, { id: '7' })).rejects.toMatchObject({ kind: 'NotFound', status: 404 })
})

it.each(['mk_1234567890123456789012', secret, '', undefined])(
  'createBrowserGateway does not accept the key %j',
  (key) => {
    // An unset variable is not a text.
    const options = { baseUrl: 'http://localhost', publishableKey: key as string }
    expect(() => createBrowserGateway(options)).toThrow('publishableKey does not begin with pk_')
  },
)

const refusal = expect.objectContaining({
  name: 'TypeError',
  message: expect.stringMatching(
    /secret must not be in a page.*your server.*createBrowserGateway.*dangerouslyAllowBrowser/,
  ),
})
const baseUrl = 'http://localhost:1'
const clients: [string, (options: object) => unknown][] = [
  [
    'of the gateway with a secret',
    (options) =>
      createGateway({ baseUrl, credentials: { apiKey: 'key', secret }, ...options } as GatewayOptions),
  ],
  [
    'of the facilitator with a token',
    (options) =>
      createFacilitator({ baseUrl, credentials: { token: secret }, ...options } as FacilitatorOptions),
  ],
]

it.each(clients)('in a page, a client %s is refused without dangerouslyAllowBrowser', (_, createClient) => {
  openPage()
  expect(() => createClient({})).toThrow(refusal)
  expect(() => createClient({ dangerouslyAllowBrowser: false })).toThrow(refusal)
  expect(createClient({ dangerouslyAllowBrowser: true })).toHaveProperty('kind')
})

it.each(clients)('outside of a page, a client %s is accepted', (_, createClient) => {
  expect(createClient({})).toHaveProperty('kind')
  // Workers of Cloudflare and of browsers have no document. Some servers define a window.
  vi.stubGlobal('window', globalThis)
  expect(createClient({})).toHaveProperty('kind')
})

it('in a page, a client sends nothing when a function returns a secret', async () => {
  openPage()
  const server = await misbehave(envelope(aThing))
  const { url } = server
  const gateway = createGateway({ baseUrl: url, credentials: async () => ({ apiKey: 'key', secret }) })
  await expect(get(gateway, { id: '7' })).rejects.toThrow(refusal)
  const facilitator = createFacilitator({ baseUrl: url, credentials: () => ({ token: secret }) })
  await expect(settle(facilitator, { version: 2 })).rejects.toThrow(refusal)
  expect(server.received).toEqual([])
})

it('in a page, a client whose server signs, or that needs no token, is accepted', async () => {
  openPage()
  const server = await misbehave(envelope(aThing))
  const sign = async () => new Uint8Array(32)
  const gateway = createGateway({ baseUrl: server.url, credentials: { apiKey: 'key', sign } })
  expect(await get(gateway, { id: '7' })).toEqual(aThing)
  expect(createFacilitator({ baseUrl })).toHaveProperty('kind')
})
