import { type Bytes, hex, utf8 } from './bytes.ts'

// Node's own crypto answers at once, WebCrypto by way of its thread pool (several times slower for a short text). It is
// reached without an import, so that bundles for browsers and edge runtimes hold no trace of it.
interface NodeCrypto {
  hash(name: 'sha256', data: Uint8Array): string
  createHmac(name: 'sha256', key: string): { update(data: string): { digest(): Bytes } }
}
interface Runtime {
  process?: { getBuiltinModule?: (name: string) => unknown }
}
let native: NodeCrypto | false | undefined
function nodeCrypto(): NodeCrypto | false {
  if (native === undefined) {
    const found = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined
    native = found?.hash ? found : false
  }
  return native
}

/** Lower-case hexadecimal SHA-256. */
export function sha256Hex(body: Bytes): string | Promise<string> {
  const node = nodeCrypto()
  if (node) return node.hash('sha256', body)
  return crypto.subtle.digest('SHA-256', body).then((digest) => hex(new Uint8Array(digest)))
}

/** HMAC-SHA256 under a secret's UTF-8 bytes. The imported key is kept by the function it returns. */
export function hmacSha256(secret: string): (text: string) => Bytes | Promise<Bytes> {
  const node = nodeCrypto()
  // Given bytes instead of a text, Node takes five times as long to make a key of them.
  if (node) return (text) => node.createHmac('sha256', secret).update(text).digest()
  // Imported when it is first used: a promise that nobody awaits yet must not fail.
  let key: Promise<CryptoKey> | undefined
  return async (text) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    key ??= crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
    return new Uint8Array(await crypto.subtle.sign('HMAC', await key, utf8(text)))
  }
}

/** Compares two texts in a time that tells nothing of where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1))
  return difference === 0
}
