/** Bytes over a plain buffer, which WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

/** Encodes a text as UTF-8. */
export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16)
  return text
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** How bytes are written as text: lowercase hexadecimal, or base64 with padding. */
export type Encoding = 'hex' | 'base64'

export function encodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === 'hex' ? hex(bytes) : base64(bytes)
}
