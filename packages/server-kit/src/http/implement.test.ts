import { NotFoundError } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/operation'
import { Hono } from 'hono'
import { pino } from 'pino'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { createMetrics } from '../process/metrics.ts'
import { callOperation } from './call-operation.ts'
import { refusal } from './http-error.ts'
import { createImplement, withPreparation } from './implement.ts'
import { envelopeFormat } from './response-format.ts'
import { serveOperations } from './serve.ts'

const SOLD = { code: 40998, reason: 'SOLD', message: 'It is sold' } as const
const CLOSED = { code: 40999, reason: 'CLOSED', message: 'It is closed' } as const

const get = gatewayOperation({
  id: 'shop.get',
  effect: 'read',
  method: 'GET',
  path: '/api/v1/shop',
  source: 'own',
  scope: 'shop:read',
  data: v.object({}),
  errors: [NotFoundError, SOLD],
})
const shop = { get }
const implement = createImplement<object>()

it('a refusal by a rule that the operation does not declare is an error of the server, in both steps of a handler', async () => {
  const refuse = () => {
    throw refusal(CLOSED)
  }
  const handlers = [
    { get: refuse },
    { get: withPreparation(async () => refuse(), refuse) },
    { get: withPreparation(async () => undefined, refuse) },
  ]
  for (const each of handlers) {
    const call = callOperation({ routes: implement(shop, each), context: {} }, get, {})
    await expect(call).rejects.toThrow('shop.get does not declare the error CLOSED. Add it to its errors')
  }
})

it('a call that is refused by a rule that the operation does not declare gets 500 without the rule, and the log names the rule', async () => {
  const app = new Hono()
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  serveOperations(app, {
    routes: implement(shop, {
      get() {
        throw refusal(CLOSED)
      },
    }),
    format: envelopeFormat,
    log,
    metrics: createMetrics('shop', log),
    authenticate: async () => undefined,
    run: async (_, handle) => ({ data: await handle({}) }),
  })
  const response = await app.request('/api/v1/shop')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    code: 500,
    data: {},
    msg: 'Internal server error. The server log contains the request id',
    success: false,
  })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      requestId: response.headers.get('x-request-id'),
      operation: 'shop.get',
      err: { message: expect.stringContaining('shop.get does not declare the error CLOSED') },
    },
  ])
})
