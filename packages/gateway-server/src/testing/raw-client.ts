import { createHash, createHmac } from 'node:crypto'

/**
 * A call of a program that is written from the specification and the signing scheme, without our packages.
 */
export interface RawRequest {
  method?: string
  path: string
  /** The raw query without the question mark. */
  query?: string
  /** Raw bytes or text, or a value that is sent as JSON. */
  body?: string | Uint8Array<ArrayBuffer> | object
  headers?: Record<string, string>
  timestamp?: number
  /** Signs with this secret instead of the client's. */
  secret?: string
}

/** A response with its parsed JSON. */
export interface RawResponse {
  status: number
  headers: Headers
  text: string
  // Not checked: tests read the fields that they expect.
  json: { code: number; data: Record<string, unknown>; msg: string; success: boolean }
}

export interface RawClient {
  call(request: RawRequest): Promise<RawResponse>
  /** Creates a signed request without sending it. */
  request(request: RawRequest): Request
}

/** RFC 3986. */
function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte)
      return /[A-Za-z0-9\-._~]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

/** Decodes a query component. Text with a stray percent sign or invalid UTF-8 is signed unchanged. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [encode(decode(name)), encode(decode(value.join('=')))]
    })
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
}

/** Computes X-Signature of a call in the scheme `v1`, with Node's crypto only. */
export function signature(
  secret: string,
  call: { timestamp: string; method: string; path: string; query: string; body: Uint8Array },
): string {
  const bodyHash = createHash('sha256').update(call.body).digest('hex')
  const fields = ['v1', call.timestamp, call.method, call.path, canonicalQuery(call.query), bodyHash]
  return createHmac('sha256', secret).update(fields.join('\n')).digest('hex')
}

/** Records secrets and signatures, which must not appear in responses or logs, and the responses. */
export interface ResponseRecorder {
  readonly secrets: Set<string>
  readonly responses: string[]
}

/**
 * The latest timestamp of each key. Gateways have clocks of their own, which tests move, and keys of their
 * own.
 */
const latest = new Map<string, number>()

/** Returns unique timestamps of a key, so that no two writes have the same signature. */
function nextTimestamp(apiKey: string, now: number): number {
  const next = Math.max(now, (latest.get(apiKey) ?? 0) + 1)
  latest.set(apiKey, next)
  return next
}

export function rawClient(
  send: (request: Request) => Response | Promise<Response>,
  key: { apiKey: string; secret: string },
  place: { publicUrl: string; now?: () => number; recorder?: ResponseRecorder },
): RawClient {
  const request = ({ path, query = '', body, headers, ...overrides }: RawRequest): Request => {
    const method = overrides.method ?? (body === undefined ? 'GET' : 'POST')
    const bytes =
      body instanceof Uint8Array
        ? body
        : new TextEncoder().encode(
            body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
          )
    const timestamp = String(overrides.timestamp ?? nextTimestamp(key.apiKey, (place.now ?? Date.now)()))
    const url = new URL(place.publicUrl)
    const secret = overrides.secret ?? key.secret
    const fullPath = `${url.pathname.replace(/\/$/, '')}${path}`
    const signed = signature(secret, { timestamp, method, path: fullPath, query, body: bytes })
    place.recorder?.secrets.add(secret).add(signed)
    return new Request(`${url.origin}${path}${query && `?${query}`}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-api-key': key.apiKey,
        'x-signature': signed,
        'x-timestamp': timestamp,
        ...(body !== undefined && { 'content-length': String(bytes.length) }),
        ...headers,
      },
      ...(body !== undefined && { body: bytes }),
    })
  }
  return {
    request,
    async call(rawRequest) {
      const response = await readResponse(await send(request(rawRequest)))
      place.recorder?.responses.push(response.text, ...response.headers.values())
      return response
    },
  }
}

/** Reads a complete response. Of a stream of events, which has no end, only the first message is read. */
export async function readResponse(response: Response): Promise<RawResponse> {
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? await readFirstChunk(response) : await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // Not every response is JSON. A test that expects JSON finds `undefined`.
  }
  return { status: response.status, headers: response.headers, text, json: json as RawResponse['json'] }
}

async function readFirstChunk({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const chunk = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(chunk?.value)
}
