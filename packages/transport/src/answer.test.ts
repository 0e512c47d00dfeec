import { isMintmarkError, UnexpectedResponseError } from '@mintmark/envelope'
import { isErrorOf } from '@mintmark/operation'
import { expect, it, vi } from 'vitest'
import { envelope, failure, json, misbehave, respond } from '../testdata/misbehaving-server.ts'
import { aThing, check, create, forget, get, settle } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const gatewayAt = (baseUrl: string, options: Partial<GatewayOptions> = {}) =>
  createGateway({ baseUrl, credentials, retries: 0, ...options })
const facilitatorAt = (baseUrl: string) =>
  createFacilitator({ baseUrl, credentials: { token: 'tok_4f3c2b1a' }, retries: 0 })

async function catchError(call: Promise<unknown>) {
  const error = await call.then(
    (data) => expect.fail(`resolved ${JSON.stringify(data)}`),
    (error: unknown) => error,
  )
  if (!isMintmarkError(error)) throw error
  return error
}

it.each<[string, number, number]>([
  ['InvalidInput', 400, 400],
  ['InvalidInput', 413, 413],
  ['Unauthorized', 401, 401],
  ['Unauthorized', 401, 40_102],
  ['InsufficientBalance', 402, 402],
  ['Forbidden', 403, 403],
  ['NotFound', 404, 404],
  ['Conflict', 409, 409],
  ['Refused', 409, 40_901],
  ['Refused', 400, 40_001],
  ['Refused', 422, 422],
  ['RateLimited', 429, 429],
  ['Server', 500, 500],
  ['Server', 503, 1],
])('a failed response becomes the error %s for HTTP %i with the code %i', async (kind, status, code) => {
  const server = await misbehave(failure(status, code, { 'x-request-id': 'r-1' }))
  const error = await catchError(get(gatewayAt(server.url), { id: '7' }))
  expect(error).toMatchObject({
    kind,
    name: `${kind}Error`,
    status,
    code,
    requestId: 'r-1',
    operation: 'things.get',
  })
  expect(error.message).toBe(`things.get: ${status} no`)
})

it.each([
  [{}, 'https://gateway.test/docs/errors#conflict'],
  [{ reason: 'OUT_OF_STOCK' }, 'https://gateway.test/docs/errors#out_of_stock'],
])('an error with %j leads to its explanation on the page that the server names', async (data, docs) => {
  const headers = { link: '<https://gateway.test/docs/errors>; rel="help"' }
  const server = await misbehave(json(409, { code: 409, data, msg: 'no', success: false }, headers))
  expect((await catchError(get(gatewayAt(server.url), { id: '7' }))).docs).toBe(docs)
})

it.each([
  ['Unauthorized', 401],
  ['NotFound', 404],
  ['Refused', 40_901],
  ['Conflict', 409],
  ['Server', 500],
  ['Refused', 0],
  ['Refused', 4010],
])('a failed response becomes the error %s for HTTP 200 with the code %i', async (kind, code) => {
  const server = await misbehave(json(200, { code, data: null, msg: 'no', success: false }))
  expect(await catchError(get(gatewayAt(server.url), { id: '7' }))).toMatchObject({
    kind,
    code,
    status: 200,
  })
})

it('a failed response is not recognized by its code alone', async () => {
  const server = await misbehave(json(200, { code: 0, data: aThing, msg: 'ok', success: true }))
  expect(await get(gatewayAt(server.url), { id: '7' })).toEqual(aThing)
})

it('a failed response has the issues that the server found', async () => {
  const issues = [
    { path: 'name', message: 'Required' },
    { path: 'tags.0', message: 'Expected a text that is not empty' },
  ]
  const server = await misbehave(json(400, { code: 400, data: { issues }, msg: 'Invalid', success: false }))
  const error = await catchError(create(gatewayAt(server.url), { name: 'x' }))
  expect(error).toMatchObject({ kind: 'InvalidInput', issues })
  expect(error.message).toBe('things.create: name: Required; tags.0: Expected a text that is not empty')
})

it.each<[string, string, string]>([
  ['a page', '<!doctype html><h1>Blocked</h1>', 'text/html'],
  ['an empty body', '', 'text/plain'],
  ['a list', '[1,2]', 'application/json'],
  ['null', 'null', 'application/json'],
  ['a number', '7', 'application/json'],
  ['a JSON string', '"no"', 'application/json'],
  ['truncated JSON', '{"code":', 'application/json'],
  ['fields of other types', '{"code":"x","msg":5,"data":{"issues":"none"}}', 'application/json'],
  ['malformed issues', '{"data":{"issues":[null,7,{"path":1}]}}', 'application/json'],
  ['a megabyte', `{"msg":"${'x'.repeat(1_000_000)}"}`, 'application/json'],
])('a failed response can contain %s', async (_, body, type) => {
  for (const status of [400, 404, 500]) {
    const server = await misbehave(respond(status, body, { 'content-type': type }))
    const error = await catchError(get(gatewayAt(server.url), { id: '7' }))
    expect(error).toMatchObject({
      status,
      kind: { 400: 'InvalidInput', 404: 'NotFound', 500: 'Server' }[status],
    })
    expect(error.message.length).toBeLessThan(1000)
  }
})

it('a failed response of the gateway has the reason of the rule that refused the call, and its detail', async () => {
  const data = { reason: 'OUT_OF_STOCK', detail: { remaining: 3 } }
  const body = { code: 40907, data, msg: 'Not enough left', success: false }
  const server = await misbehave(json(409, body))
  const error = await catchError(create(gatewayAt(server.url), { name: 'x' }))
  expect(error).toMatchObject({ kind: 'Refused', code: 40907, ...data, status: 409 })
  expect(isErrorOf(create, error)).toBe(true)
  expect(isErrorOf(get, error)).toBe(false)
  expect(isErrorOf(create, new Error('another'))).toBe(false)
})

it('a failed response of the facilitator has the reason in its body', async () => {
  const server = await misbehave(json(400, { error: 'duplicate_settlement', message: 'settled before' }))
  const error = await catchError(settle(facilitatorAt(server.url), { version: 2 }))
  expect(error).toMatchObject({ kind: 'Refused', reason: 'duplicate_settlement', status: 400 })
  expect(error.message).toBe('receipts.settle: 400 settled before')
})

it.each<[string, unknown, string, string]>([
  ['a missing field', { id: 7, tags: [] }, 'data.name', 'Required'],
  ['a null', { ...aThing, name: null }, 'data.name', 'Expected string, received null'],
  ['a wrong type', { ...aThing, id: '7' }, 'data.id', 'Expected number, received string'],
  ['a wrong item', { ...aThing, tags: ['a', 1] }, 'data.tags.1', 'Expected string, received number'],
  ['a list', [], 'data.id', 'Required'],
  ['no data', null, 'data', 'Expected Object, received null'],
])(
  'a response that does not match its operation causes an error that names the field for %s',
  async (_, data, field, message) => {
    const server = await misbehave(envelope(data, { 'x-request-id': 'r-1' }))
    const error = await catchError(get(gatewayAt(server.url), { id: '7' }))
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error).toMatchObject({ field, received: data, accepted: false, status: 200, requestId: 'r-1' })
    expect(error.message).toBe(`things.get: ${field}: ${message} in the response`)
  },
)

it.each<[string, string]>([
  ['a page', '<h1>Welcome to the hotel’s network</h1>'],
  ['an empty body', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['data without an envelope', JSON.stringify(aThing)],
])(
  'a response that does not match its operation causes an UnexpectedResponseError for %s',
  async (_, body) => {
    for (const responses of ['check', 'report', 'off'] as const) {
      const server = await misbehave(respond(200, body))
      const error = await catchError(get(gatewayAt(server.url, { responses }), { id: '7' }))
      expect(error).toBeInstanceOf(UnexpectedResponseError)
    }
  },
)

it('a response that does not match its operation causes an error that reports an accepted write', async () => {
  const server = await misbehave(envelope({ id: 7 }))
  const error = await catchError(create(gatewayAt(server.url), { name: 'x' }))
  expect(error).toMatchObject({ kind: 'UnexpectedResponse', accepted: true, field: 'data.name' })
  expect(error.message).toContain('write accepted')
})

it('a response that does not match its operation causes an error that does not report a redirected write as accepted', async () => {
  const server = await misbehave(respond(302, '', { location: '/elsewhere' }))
  const error = await catchError(create(gatewayAt(server.url), { name: 'x' }))
  expect(error).toMatchObject({ kind: 'UnexpectedResponse', accepted: false, status: 302 })
  expect(error.message).not.toContain('accepted')
})

it('a response that does not match its operation keeps unknown fields', async () => {
  const server = await misbehave(envelope({ ...aThing, color: 'blue' }))
  expect(await get(gatewayAt(server.url), { id: '7' })).toEqual({ ...aThing, color: 'blue' })
})

it('a response that does not match its operation is returned and reported with the option report', async () => {
  const server = await misbehave(envelope({ id: 7, tags: [] }))
  const onDeviation = vi.fn()
  const gateway = gatewayAt(server.url, { responses: 'report', onDeviation })
  expect(await get(gateway, { id: '7' })).toEqual({ id: 7, tags: [] })
  expect(onDeviation.mock.calls).toEqual([
    [{ operation: 'things.get', field: 'data.name', message: 'Required' }],
  ])
})

it('a response that does not match its operation is returned without a report with the option off', async () => {
  const server = await misbehave(json(200, { data: 'anything' }))
  const onDeviation = vi.fn()
  const gateway = gatewayAt(server.url, { responses: 'off', onDeviation })
  expect(await get(gateway, { id: '7' })).toBe('anything')
  expect(onDeviation).not.toHaveBeenCalled()
})

it('reads JSON with any content type', async () => {
  const text = JSON.stringify({ code: 200, data: aThing, msg: '', success: true })
  for (const type of ['text/html', '*/*', 'application/octet-stream']) {
    const server = await misbehave(respond(200, text, { 'content-type': type }))
    expect(await get(gatewayAt(server.url), { id: '7' })).toEqual(aThing)
  }
})

it('does not follow a redirect, so that no other host receives the signature', async () => {
  const elsewhere = await misbehave(envelope(aThing))
  const server = await misbehave(respond(307, '', { location: `${elsewhere.url}/api/v1/things/7` }))
  expect(await catchError(get(gatewayAt(server.url), { id: '7' }))).toBeInstanceOf(UnexpectedResponseError)
  expect(elsewhere.received.length).toBe(0)
})

const settlement = { success: true, transaction: '0xabc', note: 'grüße' }
const header = (value: unknown) => ({
  'payment-response': Buffer.from(JSON.stringify(value)).toString('base64'),
})

it('a settlement is read from the PAYMENT-RESPONSE header', async () => {
  const server = await misbehave(respond(200, '', header(settlement)))
  expect(await settle(facilitatorAt(server.url), { version: 2 })).toEqual(settlement)
})

it('a settlement is undefined if the facilitator sends none, with any body', async () => {
  const server = await misbehave(respond(200, 'anything'))
  expect(await settle(facilitatorAt(server.url), { version: 2 })).toBeUndefined()
})

it.each<[string, Record<string, string>, string]>([
  ['lacks a field', header({ success: true }), 'PAYMENT-RESPONSE.transaction'],
  ['is not JSON', { 'payment-response': 'bm9wZQ==' }, 'PAYMENT-RESPONSE'],
  ['is not base64', { 'payment-response': '%%%' }, 'PAYMENT-RESPONSE'],
])(
  'a settlement causes an UnexpectedResponseError that reports an accepted write if the header %s',
  async (_, headers, field) => {
    const server = await misbehave(respond(200, '', headers))
    const error = await catchError(settle(facilitatorAt(server.url), { version: 2 }))
    expect(error).toMatchObject({ kind: 'UnexpectedResponse', field, accepted: true })
  },
)

it('a call of the facilitator sends the token and reads plain JSON', async () => {
  const server = await misbehave(json(200, { success: true, transaction: '' }))
  expect(await check(facilitatorAt(server.url), { version: 1 })).toEqual({ success: true, transaction: '' })
  expect(server.received[0]?.headers.authorization).toBe('Bearer tok_4f3c2b1a')
})

it('a call of the facilitator sends no Authorization header without credentials', async () => {
  const server = await misbehave(json(200, { success: true, transaction: '' }))
  await check(createFacilitator({ baseUrl: server.url }), { version: 1 })
  expect(server.received[0]?.headers).not.toHaveProperty('authorization')
})

it('a call of the facilitator returns data whose success is false', async () => {
  const server = await misbehave(json(200, { success: false, transaction: '' }))
  expect(await check(facilitatorAt(server.url), { version: 1 })).toEqual({
    success: false,
    transaction: '',
  })
})

it('a call of the facilitator returns undefined for an operation without data', async () => {
  const server = await misbehave(respond(204, ''))
  expect(await forget(facilitatorAt(server.url))).toBeUndefined()
})
