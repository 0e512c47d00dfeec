import { createVerifier } from '@mintmark/core-auth'
import { isMintmarkError } from '@mintmark/envelope'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { callPath } from './call-path.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway } from './gateway.ts'

/** Creates a gateway's client, and records what it sends. */
function createRecordedGateway(respond: (count: number) => Response = () => envelope({ points: 7 })) {
  const requests: Request[] = []
  const gateway = createGateway({
    baseUrl: 'https://gateway.test/prefix',
    credentials: { apiKey: 'mk_test', secret: 'sk_test' },
    async fetch(url, init) {
      requests.push(new Request(url, init))
      return respond(requests.length)
    },
  })
  return { gateway, requests }
}
const envelope = (data: unknown) => Response.json({ code: 200, data, msg: '', success: true })
const refuse = (status: number) =>
  Response.json({ code: status, data: {}, msg: 'no', success: false }, { status })

async function isSigned(request: Request): Promise<boolean> {
  const verifier = createVerifier({ findKey: () => ({ secrets: ['sk_test'] }), remember: async () => true })
  const { pathname, search } = new URL(request.url)
  const { ok } = await verifier.verify(
    {
      method: request.method,
      path: pathname,
      query: search.slice(1),
      body: new Uint8Array(await request.clone().arrayBuffer()),
      apiKey: request.headers.get('x-api-key') ?? undefined,
      signature: request.headers.get('x-signature') ?? undefined,
      timestamp: request.headers.get('x-timestamp') ?? undefined,
    },
    { write: request.method !== 'GET' },
  )
  return ok
}

it('a path that no operation declares is called with a signature over its path, query and body', async () => {
  const { gateway, requests } = createRecordedGateway()
  const query = { wallet: '0xa b', tags: ['z', 'a'], none: undefined }
  const path = '/api/v1/loyalty/über uns/{id}/../points'
  const read = await callPath(gateway, { method: 'GET', path, query })
  expect(read).toMatchObject({ data: { points: 7 }, status: 200 })
  await callPath(gateway, {
    method: 'POST',
    path: '/api/v1/loyalty',
    query: { dry: true },
    body: { points: [1] },
  })
  expect(requests.map(({ url }) => url)).toEqual([
    'https://gateway.test/prefix/api/v1/loyalty/%C3%BCber%20uns/points?wallet=0xa%20b&tags=z&tags=a',
    'https://gateway.test/prefix/api/v1/loyalty?dry=true',
  ])
  expect(await Promise.all(requests.map(isSigned))).toEqual([true, true])
  expect(await requests[1]?.json()).toEqual({ points: [1] })
})

it('names of query fields are encoded like their values, so that the query that is signed is the one that is sent', async () => {
  const { gateway, requests } = createRecordedGateway()
  const names = [
    'filter[status]',
    'a&b',
    'a#b',
    'a=b',
    'a b',
    'a+b',
    'a%20b',
    "it's(1)*!",
    'ä',
    '{id}',
    'a.b',
    '1',
    '',
  ]
  const query = Object.fromEntries(names.map((name) => [name, ['z', 'a']]))
  await callPath(gateway, { method: 'GET', path: '/x', query })
  const body = { 'filter%5Bother%5D': 1 }
  await callPath(gateway, { method: 'POST', path: '/x', query, body })
  for (const { url } of requests) {
    const sent = new URL(url).searchParams
    expect([...new Set(sent.keys())].sort()).toEqual([...names].sort())
    for (const name of names) expect(sent.getAll(name)).toEqual(['z', 'a'])
  }
  expect(await Promise.all(requests.map(isSigned))).toEqual([true, true])
  expect(await requests[1]?.json()).toEqual(body)
  const malformed = callPath(gateway, { method: 'GET', path: '/x', query: { '\ud800': 1 } })
  await expect(malformed).rejects.toMatchObject({ kind: 'InvalidInput', issues: [{ path: '\ud800' }] })
  expect(requests).toHaveLength(2)
})

it('a call of a path is repeated only if that is safe', async () => {
  async function countAttempts(request: Partial<Parameters<typeof callPath>[1]>, idempotencyKey?: string) {
    const { gateway, requests } = createRecordedGateway((count) => (count === 1 ? refuse(503) : envelope({})))
    const call = callPath(gateway, { method: 'POST', path: '/x', ...request }, { idempotencyKey })
    await call.catch((error: unknown) => expect(isMintmarkError(error)).toBe(true))
    return requests.length
  }
  expect(await countAttempts({ method: 'GET' })).toBe(2)
  expect(await countAttempts({ method: 'DELETE' })).toBe(2)
  expect(await countAttempts({})).toBe(1)
  expect(await countAttempts({ idempotent: true })).toBe(2)
  expect(await countAttempts({}, 'auto')).toBe(2)
})

it('a call of a path ends in the errors of operations, and checks the data by a schema', async () => {
  const { gateway } = createRecordedGateway(() => refuse(404))
  const call = callPath(gateway, { method: 'GET', path: '/lost' })
  await expect(call).rejects.toMatchObject({ kind: 'NotFound', operation: 'GET /lost' })
  const strange = createRecordedGateway(() => envelope({ points: 'many' })).gateway
  const data = v.object({ points: v.number() })
  const checked = callPath(strange, { method: 'GET', path: '/points', data })
  await expect(checked).rejects.toMatchObject({ kind: 'UnexpectedResponse', field: 'data.points' })
})

it.each([
  ['https://evil.test/x', 'begin with one slash'],
  ['//evil.test/x', 'begin with one slash'],
  ['/x?wallet=1', 'has a query'],
])('a call of the path %s is refused, and nothing is sent', async (path, message) => {
  const { gateway, requests } = createRecordedGateway()
  await expect(callPath(gateway, { method: 'GET', path })).rejects.toThrow(message)
  const clash = callPath(gateway, { method: 'POST', path: '/x', query: { a: 1 }, body: { a: 2 } })
  await expect(clash).rejects.toThrow('The field a is in both')
  expect(requests).toEqual([])
})

it('a path of the facilitator is called with the token', async () => {
  const requests: Request[] = []
  const facilitator = createFacilitator({
    baseUrl: 'https://pay.test',
    credentials: { token: 't' },
    async fetch(url, init) {
      requests.push(new Request(url, init))
      return Response.json({ ok: true })
    },
  })
  const { data } = await callPath(facilitator, { method: 'PUT', path: '/extras', body: { a: 1 } })
  expect([data, requests[0]?.headers.get('authorization')]).toEqual([{ ok: true }, 'Bearer t'])
})
