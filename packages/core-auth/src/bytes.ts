/** Bytes over a plain buffer, which WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

/** Encodes a text as UTF-8. */
export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

/** How bytes are written as text: lowercase hexadecimal, or base64 with padding. */
export type Encoding = 'hex' | 'base64'

export function encodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  const isHex = encoding === 'hex'
  let text = ''
  for (const byte of bytes) text += isHex ? byte.toString(16).padStart(2, '0') : String.fromCharCode(byte)
  return isHex ? text : btoa(text)
}
