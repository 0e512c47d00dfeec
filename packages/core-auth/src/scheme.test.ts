import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
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
// A field that is missing in the file fails the comparison that uses it.
const vectors: Vector[] = JSON.parse(readFileSync(here, 'utf8'))
const utf8 = (text: string) => new TextEncoder().encode(text)

it('the scheme v1 is tested with the published vectors', { skip: !existsSync(shared) }, () => {
  expect(readFileSync(here, 'utf8')).toBe(readFileSync(shared, 'utf8'))
})

it.each(vectors)('the scheme v1 signs $method $path as the published vector does', async (vector) => {
  // URLSearchParams writes spaces as pluses and leaves asterisks as they are.
  const query = new URLSearchParams(vector.query).toString()
  expect(canonicalQuery(query)).toBe(vector.canonicalQuery)
  const text = await v1.canonicalize({
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
  expect(await hmacSha256(vector.secret, text, v1.encoding)).toBe(vector.signature)
})

it.each([
  ['returns an empty text for an empty query', '', ''],
  ['sorts by key', 'b=1&a=2', 'a=2&b=1'],
  ['sorts by key before it sorts by value, even if one key is a prefix of another', 'a-b=1&a=2', 'a=2&a-b=1'],
  ['sorts equal keys by value and keeps duplicates', 'a=2&a=1&a=2', 'a=1&a=2&a=2'],
  ['sorts uppercase before lowercase letters, in byte order', 'a=1&B=1', 'B=1&a=1'],
  ['decodes a plus as a space', 'q=a+b', 'q=a%20b'],
  ['keeps an encoded plus', 'q=a%2Bb', 'q=a%2Bb'],
  ['writes escapes in upper case', 'q=%c3%a9', 'q=%C3%A9'],
  ['decodes unnecessary escapes', 'q=%61%7E', 'q=a~'],
  ["encodes !'()*", "q=!'()*", 'q=%21%27%28%29%2A'],
  ['keeps the unreserved characters of RFC 3986', 'q=-._~', 'q=-._~'],
  ['adds an empty value to a key without one', 'a&b=', 'a=&b='],
  ['drops empty pairs', '&a=1&&b=2&', 'a=1&b=2'],
  ['keeps an empty key', '=1', '=1'],
  ['keeps equals signs in a value', 'a=b=c', 'a=b%3Dc'],
  ['encodes raw Unicode as UTF-8', 'q=日本', 'q=%E6%97%A5%E6%9C%AC'],
  ['treats a stray percent sign as text', 'q=100%', 'q=100%25'],
  ['treats escapes that are not UTF-8 as text', 'q=%FF', 'q=%25FF'],
  ['keeps an escaped ampersand in its value', 'q=a%26b', 'q=a%26b'],
  ['keeps an escaped line feed in its value', 'q=a%0Ab', 'q=a%0Ab'],
])('canonicalQuery %s', (_, query, canonical) => {
  expect(canonicalQuery(query)).toBe(canonical)
})

const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })))

it('canonicalQuery returns the same text for any order and encoding of the query', () => {
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

it('canonicalQuery leaves a canonical query unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab=&+%25F! é\u{1F600}') }), (query) => {
      const once = canonicalQuery(query)
      expect(canonicalQuery(once)).toBe(once)
    }),
  )
})

it('canonicalQuery keeps every pair of key and value', () => {
  const read = (query: string) => [...new URLSearchParams(query)].map(([key, value]) => `${key}\n${value}`)
  fc.assert(
    fc.property(pairs, (list) => {
      const canonical = canonicalQuery(new URLSearchParams(list).toString())
      expect(read(canonical).sort()).toEqual(list.map(([key, value]) => `${key}\n${value}`).sort())
    }),
  )
})

const request: SignableRequest = {
  method: 'POST',
  path: '/api/v1/order/payOrder',
  query: 'b=1&a=%C3%A9',
  canonicalQuery: 'a=%C3%A9&b=1',
  body: utf8('{"name":"Zoë"}'),
  timestamp: '1767225600000',
}

it('the scheme concatenated signs timestamp, method, path with query, and body', async () => {
  const text = await concatenated.canonicalize(request)
  expect(text).toBe('1767225600000POST/api/v1/order/payOrder?b=1&a=%C3%A9{"name":"Zoë"}')
  const signature = await hmacSha256('sk_test_4f3c2b1a', text, concatenated.encoding)
  expect(signature).toBe('t1dBH1vgB+JaKYb6VFsTEvUgzQamXH5h8QJEiqS5abU=')
  expect(signature).toBe(createHmac('sha256', 'sk_test_4f3c2b1a').update(text).digest('base64'))
})

it('the scheme concatenated omits the question mark if the query is empty', async () => {
  const text = await concatenated.canonicalize({
    ...request,
    method: 'GET',
    query: '',
    canonicalQuery: '',
    body: utf8(''),
  })
  expect(text).toBe('1767225600000GET/api/v1/order/payOrder')
  expect(await hmacSha256('sk_test_4f3c2b1a', text, concatenated.encoding)).toBe(
    'naeorS82TDVOEeuLXKAkvjiOuytIHDn8h5VOdnR78Vg=',
  )
})

it('the scheme concatenated signs a byte order mark as part of the body', async () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...request.body])
  expect(await concatenated.canonicalize({ ...request, body: marked })).not.toBe(
    await concatenated.canonicalize(request),
  )
})

it('covers any body in v1 by the SHA-256 of its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      const body = new Uint8Array(bytes)
      const request = { method: 'POST', path: '/', query: '', canonicalQuery: '', body, timestamp: '1' }
      const text = await v1.canonicalize(request)
      expect(text).toBe(`v1\n1\nPOST\n/\n\n${createHash('sha256').update(bytes).digest('hex')}`)
    }),
  )
})
