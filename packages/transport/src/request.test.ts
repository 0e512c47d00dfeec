import { isMintmarkError } from '@mintmark/envelope'
import type { Operation } from '@mintmark/operation'
import { expect, it } from 'vitest'
import { envelope, misbehave } from '../testdata/misbehaving-server.ts'
import { aThing, check, create, get, rename } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }

/** Sends one call and returns the received request. */
async function sendCall<Call>(
  call: (gateway: ReturnType<typeof createGateway>) => Promise<Call>,
  under = '',
) {
  const server = await misbehave(envelope(aThing))
  await call(createGateway({ baseUrl: server.url + under, credentials }))
  const [request] = server.received
  if (!request) throw new Error('Nothing was sent')
  return request
}

/** Returns the issues of a call that is rejected before it is sent. */
async function getIssues(call: (gateway: ReturnType<typeof createGateway>) => Promise<unknown>) {
  const server = await misbehave(envelope(aThing))
  const error = await call(createGateway({ baseUrl: server.url, credentials })).catch(
    (error: unknown) => error,
  )
  expect(server.received.length).toBe(0)
  if (!isMintmarkError(error) || error.kind !== 'InvalidInput') throw error
  return error.issues
}

it('an input is distributed over path and query', async () => {
  const { method, url, body, headers } = await sendCall((gateway) =>
    get(gateway, { id: '7', tag: 'a', depth: 3 }),
  )
  expect([method, url]).toEqual(['GET', '/api/v1/things/7?tag=a&depth=3'])
  expect(body.length).toBe(0)
  expect(headers).not.toHaveProperty('content-type')
})

it('an input is distributed over path and body, and the body omits the fields of the path', async () => {
  const { method, url, body, headers } = await sendCall((gateway) => rename(gateway, { id: '7', name: 'é' }))
  expect([method, url]).toEqual(['PATCH', '/api/v1/things/7'])
  expect(body.toString('utf8')).toBe('{"name":"é"}')
  expect(headers['content-type']).toBe('application/json')
})

it('an input is sent without undefined fields', async () => {
  const { url } = await sendCall((gateway) => get(gateway, { id: '7', tag: undefined }))
  expect(url).toBe('/api/v1/things/7')
  const { body } = await sendCall((gateway) => create(gateway, { name: 'x', tags: undefined }))
  expect(body.toString()).toBe('{"name":"x"}')
})

it('an input is repeated in the query for each item of a list', async () => {
  const { query } = await sendCall((gateway) => get(gateway, { id: '7', tag: ['a', 'b&c'] }))
  expect(query).toBe('tag=a&tag=b%26c')
})

it.each([
  ['a/b', 'a%2Fb'],
  ['a?b#c', 'a%3Fb%23c'],
  ['100%', '100%25'],
  ['%2e%2e', '%252e%252e'],
  ['...', '...'],
  ['ü \u{1F600}', '%C3%BC%20%F0%9F%98%80'],
])('an input of %j is encoded in the path', async (id, encoded) => {
  expect((await sendCall((gateway) => get(gateway, { id }))).path).toBe(`/api/v1/things/${encoded}`)
})

it.each(['.', '..', '\uD800'])('an input of %j is rejected in the path before it is sent', async (id) => {
  expect(await getIssues((gateway) => get(gateway, { id }))).toEqual([{ path: 'id', message: 'Malformed' }])
})

it('an input of half a surrogate pair is rejected in the query before it is sent', async () => {
  expect(await getIssues((gateway) => get(gateway, { id: '7', tag: 'a\uDC00' }))).toEqual([
    { path: 'tag', message: 'Malformed' },
  ])
})

it('an input of an open body passes through, including names that every object has', async () => {
  const server = await misbehave(envelope(aThing))
  const facilitator = createFacilitator({ baseUrl: server.url, responses: 'off' })
  const input = { version: 1, constructor: 'c', toString: 't', extensions: { a: [1] } }
  const open = { ...check, openBody: true }
  await facilitator.call(open, input)
  expect(JSON.parse(server.received[0]?.body.toString() ?? '')).toEqual(input)
})

// A program without types could call it like this.
const untyped = (operation: unknown) =>
  operation as Operation<'gateway', string, { [name: string]: unknown }, unknown, 'name', never>

it.each<[string, unknown, { [name: string]: unknown }, { path: string; message: string }[]]>([
  ['lacks a field', create, {}, [{ path: 'name', message: 'Required' }]],
  [
    'contains an empty text',
    create,
    { name: '' },
    [{ path: 'name', message: 'Expected a text that is not empty' }],
  ],
  ['contains a null', create, { name: null }, [{ path: 'name', message: 'Expected string, received null' }]],
  [
    'contains a wrong type',
    create,
    { name: 5 },
    [{ path: 'name', message: 'Expected string, received number' }],
  ],
  ['contains a list', get, { id: ['7'] }, [{ path: 'id', message: 'Expected string, received Array' }]],
  ['contains a fraction', get, { id: '7', depth: 1.5 }, [{ path: 'depth', message: 'Expected an integer' }]],
  [
    'contains a wrong item',
    create,
    { name: 'x', tags: ['a', 1] },
    [{ path: 'tags.1', message: 'Expected string, received number' }],
  ],
  [
    'contains a wrong field of a field',
    create,
    { name: 'x', size: { width: 'wide' } },
    [{ path: 'size.width', message: 'Expected number, received string' }],
  ],
  [
    'contains an unknown field',
    create,
    { name: 'x', nmae: 'y' },
    [{ path: 'nmae', message: 'Unknown field' }],
  ],
  [
    'has several of these mistakes',
    create,
    { name: 5, tags: [''], more: 1 },
    [
      { path: 'name', message: 'Expected string, received number' },
      { path: 'tags.0', message: 'Expected a text that is not empty' },
      { path: 'more', message: 'Unknown field' },
    ],
  ],
])(
  'an invalid input is rejected with its fields before it is sent if it %s',
  async (_, operation, input, issues) => {
    expect(await getIssues((gateway) => untyped(operation)(gateway, input))).toEqual(issues)
  },
)

it('an invalid input is described in the message without its values', async () => {
  const gateway = createGateway({ baseUrl: 'http://127.0.0.1:1', credentials })
  const call = untyped(create)(gateway, { name: 'x', tags: 'sk_live_pasted_here' })
  await expect(call).rejects.toMatchObject({
    kind: 'InvalidInput',
    message: 'things.create: tags: Expected Array, received string',
  })
})

it.each(['', '/', '/shop', '/shop/'])('a base URL can end in %j', async (under) => {
  const { path } = await sendCall((gateway) => get(gateway, { id: '7' }), under)
  expect(path).toBe(`${under.replace(/\/$/, '')}/api/v1/things/7`)
})
