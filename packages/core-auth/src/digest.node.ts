import type { Bytes } from './bytes.ts'
import * as web from './digest.ts'

// Node's own crypto answers at once, WebCrypto by way of its thread pool (several times slower for a short text). `#digest` in
// package.json has Node load this module and everything else the one that needs only WebCrypto, so that bundles for browsers and
// edge runtimes hold nothing of it.
interface NodeCrypto {
  hash?(name: 'sha256', data: Uint8Array): string
  createHmac(name: 'sha256', key: string): { update(data: string): { digest(): Bytes } }
}
interface Runtime {
  process?: { getBuiltinModule?: (name: string) => NodeCrypto | undefined }
}

// Others take Node's modules as well, and may lack what is newest in it.
const native = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto')

/** Lower-case hexadecimal SHA-256. */
export function sha256Hex(body: Bytes): string | Promise<string> {
  return native?.hash ? native.hash('sha256', body) : web.sha256Hex(body)
}

/** HMAC-SHA256 of a text under a secret's UTF-8 bytes. */
export function hmacSha256(secret: string, text: string): Bytes | Promise<Bytes> {
  // Most often an environment variable that is not set. WebCrypto refuses it by itself.
  if (!secret) throw new TypeError('The secret is empty: is the variable set that it is read from?')
  if (!native?.hash) return web.hmacSha256(secret, text)
  // Given bytes instead of a text, Node takes five times as long to make a key of them.
  return native.createHmac('sha256', secret).update(text).digest()
}
