import { sha256Hex } from '#digest'
import { type Bytes, base64, hex } from './bytes.ts'

/** One call as it goes over the wire: what a signature is made over. */
export interface SignableRequest {
  /** Upper case. */
  method: string
  /** The path as the client sends it, percent-encoding and all, without the query. */
  path: string
  /** The query as it is sent, without its question mark; `''` for none. */
  query: string
  /** {@link canonicalQuery} of it. */
  canonicalQuery: string
  body: Bytes
  /** X-Timestamp's text. */
  timestamp: string
}

/**
 * How X-Signature is computed. The specification does not show it, so it is a value: give the same one to the client and
 * to the server. The MAC is HMAC-SHA256 of the canonical text under the key's secret.
 */
export interface SignatureScheme {
  readonly name: string
  /** The text that is signed. */
  canonicalise(request: SignableRequest): string | Promise<string>
  /** The MAC as X-Signature carries it. */
  encode(mac: Uint8Array): string
}

/** RFC 3986: also `!'()*`, which encodeURIComponent leaves. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function recode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return encodeRfc3986(decodeURIComponent(spaced))
  } catch {
    // A stray percent sign: both sides then sign it as the text it is.
    return encodeRfc3986(spaced)
  }
}

/** The query decoded, encoded again by RFC 3986 and sorted by key, then value; duplicates stay. */
export function canonicalQuery(query: string): string {
  return (
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const [key = '', ...value] = pair.split('=')
        return `${recode(key)}\n${recode(value.join('='))}`
      })
      // Encoded text is ASCII, so that comparing code units is comparing bytes; the line feed, below all of it, ends a key.
      .sort()
      .map((pair) => pair.replace('\n', '='))
      .join('&')
  )
}

/**
 * The default scheme. Six fields joined by line feeds: `v1`, X-Timestamp (milliseconds since the epoch), the method, the
 * path as sent, the canonical query, the lower-case hexadecimal SHA-256 of the body's bytes. X-Signature is lower-case
 * hexadecimal.
 */
export const v1: SignatureScheme = {
  name: 'v1',
  async canonicalise({ timestamp, method, path, canonicalQuery, body }) {
    return ['v1', timestamp, method, path, canonicalQuery, await sha256Hex(body)].join('\n')
  },
  encode: hex,
}

/**
 * An example of another scheme, of the kind many exchanges publish: timestamp, method, path with its query, and body, one
 * after the other; base64. For gateways that ask for it; the query is signed in the order in which it is sent.
 */
export const concatenated: SignatureScheme = {
  name: 'concatenated',
  canonicalise({ timestamp, method, path, query, body }) {
    return `${timestamp}${method}${path}${query && `?${query}`}${new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)}`
  },
  encode: base64,
}
