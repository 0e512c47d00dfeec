import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import type { RawResponse } from '../src/testing/raw-client.ts'
import { callOf, statedOperations } from '../src/testing/stated-operations.ts'
import { insertStatedRows, rowCounts } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
let before: Record<string, number>
beforeAll(async () => {
  gateway = await testGateway()
  await insertStatedRows(gateway, gateway.key.projectId)
  before = await rowCounts(gateway)
})
afterAll(() => gateway.close())

function expectRefused({ status, json }: RawResponse, field: string | undefined, context?: string) {
  expect(status, context).toBe(400)
  expect(json).toMatchObject({ code: 400, success: false, msg: expect.any(String) })
  const { issues } = json.data as { issues: { path: string; message: string }[] }
  expect(issues.every(({ message }) => typeof message === 'string' && message !== '')).toBe(true)
  if (field === undefined) return
  const paths = issues.map(({ path }) => path)
  expect(
    paths.some((path) => path === field || path.startsWith(`${field}.`)),
    `${context}: ${paths}`,
  ).toBe(true)
}

/** Texts and values that are no times. */
const WRONG_TIMES: readonly unknown[] = [
  ...[1767225600000, null, true, '', 'tomorrow', '2026-01-01', '2026-1-1T0:0:0Z', '2026-01-01T00:00:00Z\n'],
  ...['+012345-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ...['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00+99:99'],
  '9999-12-31T23:59:59-01:00',
]

const bodies = statedOperations.filter(({ input }) => input.in === 'body')
const queries = statedOperations.filter(({ input }) => input.in === 'query')

describe.each(bodies)('operation $number refuses, naming the field,', (operation) => {
  const { path, valid } = operation
  const send = (body: string | Uint8Array<ArrayBuffer> | object, query = '') =>
    gateway.key.call({ path, body, query })

  it('what is no time', async () => {
    const times = Object.entries(operation.input.fields).filter(([, type]) => type === 'timestamp')
    for (const [field] of times)
      for (const value of WRONG_TIMES)
        expectRefused(await send({ ...valid, [field]: value }), field, `${field} = ${JSON.stringify(value)}`)
  })

  it.each(['unknown', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'id', ''])(
    'a field that it does not have: "%s"',
    async (field) => {
      const body = JSON.stringify(valid).replace('{', `{${JSON.stringify(field)}:{"polluted":true},`)
      expectRefused(await send(body), field)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    },
  )

  it.each([
    ['nothing', ''],
    ['half a body', '{"name": "a'],
    ['two bodies', '{}{}'],
    ['single quotes', "{'name': 'a'}"],
    ['a comment', '{/**/}'],
    ['NaN', '{"name": NaN}'],
    ['an array', '[]'],
    ['an array of bodies', '[{}]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"name"'],
    ['true', 'true'],
    ['form fields', 'name=a&nftAddress=b'],
    ['U+0000', '\0'],
    ['brackets without end', '['.repeat(100_000)],
    ['brackets with an end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ])('%s instead of an object', async (_, body) => {
    expectRefused(await send(body), '')
  })

  it.each(Object.entries(operation.input.fields).filter(([, type]) => type === 'string'))(
    'U+0000 and half a surrogate pair in %s',
    async (field) => {
      expectRefused(await send({ ...valid, [field]: 'a\0b' }), field)
      for (const half of ['\\ud83d', '\\udc00', 'a\\ud800b']) {
        const body = JSON.stringify({ ...valid, [field]: 'HALF' }).replace('HALF', half)
        expectRefused(await send(body), field)
      }
    },
  )

  it('numbers that are too large', async () => {
    const numbers = Object.entries(operation.input.fields).filter(([, type]) => type === 'number')
    for (const [field] of numbers) {
      for (const huge of ['1e400', '-1e400', '9007199254740993', '1e308', '-1', '-1e-5']) {
        const body = JSON.stringify({ ...valid, [field]: 'HUGE' }).replace('"HUGE"', huge)
        expectRefused(await send(body), field, `${field} = ${huge}`)
      }
    }
  })

  it('a query', async () => {
    expectRefused(await send(valid, 'name=another'), 'name')
    expectRefused(await send(valid, '__proto__=1'), '__proto__')
  })

  it('more wrong fields than anybody would read, without repeating them all', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field-${at}`, at]))
    const answer = await send(many)
    expectRefused(answer, 'field-0')
    expect(answer.text.length).toBeLessThan(10_000)
    const long = await send({ ['x'.repeat(900_000)]: 1 })
    expect(long.status).toBe(400)
    expect(long.text.length).toBeLessThan(10_000)
  })

  it('and stores nothing', async () => {
    expect(await rowCounts(gateway)).toEqual(before)
  })
})

const strangeTexts = ['%25', '+', '%2B', "'--", '0x%31', '🎟']
/**
 * Percent signs that encode no character. Each has the signature of another query, in which the percent sign
 * is encoded.
 */
const malformedTexts = ['%FF', '%', '%zz', 'a%', '%ED%A0%80', '100%&pageSize=1']

describe.each(queries)('operation $number refuses, naming the field,', (operation) => {
  const { path, valid } = operation
  const [field = ''] = operation.required
  const value = encodeURIComponent(String(valid[field]))
  const send = (query: string) => gateway.key.call({ path, query })

  it.each([
    ['a query without its field', ''],
    ['the field empty', `${field}=`],
    ['the field without a value', field],
    ['the field twice', `${field}=${value}&${field}=${value}`],
    [
      'the field twice in two encodings',
      `${field}=${value}&%${field.charCodeAt(0).toString(16)}${field.slice(1)}=1`,
    ],
    ['U+0000', `${field}=a%00b`],
  ])('%s', async (_, query) => {
    expectRefused(await send(query), field)
  })

  it.each([
    'unknown',
    '__proto__',
    'constructor',
    'toString',
    `${field}[]`,
    `${field}[a]`,
    field.toUpperCase(),
  ])('a field that it does not have: %s', async (name) => {
    expectRefused(await send(`${field}=${value}&${encodeURIComponent(name)}=1`), name)
  })

  it('a body', async () => {
    for (const headers of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }]) {
      expectRefused(await gateway.key.call({ path, query: `${field}=${value}`, headers }), '')
    }
  })

  it('a strange text where an address belongs', async () => {
    for (const odd of [...strangeTexts, 'x'.repeat(7000)]) {
      expectRefused(await send(`${field}=${odd}`), field, odd)
    }
  })

  it('but not an address that is written in percent encoding', async () => {
    const encoded = value.replaceAll('0', '%30')
    expect([200, 404]).toContain((await send(`${field}=${encoded}`)).status)
  })
})

it('takes a strange text where any text may be', async () => {
  for (const odd of strangeTexts) {
    const { status, json } = await gateway.key.call({
      path: '/api/v1/contract/page',
      query: `keyword=${odd}`,
    })
    expect(status, `${odd}: ${JSON.stringify(json)}`).toBe(200)
  }
})

it.each(malformedTexts)('refuses the malformed percent-encoding %s in a query', async (text) => {
  const path = '/api/v1/contract/page'
  expectRefused(await gateway.key.call({ path, query: `keyword=${text}` }), '', text)
  expectRefused(await gateway.key.call({ path, query: `${text}=1` }), '', text)
})

describe('a card’s id', () => {
  const get = (id: string) => gateway.key.call({ path: `/api/v1/card/promoCodeCards/${id}` })

  it.each(['0', '9007199254740993', '9'.repeat(400)])('a card’s id is not %s', async (id) => {
    expectRefused(await get(id), 'id')
  })

  it.each(['-1', '1.5', '1.0', '1e3', '0x1', 'abc', '%00', '1%20', '+1', '%D9%A1'])(
    'a card’s id is digits alone, and not %s',
    async (id) => {
      expectRefused(await get(id), 'id', id)
    },
  )

  it('a card’s id is checked only after the caller is authenticated', async () => {
    const answer = await gateway.app.request('http://gateway.test/api/v1/card/promoCodeCards/abc')
    expect(answer.status).toBe(401)
  })

  it('a card’s id takes neither a query nor a body', async () => {
    const path = '/api/v1/card/promoCodeCards/1'
    expectRefused(await gateway.key.call({ path, query: 'id=2' }), 'id')
    expectRefused(await gateway.key.call({ path, headers: { 'content-length': '2' } }), '')
  })
})

describe('a page query refuses', () => {
  it.each([
    ['pageNumber', '0'],
    ['pageNumber', '-1'],
    ['pageNumber', '1.5'],
    ['pageNumber', 'first'],
    ['pageNumber', '1000001'],
    ['pageNumber', '9'.repeat(30)],
    ['pageSize', '0'],
    ['pageSize', '101'],
    ['pageSize', '1e2'],
    ['orderBy', 'secret'],
    ['orderBy', 'name;drop table gateway.cards'],
    ['orderBy', 'name sideways'],
    ['orderBy', 'constructor'],
    ['orderBy', 'name desc desc'],
    ['cursor', ''],
    ['cursor', 'next'],
    ['cursor', Buffer.from('["id desc","1"]').toString('base64url')],
    ['cursor', Buffer.from('["id desc","one",1]').toString('base64url')],
    ['cursor', Buffer.from('["id desc","1e999",1]').toString('base64url')],
    ['cursor', Buffer.from('["id desc","1\\u0000",1]').toString('base64url')],
    ['cursor', Buffer.from('["id asc","1",1]').toString('base64url')],
    ['cursor', Buffer.from('["name desc","a",1]').toString('base64url')],
  ])('a page query refuses %s %s', async (field, text) => {
    const answer = await gateway.key.call({
      path: '/api/v1/card/commemorativeCards/getPageListByCreator',
      query: `creator=0x${'1'.repeat(40)}&${field}=${encodeURIComponent(text)}`,
    })
    expectRefused(answer, field, text)
  })
})

describe('rules beyond types refuse', () => {
  const at = (number: number) => {
    const operation = statedOperations.find((each) => each.number === number)
    if (!operation) throw new Error(`operation ${number} is not listed`)
    return operation
  }
  it.each([
    [2, 'endTime', { startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' }],
    [2, 'endTime', { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T01:00:00+01:00' }],
    [2, 'totalIssued', { totalIssued: 0 }],
    [2, 'totalIssued', { totalIssued: 1.5 }],
    [4, 'nftAddress', { nftAddress: 'x'.repeat(129) }],
    [4, 'applicableStores', { applicableStores: ['Berlin', ''] }],
    [5, 'status', { status: 'MINTED' }],
    [5, 'status', { status: 'display' }],
    [5, 'royaltyPercentage', { royaltyPercentage: 100.01 }],
    [5, 'limited', { limited: 0.5 }],
    [5, 'owner', { owner: 'x'.repeat(129) }],
    [6, 'hash', { hash: '0x5a' }],
    [6, 'hash', { hash: `0x${'zz'.repeat(32)}` }],
  ])('rules beyond types refuse a wrong field of operation %i: %s', async (number, field, change) => {
    const operation = at(number)
    expectRefused(await gateway.key.call(callOf(operation, { ...operation.valid, ...change })), field)
    expect(await rowCounts(gateway)).toEqual(before)
  })
})
