import { sha256Hex } from '#digest'
import type { Bytes, Encoding } from './bytes.ts'

/** The parts of a call that its signature covers, as they are sent. */
export interface SignableRequest {
  /** Upper case. */
  method: string
  /** The path as the client sends it, percent-encoded and without the query. */
  path: string
  /** The query as it is sent, without its question mark. `''` if the call has no query. */
  query: string
  /** The {@link canonicalQuery} of the query. */
  canonicalQuery: string
  /** The body as it is sent; empty without a body. */
  body: Bytes
  /** The value of X-Timestamp. */
  timestamp: string
}

/**
 * Defines how X-Signature is computed. The specification leaves it open, so client and server must use the
 * same scheme. The MAC is the HMAC-SHA256 of the canonical text under the key's secret.
 */
export interface SignatureScheme {
  /** The name of the scheme. */
  readonly name: string
  /** Returns the text to sign. */
  canonicalize(request: SignableRequest): string | Promise<string>
  /** How X-Signature writes the MAC. */
  readonly encoding: Encoding
}

/** Percent-encodes a text by RFC 3986, including `!'()*`, which encodeURIComponent leaves as they are. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function recode(text: string): string {
  // Most names and values are the same in every encoding.
  if (/^[\w.~-]*$/.test(text)) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return encodeRfc3986(decodeURIComponent(spaced))
  } catch {
    // A stray percent sign is signed as literal text by both sides.
    return encodeRfc3986(spaced)
  }
}

/** Decodes a query, encodes it by RFC 3986, and sorts it by key, then by value. Duplicates are kept. */
export function canonicalQuery(query: string): string {
  return (
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const [key = '', ...value] = pair.split('=')
        return `${recode(key)}\n${recode(value.join('='))}`
      })
      // Encoded text is ASCII, so comparing code units compares bytes. The line feed after a key sorts before
      // every encoded character.
      .sort()
      .map((pair) => pair.replace('\n', '='))
      .join('&')
  )
}

/**
 * The default scheme. Six fields joined by line feeds: `v1`, X-Timestamp (milliseconds since the epoch), the
 * method, the path as sent, the canonical query, the lowercase hexadecimal SHA-256 of the body's bytes.
 * X-Signature is lowercase hexadecimal.
 */
export const v1: SignatureScheme = {
  name: 'v1',
  async canonicalize({ timestamp, method, path, canonicalQuery, body }) {
    return `v1\n${timestamp}\n${method}\n${path}\n${canonicalQuery}\n${await sha256Hex(body)}`
  },
  encoding: 'hex',
}

/**
 * An example of another scheme, similar to those of many exchanges: timestamp, method, path with query, and
 * body are concatenated. The MAC is base64. The query is signed in the order in which it is sent. Use it for
 * gateways that require it.
 */
export const concatenated: SignatureScheme = {
  name: 'concatenated',
  canonicalize({ timestamp, method, path, query, body }) {
    return `${timestamp}${method}${path}${query && `?${query}`}${new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)}`
  },
  encoding: 'base64',
}
