import { createHash, createHmac } from 'node:crypto'
import realProcess from 'node:process'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { equalInConstantTime } from './digest.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

// A fresh copy of the module, for it looks for Node's crypto once.
async function load(native: boolean) {
  vi.resetModules()
  if (!native) vi.stubGlobal('process', { ...process, getBuiltinModule: undefined })
  return await import('./digest.ts')
}

describe.each([
  { native: true, path: "Node's crypto" },
  { native: false, path: 'WebCrypto' },
])('by $path', ({ native }) => {
  it('answers at once only where Node does', async () => {
    const { sha256Hex } = await load(native)
    expect(typeof sha256Hex(new Uint8Array(1))).toBe(native ? 'string' : 'object')
  })

  it('digests are right', async () => {
    const { sha256Hex } = await load(native)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (bytes) => {
        const plain = new Uint8Array(bytes)
        expect(await sha256Hex(plain)).toBe(createHash('sha256').update(plain).digest('hex'))
      }),
    )
  })

  it('MACs are right, again and again under one key', async () => {
    const { hmacSha256 } = await load(native)
    const text = fc.string({ unit: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        text,
        text,
        async (secret, one, two) => {
          const mac = hmacSha256(secret)
          for (const each of [one, two]) {
            const expected = createHmac('sha256', secret).update(each).digest('hex')
            expect(Buffer.from(await mac(each)).toString('hex')).toBe(expected)
          }
        },
      ),
    )
  })

  it('a signer and a verifier understand each other', async () => {
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

it('WebCrypto that refuses a key fails the signing, and nothing before', async () => {
  const { hmacSha256 } = await load(false)
  const unhandled = vi.fn()
  realProcess.on('unhandledRejection', unhandled)
  try {
    const mac = hmacSha256('')
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).not.toHaveBeenCalled()
    await expect(mac('text')).rejects.toThrow()
  } finally {
    realProcess.off('unhandledRejection', unhandled)
  }
})

describe('comparing in constant time', () => {
  it('finds equal what is equal, and nothing else', () => {
    const text = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b', '0') })
    fc.assert(fc.property(text, text, (a, b) => equalInConstantTime(a, b) === (a === b)))
  })
})
