import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { randomFrom } from '@mintmark/devkit/random'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMcpApplication } from './application.ts'
import { connectInMemory, type TestClient } from './testing/connect.ts'
import { startGatewayWithKey } from './testing/gateway.ts'

const INTENTS = 60
const random = randomFrom(815)
const stops = new AsyncDisposableStack()
let session: TestClient
let lost = 0
let isHealed = false

beforeAll(async () => {
  const gateway = await startGatewayWithKey(stops)
  const url = await serveLocally((request, response) => {
    forward(gateway.url, request, response).catch((error: unknown) => response.destroy(error as Error))
  }, stops)
  const application = await createMcpApplication({
    gateway: { baseUrl: url, apiKey: gateway.apiKey, secret: gateway.secret },
    allow: ['*'],
    stateFile: ':memory:',
    retryDelayMs: 1,
  })
  stops.defer(() => application.close())
  session = await connectInMemory(application)
})
afterAll(() => stops.disposeAsync())

/**
 * Forwards a request to the gateway. Loses half of the calls: some before the gateway receives them, others
 * after it has responded.
 */
async function forward(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  const isLost = !isHealed && random.chance(0.5)
  if (isLost) lost += 1
  if (isLost && random.chance(0.4)) return void response.destroy()
  const { method = '', url = '' } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name))
      headers.set(name, value)
  }
  const hasBody = method !== 'GET' && body.length > 0
  const reply = await fetch(`${target}${url}`, {
    method,
    headers,
    ...(hasBody && { body: new Uint8Array(body) }),
  })
  const content = await reply.text()
  if (isLost) return void response.destroy()
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(content)
}

it('creates each record of the gateway once, although half of the answers are lost', async () => {
  const names = Array.from({ length: INTENTS }, (_, index) => `card ${index}`)
  for (const name of names) {
    const input = {
      name,
      nftAddress: `0x${'a'.repeat(40)}`,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2036-01-01T00:00:00Z',
      totalIssued: 10,
    }
    // The model repeats the call until it gets a result.
    for (;;) {
      const { isError, error } = await session.call('call_write', {
        operation: 'promoCodeCards.create',
        input,
      })
      if (!isError) break
      expect(['UnknownOutcome', 'Network', 'Timeout'], error?.message).toContain(error?.kind)
    }
  }
  expect(lost).toBeGreaterThan(INTENTS / 2)
  isHealed = true
  const created: string[] = []
  for (let pageNumber = 1; created.length < INTENTS; pageNumber += 1) {
    const page = { pageNumber, pageSize: 20, orderBy: 'id' }
    const { data } = await session.call('call_read', { operation: 'promoCodeCards.list', input: page })
    const { list, totalRow } = data as { list: readonly { readonly name: string }[]; totalRow: number }
    expect(totalRow).toBe(INTENTS)
    expect(list).not.toEqual([])
    created.push(...list.map((card) => card.name))
  }
  expect(created.sort()).toEqual(names.sort())
})
