import type { Bytes, Encoding } from './bytes.ts'
import * as web from './digest.ts'

// Node's own crypto is synchronous. WebCrypto uses a thread pool, which is several times slower for a short
// text. By `#digest` in package.json, Node loads this module, and every other runtime loads the one that
// needs only WebCrypto. Bundles for browsers and edge runtimes do not contain this module.
interface NodeCrypto {
  hash?(name: 'sha256', data: Uint8Array): string
  createHmac(name: 'sha256', key: string): { update(data: string): { digest(encoding: Encoding): string } }
}
interface Runtime {
  process?: { getBuiltinModule?: (name: string) => NodeCrypto | undefined }
}

// Other runtimes also load Node's modules, but may lack its newest functions.
const native = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto')

/** Computes the SHA-256 as lowercase hexadecimal. */
export function sha256Hex(body: Bytes): string | Promise<string> {
  if (!native?.hash) return web.sha256Hex(body)
  return body.length === 0 ? EMPTY_SHA256 : native.hash('sha256', body)
}

/** The SHA-256 of no bytes: most calls are reads, which have no body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Computes the HMAC-SHA256 of a text under a secret's UTF-8 bytes. */
export function hmacSha256(secret: string, text: string, encoding: Encoding): string | Promise<string> {
  // The usual cause is an environment variable that is not set. WebCrypto rejects an empty key itself.
  if (!secret) throw new TypeError('Secret is empty. Is the environment variable set?')
  if (!native?.hash) return web.hmacSha256(secret, text, encoding)
  // The secret is passed as text, because Node takes five times as long to create a key from bytes.
  return native.createHmac('sha256', secret).update(text).digest(encoding)
}
