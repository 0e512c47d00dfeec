import { type Bytes, type Encoding, encodeBytes, utf8 } from './bytes.ts'

/** Computes the SHA-256 as lowercase hexadecimal. */
export function sha256Hex(body: Bytes): string | Promise<string> {
  return crypto.subtle.digest('SHA-256', body).then((digest) => encodeBytes(new Uint8Array(digest), 'hex'))
}

/** Computes the HMAC-SHA256 of a text under a secret's UTF-8 bytes. */
export async function hmacSha256(secret: string, text: string, encoding: Encoding): Promise<string> {
  const key = await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return encodeBytes(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))), encoding)
}
