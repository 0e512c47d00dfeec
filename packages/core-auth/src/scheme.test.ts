import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hmacSha256 } from '#digest'
import { canonicalQuery, concatenated, encodeRfc3986, type SignableRequest, v1 } from './scheme.ts'

interface Vector {
  secret: string
  timestamp: string
  method: string
  path: string
  query: [string, string][]
  body: string
  canonicalQuery: string
  bodySha256: string
  signature: string
}
const here = new URL('../testdata/signing-vectors.json', import.meta.url)
const shared = new URL('../../../../shared/signing-vectors.json', import.meta.url)
// A field that the file lacks fails the comparison it is for.
const vectors: Vector[] = JSON.parse(readFileSync(here, 'utf8'))
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('v1 and the published vectors', () => {
  it('holds the vectors as they are published', { skip: !existsSync(shared) }, () => {
    expect(readFileSync(here, 'utf8')).toBe(readFileSync(shared, 'utf8'))
  })

  it.each(vectors)('signs $method $path as published', async (vector) => {
    // As a browser's URLSearchParams writes it, with its pluses and its bare asterisk.
    const query = new URLSearchParams(vector.query).toString()
    expect(canonicalQuery(query)).toBe(vector.canonicalQuery)
    const text = await v1.canonicalise({
      ...vector,
      query,
      canonicalQuery: canonicalQuery(query),
      body: utf8(vector.body),
    })
    expect(text.split('\n')).toEqual([
      'v1',
      vector.timestamp,
      vector.method,
      vector.path,
      vector.canonicalQuery,
      vector.bodySha256,
    ])
    expect(v1.encode(await hmacSha256(vector.secret, text))).toBe(vector.signature)
  })
})

describe('the canonical query', () => {
  it.each([
    ['is empty for no query', '', ''],
    ['sorts by key', 'b=1&a=2', 'a=2&b=1'],
    ['sorts by key before it sorts by value, also where a key begins like another', 'a-b=1&a=2', 'a=2&a-b=1'],
    ['sorts equal keys by value and keeps duplicates', 'a=2&a=1&a=2', 'a=1&a=2&a=2'],
    ['sorts capitals before small letters, as bytes do', 'a=1&B=1', 'B=1&a=1'],
    ['takes a plus for a space', 'q=a+b', 'q=a%20b'],
    ['keeps an encoded plus', 'q=a%2Bb', 'q=a%2Bb'],
    ['writes escapes with capitals', 'q=%c3%a9', 'q=%C3%A9'],
    ['decodes escapes of letters that need none', 'q=%61%7E', 'q=a~'],
    ["encodes !'()*", "q=!'()*", 'q=%21%27%28%29%2A'],
    ['keeps what RFC 3986 leaves unreserved', 'q=-._~', 'q=-._~'],
    ['gives a key without a value an empty one', 'a&b=', 'a=&b='],
    ['drops empty pairs', '&a=1&&b=2&', 'a=1&b=2'],
    ['keeps an empty key', '=1', '=1'],
    ['keeps equals signs in a value', 'a=b=c', 'a=b%3Dc'],
    ['encodes raw unicode by UTF-8', 'q=日本', 'q=%E6%97%A5%E6%9C%AC'],
    ['takes a stray percent sign for the text it is', 'q=100%', 'q=100%25'],
    ['takes escapes that are no UTF-8 for the text they are', 'q=%FF', 'q=%25FF'],
    ['keeps an escaped ampersand in its value', 'q=a%26b', 'q=a%26b'],
    ['keeps an escaped line feed in its value', 'q=a%0Ab', 'q=a%0Ab'],
  ])('%s', (_, query, canonical) => {
    expect(canonicalQuery(query)).toBe(canonical)
  })

  const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })))

  it('is the same whoever encoded the query, in whatever order', () => {
    fc.assert(
      fc.property(
        pairs.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          const strict = list.map(([key, value]) => `${encodeRfc3986(key)}=${encodeRfc3986(value)}`)
          expect(canonicalQuery(new URLSearchParams(shuffled).toString())).toBe(
            canonicalQuery(strict.join('&')),
          )
        },
      ),
    )
  })

  it('is its own canonical query, whatever the query was', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=&+%25F! é\u{1F600}') }), (query) => {
        const once = canonicalQuery(query)
        expect(canonicalQuery(once)).toBe(once)
      }),
    )
  })

  it('tells two different lists of pairs apart', () => {
    const read = (query: string) => [...new URLSearchParams(query)].map(([key, value]) => `${key}\n${value}`)
    fc.assert(
      fc.property(pairs, (list) => {
        const canonical = canonicalQuery(new URLSearchParams(list).toString())
        expect(read(canonical).sort()).toEqual(list.map(([key, value]) => `${key}\n${value}`).sort())
      }),
    )
  })
})

describe('the concatenated example', () => {
  const request: SignableRequest = {
    method: 'POST',
    path: '/api/v1/order/payOrder',
    query: 'b=1&a=%C3%A9',
    canonicalQuery: 'a=%C3%A9&b=1',
    body: utf8('{"name":"Zoë"}'),
    timestamp: '1767225600000',
  }

  it('signs timestamp, method, path with its query, and body', async () => {
    const text = await concatenated.canonicalise(request)
    expect(text).toBe('1767225600000POST/api/v1/order/payOrder?b=1&a=%C3%A9{"name":"Zoë"}')
    const mac = await hmacSha256('sk_test_4f3c2b1a', text)
    expect(concatenated.encode(mac)).toBe('t1dBH1vgB+JaKYb6VFsTEvUgzQamXH5h8QJEiqS5abU=')
    expect(concatenated.encode(mac)).toBe(
      createHmac('sha256', 'sk_test_4f3c2b1a').update(text).digest('base64'),
    )
  })

  it('writes no question mark when there is no query', async () => {
    const text = await concatenated.canonicalise({
      ...request,
      method: 'GET',
      query: '',
      canonicalQuery: '',
      body: utf8(''),
    })
    expect(text).toBe('1767225600000GET/api/v1/order/payOrder')
    expect(concatenated.encode(await hmacSha256('sk_test_4f3c2b1a', text))).toBe(
      'naeorS82TDVOEeuLXKAkvjiOuytIHDn8h5VOdnR78Vg=',
    )
  })

  it('signs a byte order mark as part of the body', async () => {
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...request.body])
    expect(await concatenated.canonicalise({ ...request, body: marked })).not.toBe(
      await concatenated.canonicalise(request),
    )
  })
})

it('v1 covers the body by the SHA-256 of its bytes, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      const body = new Uint8Array(bytes)
      const request = { method: 'POST', path: '/', query: '', canonicalQuery: '', body, timestamp: '1' }
      const text = await v1.canonicalise(request)
      expect(text).toBe(`v1\n1\nPOST\n/\n\n${createHash('sha256').update(bytes).digest('hex')}`)
    }),
  )
})
