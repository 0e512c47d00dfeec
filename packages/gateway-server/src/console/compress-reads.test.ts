import { Role } from '@mintmark/admin'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPerson, type TestBrowser } from '../testing/console-person.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'

const GZIP = { 'accept-encoding': 'gzip, deflate, br' }

let gateway: TestGateway
let browser: TestBrowser
let session: Record<string, string>
beforeAll(async () => {
  gateway = await testGateway()
  const { projectId: project } = gateway.key
  browser = await addPerson(gateway, { email: 'owner@example.com', role: Role.OWNER, project })
  session = { 'x-mintmark-session': String(project) }
})
afterAll(() => gateway?.close())

async function readEncoding(path: string, init: RequestInit): Promise<string | null> {
  const response = await browser.fetch(path, init)
  expect(response.status).toBe(200)
  await response.body?.cancel()
  return response.headers.get('content-encoding')
}

it('a response to a call with a session is compressed if it is a read and the browser accepts it, with the same data', async () => {
  const read = (headers: Record<string, string>) =>
    browser.fetch('/admin/v1/people', { headers: { ...session, ...headers } })
  const [plain, compressed] = [await read({}), await read(GZIP)]
  expect(plain.headers.get('content-encoding')).toBe(null)
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(compressed.headers.get('vary')).toContain('Accept-Encoding')
  const decoded = compressed.body?.pipeThrough(new DecompressionStream('gzip'))
  expect(await new Response(decoded).json()).toEqual(await plain.json())
})

it('a response to a call with a session is not compressed if it is a write, because it may contain a new secret', async () => {
  const body = JSON.stringify({ name: 'Till' })
  const headers = { ...session, ...GZIP, 'content-type': 'application/json' }
  expect(await readEncoding('/admin/v1/apiKeys', { method: 'POST', headers, body })).toBe(null)
})

it('a response to a call with a session is not compressed if it is a stream of events, which would wait for more', async () => {
  const headers = { ...session, ...GZIP, accept: 'text/event-stream' }
  expect(await readEncoding('/api/v1/events/stream', { headers })).toBe(null)
})

it('a response to a call with a key is not compressed', async () => {
  const { headers } = await gateway.key.call({ path: '/admin/v1/people', headers: GZIP })
  expect(headers.get('content-encoding')).toBe(null)
})
