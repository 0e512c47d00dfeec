import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalQuery, concatenated, type SignatureScheme, v1 } from './scheme.ts'
import { createSigner, type UnsignedRequest } from './signer.ts'
import { createVerifier, type SignedRequest, type VerifierOptions } from './verifier.ts'

const TIME = 1_767_225_600_000
const utf8 = (text: string) => new TextEncoder().encode(text)
const request: UnsignedRequest = {
  method: 'POST',
  path: '/api/v1/order/payOrder',
  query: 'a=1',
  body: utf8('{"hash":"0x1"}'),
}
type Key = { readonly secrets: readonly string[] }

function createTestVerifier(key: Key, options: Partial<VerifierOptions<Key>> = {}) {
  const seen = new Set<string>()
  return createVerifier<Key>({
    findKey: (apiKey) => (apiKey === 'key' ? key : undefined),
    async remember(_, signature) {
      if (seen.has(signature)) return false
      seen.add(signature)
      return true
    },
    now: () => TIME,
    ...options,
  })
}

async function signed(
  unsigned = request,
  { secret = 'secret', at = TIME, scheme = v1 as SignatureScheme } = {},
): Promise<SignedRequest> {
  const headers = await createSigner({
    credentials: { apiKey: 'key', secret },
    now: () => at,
    scheme,
  }).sign(unsigned)
  return {
    ...unsigned,
    apiKey: headers['x-api-key'],
    signature: headers['x-signature'],
    timestamp: headers['x-timestamp'],
  }
}

const key: Key = { secrets: ['secret'] }
const refused = (reason: string) => ({ ok: false, reason })

describe.each([v1, concatenated])('a verifier with the scheme $name', (scheme) => {
  it('a verifier accepts a signed call and returns its key', async () => {
    const call = await signed(request, { scheme })
    expect(await createTestVerifier(key, { scheme }).verify(call, { write: true })).toEqual({ ok: true, key })
  })

  it.each<[string, Partial<SignedRequest>]>([
    ['method', { method: 'DELETE' }],
    ['path', { path: '/api/v1/order/payorder' }],
    ['query', { query: 'a=2' }],
    ['body', { body: utf8('{"hash":"0x2"}') }],
    ['timestamp', { timestamp: String(TIME + 1) }],
    ['signature', { signature: '00'.repeat(32) }],
  ])('a verifier rejects a call whose %s was altered', async (_, altered) => {
    const call = { ...(await signed(request, { scheme })), ...altered }
    expect(await createTestVerifier(key, { scheme }).verify(call, { write: true })).toEqual(
      refused('bad_signature'),
    )
  })
})

it('accepts any signed call and rejects it once it is altered', async () => {
  const text = fc.string({ unit: 'grapheme' })
  const call = fc.record({ method: fc.constantFrom('GET', 'POST'), path: text, query: text, body: text })
  await fc.assert(
    fc.asyncProperty(call, call, async (one, other) => {
      const bytes = { ...one, body: utf8(one.body) }
      const right = await signed(bytes)
      const verifier = createTestVerifier(key)
      expect((await verifier.verify(right, { write: false })).ok).toBe(true)
      const altered = { ...right, ...other, body: utf8(other.body) }
      const same =
        (await v1.canonicalize({
          ...altered,
          canonicalQuery: canonicalQuery(altered.query),
          timestamp: '1',
        })) ===
        (await v1.canonicalize({ ...bytes, canonicalQuery: canonicalQuery(bytes.query), timestamp: '1' }))
      expect((await verifier.verify(altered, { write: false })).ok).toBe(same)
    }),
  )
})

it('accepts a call whose query was reordered and re-encoded by a proxy', async () => {
  const call = await signed({ ...request, query: 'b=x%20y&a=%2A' })
  const proxied = { ...call, query: 'a=*&b=x+y' }
  expect((await createTestVerifier(key).verify(proxied, { write: false })).ok).toBe(true)
})

it.each<[string, Partial<SignedRequest>]>([
  ['no key', { apiKey: undefined }],
  ['no signature', { signature: undefined }],
  ['no timestamp', { timestamp: undefined }],
  ['an empty signature', { signature: '' }],
  ['a timestamp in words', { timestamp: '2026-01-01T00:00:00Z' }],
  ['a negative timestamp', { timestamp: '-5' }],
  ['a timestamp with too many digits', { timestamp: '1'.repeat(16) }],
])('a call without valid headers is rejected as missing if it has %s', async (_, lacking) => {
  const call = { ...(await signed()), ...lacking }
  expect(await createTestVerifier(key).verify(call, { write: true })).toEqual(refused('missing'))
})

it('a call without valid headers is rejected as unknown_key if its key does not exist', async () => {
  const call = { ...(await signed()), apiKey: 'other' }
  expect(await createTestVerifier(key).verify(call, { write: true })).toEqual(refused('unknown_key'))
})

it.each([300_000, -300_000])(
  'the timestamp of a call is accepted if it differs by %i ms from the clock',
  async (off) => {
    const call = await signed(request, { at: TIME + off })
    expect((await createTestVerifier(key).verify(call, { write: true })).ok).toBe(true)
  },
)

it.each([300_001, -300_001])(
  'the timestamp of a call is rejected if it differs by %i ms from the clock',
  async (off) => {
    const call = await signed(request, { at: TIME + off })
    expect(await createTestVerifier(key).verify(call, { write: true })).toEqual(refused('stale'))
  },
)

it('the timestamp of a call is rejected if it differs by more than the configured skew', async () => {
  const call = await signed(request, { at: TIME - 2000 })
  const verifier = createTestVerifier(key, { skewSeconds: 1 })
  expect(await verifier.verify(call, { write: false })).toEqual(refused('stale'))
})

it('the timestamp of a call is checked before the signature, so that a stale call is rejected before its body is read', async () => {
  const { apiKey, timestamp } = await signed(request, { at: TIME - 900_000 })
  const headers = { apiKey, timestamp, signature: 'ff' }
  expect(await createTestVerifier(key).identify(headers)).toEqual(refused('stale'))
  expect(await createTestVerifier(key).verify({ ...request, ...headers }, { write: true })).toEqual(
    refused('stale'),
  )
})

it('a repeated signature is rejected for a write', async () => {
  const verifier = createTestVerifier(key)
  const call = await signed()
  expect((await verifier.verify(call, { write: true })).ok).toBe(true)
  expect(await verifier.verify(call, { write: true })).toEqual(refused('replayed'))
})

it('a repeated signature is accepted for a read and not recorded', async () => {
  let remembered = 0
  const verifier = createTestVerifier(key, {
    async remember() {
      remembered++
      return false
    },
  })
  const call = await signed()
  expect((await verifier.verify(call, { write: false })).ok).toBe(true)
  expect((await verifier.verify(call, { write: false })).ok).toBe(true)
  expect(remembered).toBe(0)
})

it('a repeated signature is not recorded if the call is rejected for another reason', async () => {
  const remembered: string[] = []
  const verifier = createTestVerifier(key, {
    async remember(_, signature) {
      remembered.push(signature)
      return true
    },
  })
  await verifier.verify({ ...(await signed()), path: '/other' }, { write: true })
  await verifier.verify(await signed(request, { at: TIME - 900_000 }), { write: true })
  expect(remembered).toEqual([])
})

const rotating: Key = { secrets: ['new', 'old'] }

it.each(['new', 'old'])(
  'a key with two secrets accepts calls that are signed with the %s secret',
  async (secret) => {
    const call = await signed(request, { secret })
    expect((await createTestVerifier(rotating).verify(call, { write: true })).ok).toBe(true)
  },
)

it('a key with two secrets rejects calls that are signed with a third secret', async () => {
  const call = await signed(request, { secret: 'older' })
  expect(await createTestVerifier(rotating).verify(call, { write: true })).toEqual(refused('bad_signature'))
})

it('a key with two secrets rejects calls that are signed with an empty secret', async () => {
  const sign = async (text: string) => {
    const { createHmac } = await import('node:crypto')
    return createHmac('sha256', '').update(text).digest()
  }
  const signer = createSigner({ credentials: { apiKey: 'key', sign }, now: () => TIME })
  const headers = await signer.sign(request)
  const call: SignedRequest = {
    ...request,
    apiKey: 'key',
    signature: headers['x-signature'],
    timestamp: headers['x-timestamp'],
  }
  expect(await createTestVerifier({ secrets: [''] }).verify(call, { write: true })).toEqual(
    refused('bad_signature'),
  )
})
