import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { equalInConstantTime } from './constant-time.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

// Loads a new copy of the module, because it looks up Node's crypto only once. Without Node's crypto, it
// behaves as in browsers.
async function load(native: boolean) {
  vi.resetModules()
  if (!native) vi.stubGlobal('process', { ...process, getBuiltinModule: undefined })
  return await import('#digest')
}

describe.each([
  { native: true, path: "Node's crypto" },
  { native: false, path: 'WebCrypto' },
])('#digest with $path', ({ native }) => {
  it('returns a digest synchronously only with the crypto of Node', async () => {
    const { sha256Hex } = await load(native)
    expect(typeof sha256Hex(new Uint8Array(1))).toBe(native ? 'string' : 'object')
  })

  it('computes the same SHA-256 as Node for any bytes', async () => {
    const { sha256Hex } = await load(native)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (bytes) => {
        const plain = new Uint8Array(bytes)
        expect(await sha256Hex(plain)).toBe(createHash('sha256').update(plain).digest('hex'))
      }),
    )
  })

  it('computes the same HMAC as Node for several texts under one key', async () => {
    const { hmacSha256 } = await load(native)
    const text = fc.string({ unit: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        text,
        text,
        async (secret, one, two) => {
          for (const each of [one, two]) {
            const expected = createHmac('sha256', secret).update(each).digest('hex')
            expect(await hmacSha256(secret, each, 'hex')).toBe(expected)
          }
        },
      ),
    )
  })

  it('accepts a call in the verifier that the signer signed', async () => {
    await load(native)
    const { createSigner } = await import('./signer.ts')
    const { createVerifier } = await import('./verifier.ts')
    const request = { method: 'POST', path: '/', query: 'a=1', body: new Uint8Array([1, 2]) }
    const headers = await createSigner({ credentials: { apiKey: 'key', secret: 'new' } }).sign(request)
    const verifier = createVerifier({
      findKey: () => ({ secrets: ['old', 'new'] }),
      remember: async () => true,
    })
    const verified = await verifier.verify(
      {
        ...request,
        apiKey: 'key',
        signature: headers['x-signature'],
        timestamp: headers['x-timestamp'],
      },
      { write: true },
    )
    expect(verified.ok).toBe(true)
  })
})

it.each([true, false])('rejects an empty secret (with the crypto of Node: %s)', async (native) => {
  const { hmacSha256 } = await load(native)
  await expect((async () => hmacSha256('', 'text', 'hex'))()).rejects.toThrow()
})

it('reports a secret whose environment variable is not set', async () => {
  const { hmacSha256 } = await load(true)
  // @ts-expect-error: `process.env.SECRET!` is undefined if the variable is not set
  await expect((async () => hmacSha256(undefined, 'text', 'hex'))()).rejects.toThrow(
    /Secret is empty.*variable/,
  )
})

it('rejects an empty secret in WebCrypto itself', async () => {
  await expect((await import('./digest.ts')).hmacSha256('', 'text', 'hex')).rejects.toThrow()
})

it('equalInConstantTime returns true for equal texts only', () => {
  const text = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b', '0') })
  fc.assert(fc.property(text, text, (a, b) => equalInConstantTime(a, b) === (a === b)))
})
