import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Role } from '@mintmark/admin'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, TestBrowser } from '../testing/console-person.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { addConsoleImages, type ConsoleImageOptions } from './console-images.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

describe('an image that a tenant names', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let site: Server
  let base = ''
  let respond: RequestListener = () => {}
  let requests: Record<string, unknown>[] = []
  beforeAll(async () => {
    gateway = await testGateway()
    browser = await addPerson(gateway, {
      email: 'kim@example.com',
      role: Role.STAFF,
      project: gateway.key.projectId,
    })
    site = createServer((request, response) => {
      requests.push(request.headers)
      respond(request, response)
    })
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    site.closeAllConnections()
    site.close()
    await gateway.close()
  })

  /** Requests an image as the page does. */
  async function load(
    address: string,
    headers: Record<string, string> = {},
    by = browser,
  ): Promise<Response> {
    requests = []
    return await by.fetch(`/console/images?address=${encodeURIComponent(address)}`, { headers })
  }

  function serve(type: string, body: string | Buffer): void {
    respond = (_, response) =>
      void response.writeHead(200, { 'content-type': type, 'set-cookie': 'a=b' }).end(body)
  }

  it('an image that a tenant names is served by the gateway, without the other headers of its site', async () => {
    serve('image/png', 'picture')
    const response = await load(`${base}/1.png`)
    expect([response.status, await response.text()]).toEqual([200, 'picture'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=3600',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(response.headers.has('set-cookie')).toBe(false)
    // The other site does not learn who looks at the image.
    expect(Object.keys(requests[0] ?? {}).toSorted()).toEqual(['accept', 'connection', 'host', 'user-agent'])
  })

  it('an image that a tenant names runs no script that is in it, and opened by itself it is downloaded', async () => {
    serve('image/svg+xml', SVG)
    const { headers } = await load(`${base}/1.svg`)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['text/html', 'application/javascript', 'image/x-unknown', ''])(
    'an image that a tenant names is refused with the media type %j',
    async (type) => {
      serve(type, '<script>alert(1)</script>')
      const response = await load(`${base}/1.png`)
      expect([response.status, await response.text()]).toEqual([502, 'The address is no image'])
    },
  )

  it('an image that a tenant names is refused above 2 MiB', async () => {
    serve('image/png', Buffer.alloc(2 * 1024 * 1024 + 1))
    const response = await load(`${base}/1.png`)
    expect([response.status, await response.text()]).toEqual([
      502,
      'The response has more than 2097152 bytes',
    ])
  })

  it('an image that a tenant names is read for nobody who is not signed in, and for no other website', async () => {
    serve('image/png', 'picture')
    expect((await load(`${base}/1.png`, {}, new TestBrowser(gateway))).status).toBe(401)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await load(`${base}/1.png`, { 'sec-fetch-site': site })).status).toBe(403)
    expect(requests).toEqual([])
    expect((await load(`${base}/1.png`, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it.each(['', 'file:///etc/passwd', 'http://169.254.169.254/latest', 'https://user:password@shop.example/'])(
    'an image that a tenant names is not read from %j',
    async (address) => {
      expect((await load(address)).status).toBe(400)
    },
  )

  it('an image that a tenant names is not read from a private address unless webhooks may be sent there', async () => {
    const strict = await testGateway({ webhooks: { allowPrivate: false } })
    try {
      const project = strict.key.projectId
      const person = await addPerson(strict, { email: 'ada@example.com', role: Role.STAFF, project })
      serve('image/png', 'picture')
      expect(await (await load(`${base}/1.png`, {}, person)).text()).toBe('The URL must use https')
      const secure = await load('https://127.0.0.1/1.png', {}, person)
      expect(await secure.text()).toBe('The host has an address that is not public')
      expect(requests).toEqual([])
    } finally {
      await strict.close()
    }
  })

  it('an image that a tenant names is limited for each person', async () => {
    const app = openImages()
    const statuses: number[] = []
    for (let count = 0; count < 301; count += 1) statuses.push((await app.load('', 'eager')).status)
    expect(statuses.slice(-2)).toEqual([400, 429])
    expect((await app.load('', 'kim')).status).toBe(400)
  })

  /** Serves images to people whom a header names. */
  function openImages(options: Partial<ConsoleImageOptions> = {}) {
    const app = new Hono()
    app.onError((error, context) => context.text(error.name, 429))
    const rest = { name: '', email: '', sessionId: '', expiresAt: new Date(0) }
    addConsoleImages(app, {
      trustedProxyHops: 0,
      now: () => 0,
      auth: { findSession: async (headers) => ({ ...rest, personId: headers.get('x-person') ?? '' }) },
      getDestinations: () => ({ allowPrivate: true, resolve: async () => [] }),
      ...options,
    })
    const load = async (address: string, person: string, init: RequestInit = {}) =>
      await app.request(`/console/images?address=${encodeURIComponent(address)}`, {
        ...init,
        headers: { 'x-person': person },
      })
    return { load }
  }

  /** Lets requests to the other site wait until they are answered by the test. */
  function holdRequests() {
    const held: { readonly path: string; readonly end: () => void }[] = []
    let closed = 0
    respond = ({ url = '' }, response) => {
      response.once('close', () => {
        closed += 1
      })
      const end = () => void response.writeHead(200, { 'content-type': 'image/png' }).end('picture')
      held.push({ path: url, end })
    }
    return { held, countClosed: () => closed, paths: () => held.map(({ path }) => path).toSorted() }
  }

  it('an image that a tenant names waits while four others of the same person are read, and nobody else waits for these', async () => {
    const { held, paths } = holdRequests()
    const app = openImages()
    const own = ['/1', '/2', '/3', '/4', '/5'].map((path) => app.load(`${base}${path}`, 'kim'))
    await expect.poll(paths).toEqual(['/1', '/2', '/3', '/4'])
    const other = app.load(`${base}/other`, 'ada')
    await expect.poll(paths).toEqual(['/1', '/2', '/3', '/4', '/other'])
    for (const { end } of held) end()
    await Promise.all([...own.slice(0, 4), other].map(async (response) => (await response).text()))
    await expect.poll(paths).toEqual(['/1', '/2', '/3', '/4', '/5', '/other'])
    held.at(-1)?.end()
    expect((await own[4])?.status).toBe(200)
  })

  it('an image that a tenant names waits while 32 of other people are read', async () => {
    const { held } = holdRequests()
    const app = openImages()
    const all = Array.from({ length: 33 }, (_, index) => app.load(`${base}/1.png`, `person ${index % 9}`))
    await expect.poll(() => held.length).toBe(32)
    held[0]?.end()
    await (await Promise.race(all)).text()
    await expect.poll(() => held.length).toBe(33)
    for (const { end } of held.slice(1)) end()
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(
      Array.from({ length: 33 }, () => 200),
    )
  })

  it('an image that a tenant names is not read for a client that has gone, and is no longer read when it goes', async () => {
    const { held, countClosed, paths } = holdRequests()
    const app = openImages()
    const controllers = Array.from({ length: 5 }, () => new AbortController())
    const own = controllers.map(({ signal }, index) => app.load(`${base}/${index}`, 'kim', { signal }))
    await expect.poll(paths).toEqual(['/0', '/1', '/2', '/3'])
    const last = app.load(`${base}/last`, 'kim')
    controllers[4]?.abort()
    expect((await own[4])?.status).toBe(503)
    controllers[0]?.abort()
    await expect.poll(paths).toEqual(['/0', '/1', '/2', '/3', '/last'])
    await expect.poll(countClosed).toBe(1)
    for (const { end } of held) end()
    expect((await last).status).toBe(200)
  })

  it('an image that a tenant names is refused while a hundred others of the same person wait', async () => {
    const { held } = holdRequests()
    const app = openImages()
    const gone = new AbortController()
    const own = Array.from({ length: 104 }, () => app.load(`${base}/1.png`, 'kim', { signal: gone.signal }))
    await expect.poll(() => held.length).toBe(4)
    const refused = await app.load(`${base}/1.png`, 'kim')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const other = app.load(`${base}/1.png`, 'ada')
    await expect.poll(() => held.length).toBe(5)
    held[4]?.end()
    expect((await other).status).toBe(200)
    gone.abort()
    expect(new Set((await Promise.all(own)).map(({ status }) => status))).toEqual(new Set([502, 503]))
  })

  it('an image that a tenant names keeps its place until the client has read it or gone, except for HEAD', async () => {
    serve('image/png', Buffer.alloc(100_000))
    const app = openImages()
    requests = []
    const address = `${base}/1.png`
    for (let count = 0; count < 5; count += 1) await app.load(address, 'kim', { method: 'HEAD' })
    const [first, second] = await Promise.all([1, 2, 3, 4].map(() => app.load(address, 'kim')))
    const waiting = [app.load(address, 'kim'), app.load(address, 'kim')]
    await (await app.load(address, 'ada')).text()
    expect(requests).toHaveLength(10)
    expect((await first?.arrayBuffer())?.byteLength).toBe(100_000)
    expect((await waiting[0])?.status).toBe(200)
    expect(requests).toHaveLength(11)
    await second?.body?.cancel()
    expect((await waiting[1])?.status).toBe(200)
  })

  it('an image that a tenant names ends for clients of which it is not read in time', async () => {
    serve('image/png', Buffer.alloc(2 * 1024 * 1024))
    const app = openImages({ sendTimeoutMs: 1 })
    const all = await Promise.all(Array.from({ length: 9 }, () => app.load(`${base}/1.png`, 'kim')))
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200))
    await expect(all[0]?.text()).rejects.toThrow('The client did not read the image in time')
  })
})
