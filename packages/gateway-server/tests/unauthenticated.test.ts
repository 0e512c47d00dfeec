import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type Listening, listen } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { rawClient } from '../src/testing/raw-client.ts'

const path = '/api/v1/wallet/walletInfo'
const body = { address: `0x${'a1'.repeat(20)}`, name: 'Ada' }

let gateway: TestGateway
let server: Listening
beforeAll(async () => {
  gateway = await testGateway()
  server = await listen(gateway.app, { port: 0 })
})
afterAll(async () => {
  await server.close()
  await gateway.close()
})

const overHttp = () => rawClient((request) => fetch(request), gateway.key, { publicUrl: server.url })

/**
 * Sends headers and the beginning of a body that never ends; resolves with the response after the server has
 * closed the connection.
 */
async function sendEndlessBody(headers: Record<string, string>): Promise<IncomingMessage> {
  const call = httpRequest(`${server.url}${path}`, { method: 'POST', headers })
  // The server closes the connection while the body is still being sent.
  call.on('error', () => {})
  call.write('{"name":"')
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const closed = once(response.socket, 'close')
  response.resume()
  await closed
  return response
}

/** Headers of a call that is signed for another body. */
function headersOf(more: Record<string, string> = {}): Record<string, string> {
  const { headers } = gateway.key.request({ path, body })
  const { 'content-length': _, ...signed } = Object.fromEntries(headers)
  return { ...signed, ...more }
}

it.each<[string, () => Record<string, string>]>([
  ['without headers of a signature', () => ({ 'content-type': 'application/json' })],
  ['with an unknown key', () => headersOf({ 'x-api-key': 'mk_nobody' })],
  ['with a timestamp of last year', () => headersOf({ 'x-timestamp': '1700000000000' })],
])(
  'a call whose body never ends is 401 before its body is read, and its connection is closed: %s',
  async (_, headers) => {
    const response = await sendEndlessBody(headers())
    expect(response.statusCode).toBe(401)
    expect(response.headers.connection).toBe('close')
  },
)

it('a call whose body never ends is 413 by the length that it announces, before its body is read', async () => {
  const response = await sendEndlessBody(headersOf({ 'content-length': String(2 * 1024 * 1024) }))
  expect(response.statusCode).toBe(413)
})

describe('unknown keys', () => {
  /**
   * Counts the statements that look up keys. They share a connection with other short reads, by a method that
   * is not part of pg's own type.
   */
  function countLookups(): { count(): number; stop(): void } {
    const pool = gateway.database.pool as unknown as { read(project: string, text: string): unknown }
    const reads = vi.spyOn(pool, 'read')
    return {
      count: () => reads.mock.calls.filter(([, text]) => text.includes('api_keys')).length,
      stop: () => reads.mockRestore(),
    }
  }

  it('unknown keys cost one lookup a second where 1,000 calls carry the same one', async () => {
    const lookups = countLookups()
    const started = performance.now()
    for (let call = 0; call < 1000; call++) {
      const request = { path, query: `address=${body.address}`, headers: { 'x-api-key': 'mk_stolen' } }
      expect((await gateway.key.call(request)).status).toBe(401)
    }
    const seconds = (performance.now() - started) / 1000
    expect(lookups.count()).toBeGreaterThan(0)
    expect(lookups.count()).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
    lookups.stop()
  })

  it('unknown keys are refused by address, so that 1,000 calls with 1,000 keys cost a few lookups, and a good key still passes', async () => {
    const client = overHttp()
    expect((await client.call({ path, query: `address=${body.address}` })).status).toBe(404)
    const lookups = countLookups()
    const started = performance.now()
    const statuses = new Set<number>()
    await Promise.all(
      Array.from({ length: 10 }, async (_, lane) => {
        for (let call = 0; call < 100; call++) {
          const headers = { 'x-api-key': `mk_${lane}_${call}` }
          statuses.add((await client.call({ path, query: `address=${body.address}`, headers })).status)
        }
      }),
    )
    const seconds = (performance.now() - started) / 1000
    expect([...statuses].sort()).toEqual([401, 429])
    // A burst of 20 and 2 per second, the first call of each loop, and that of the valid key.
    expect(lookups.count()).toBeGreaterThan(0)
    expect(lookups.count()).toBeLessThanOrEqual(31 + 2 * Math.ceil(seconds))
    lookups.stop()
    expect((await client.call({ path, query: `address=${body.address}` })).status).toBe(404)
  })
})

it('stores no signature of a write that the rate limit refused', async () => {
  const app = await gateway.another({ rateLimit: { perSecond: 0.001, burst: 1 } })
  const key = await gateway.newKey({ project: 'hasty' })
  const client = rawClient((request) => app.fetch(request), key, { publicUrl: 'http://gateway.test' })
  const signatures = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from gateway.used_signatures s
      join gateway.api_keys k on k.id = s.key_id where k.api_key = ${key.apiKey}`.execute(
      gateway.owner.system,
    )
    return rows[0]?.count
  }
  expect((await client.call({ path, body })).status).toBe(200)
  expect(await signatures()).toBe(1)
  for (let call = 0; call < 3; call++) expect((await client.call({ path, body })).status).toBe(429)
  expect(await signatures()).toBe(1)
})
