import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Role } from '@mintmark/admin'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, TestBrowser } from '../testing/console-person.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { addConsoleImages } from './console-images.ts'

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
      ...{ email: 'kim@example.com', role: Role.STAFF, project: gateway.key.projectId },
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

  it('is served by the gateway, without what the other site sends besides', async () => {
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

  it('runs no script that is in it, and opened by itself it is downloaded', async () => {
    serve('image/svg+xml', SVG)
    const { headers } = await load(`${base}/1.svg`)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['text/html', 'application/javascript', 'image/x-unknown', ''])(
    'is refused with the media type %j',
    async (type) => {
      serve(type, '<script>alert(1)</script>')
      const response = await load(`${base}/1.png`)
      expect([response.status, await response.text()]).toEqual([502, 'The address is no image'])
    },
  )

  it('is refused above 5 MiB', async () => {
    serve('image/png', Buffer.alloc(5 * 1024 * 1024 + 1))
    const response = await load(`${base}/1.png`)
    expect([response.status, await response.text()]).toEqual([
      502,
      'The response has more than 5242880 bytes',
    ])
  })

  it('is read for nobody who is not signed in, and for no other website', async () => {
    serve('image/png', 'picture')
    expect((await load(`${base}/1.png`, {}, new TestBrowser(gateway))).status).toBe(401)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await load(`${base}/1.png`, { 'sec-fetch-site': site })).status).toBe(403)
    expect(requests).toEqual([])
    expect((await load(`${base}/1.png`, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it.each(['', 'file:///etc/passwd', 'http://169.254.169.254/latest', 'https://user:password@shop.example/'])(
    'is not read from %j',
    async (address) => {
      expect((await load(address)).status).toBe(400)
    },
  )

  it('is not read from a private address unless webhooks may be sent there', async () => {
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

  it('waits while 32 others are read', async () => {
    const pending: (() => void)[] = []
    let most = 0
    let isOpen = false
    respond = (_, response) => {
      const end = () => void response.writeHead(200, { 'content-type': 'image/png' }).end('picture')
      pending.push(end)
      most = Math.max(most, pending.length)
      if (isOpen) end()
    }
    const all = Promise.all(Array.from({ length: 40 }, () => load(`${base}/1.png`)))
    await expect.poll(() => pending.length).toBe(32)
    isOpen = true
    for (const end of pending.splice(0)) end()
    expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    expect(most).toBe(32)
  })

  it('is limited for each person', async () => {
    const app = new Hono()
    app.onError((error, context) => context.text(error.name, 429))
    const rest = { name: '', email: '', sessionId: '' }
    addConsoleImages(app, {
      ...{ trustedProxyHops: 0, now: () => 0 },
      auth: { findSession: async (headers) => ({ ...rest, personId: headers.get('x-person') ?? '' }) },
      getDestinations: () => ({ allowPrivate: false, resolve: async () => [] }),
    })
    const read = async (person: string) => {
      const response = await app.request('/console/images?address=', { headers: { 'x-person': person } })
      return response.status
    }
    const statuses: number[] = []
    for (let count = 0; count < 301; count += 1) statuses.push(await read('eager'))
    expect(statuses.slice(-2)).toEqual([400, 429])
    expect(await read('kim')).toBe(400)
  })
})
