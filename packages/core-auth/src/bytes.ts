/** Bytes over a plain buffer, which WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Encodes a text as UTF-8. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16)
  return text
}

export function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
