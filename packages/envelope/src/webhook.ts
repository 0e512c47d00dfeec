/**
 * A webhook that could not be verified. `reason` states why. Respond with status 400 and ignore the body.
 * `body_not_raw` and `bad_secret` are mistakes of the receiver; all others are caused by the request.
 */
export class InvalidWebhookError extends Error {
  /** The name of the class. */
  override name = 'InvalidWebhookError'
  /** Why the webhook could not be verified. */
  readonly reason:
    | 'missing_headers'
    | 'stale'
    | 'bad_signature'
    | 'not_an_event'
    | 'body_not_raw'
    | 'bad_secret'
  constructor(reason: InvalidWebhookError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface VerifyWebhookOptions {
  /** The raw body: its bytes or its text, not parsed and serialized. */
  body: string | Uint8Array
  /** The headers of the request. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The signing secret, `whsec_…`, or several secrets during a rotation. */
  secrets: string | readonly string[]
  /** The maximum difference between the timestamp and the clock, in seconds. Default: 300. */
  toleranceSeconds?: number
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number
}

function findHeader(headers: VerifyWebhookOptions['headers'], name: string): string | undefined {
  if (!headers) return undefined
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return Array.isArray(value) ? value.join(' ') : value
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The parts of a Standard Webhooks message that its signature covers. */
interface SignedParts {
  readonly id: string
  readonly timestamp: string
  readonly body: Uint8Array
}

function toSignedBytes({ id, timestamp, body }: SignedParts): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return signed
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const raw = decodeBase64(secret.replace(/^whsec_/, ''))
  if (raw === undefined || raw.length === 0)
    throw new InvalidWebhookError(
      'bad_secret',
      'The webhook secret is malformed. Pass the secret that starts with whsec_, unchanged',
    )
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign', 'verify'])
}

function toList(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets
  if (!list?.length || list.some((secret) => !secret))
    throw new InvalidWebhookError(
      'bad_secret',
      'The webhook secret is empty. Is the environment variable set?',
    )
  return list
}

/** Returns the bytes that were signed. A framework may have parsed them before the receiver is called. */
function toBytes(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  throw new InvalidWebhookError(
    'body_not_raw',
    `Expected the raw body as text or bytes, received ${body === undefined ? 'undefined' : 'an object'}. Use express.raw() in Express, and await request.text() where requests are those of fetch`,
  )
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const candidates = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => decodeBase64(each.slice(3)))
  let isVerified = false
  for (const secret of secrets) {
    const key = await importSecret(secret)
    for (const candidate of candidates) {
      if (candidate && (await crypto.subtle.verify('HMAC', key, candidate, signed))) isVerified = true
    }
  }
  return isVerified
}

function parseEvent(body: Uint8Array): object | undefined {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body))
    const isEvent = typeof event === 'object' && event !== null && 'type' in event && 'data' in event
    return isEvent ? event : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies a webhook (Standard Webhooks) and returns its event. Throws an {@link InvalidWebhookError} if it
 * cannot be verified, whatever the cause. WebCrypto compares the signatures in constant time.
 *
 * `verifyWebhook` of `@mintmark/events` and of `@mintmark/facilitator` is this function with the types of
 * their events.
 *
 * @typeParam Event The type of the events of the server that has the secret.
 */
export async function verifyWebhookMessage<Event>(options: VerifyWebhookOptions): Promise<Event> {
  const { headers, toleranceSeconds = 300, now = Date.now } = options
  const id = findHeader(headers, 'webhook-id')
  const timestamp = findHeader(headers, 'webhook-timestamp')
  const signatures = findHeader(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) {
    throw new InvalidWebhookError(
      'missing_headers',
      'webhook-id, webhook-timestamp and webhook-signature are required',
    )
  }
  const body = toBytes(options.body)
  const signed = toSignedBytes({ id, timestamp, body })
  if (!(await isSigned(signed, signatures, toList(options.secrets)))) {
    throw new InvalidWebhookError(
      'bad_signature',
      'No signature matches. Usual causes: the secret of another endpoint, or a body that was parsed and serialized again',
    )
  }
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new InvalidWebhookError('stale', 'The timestamp is outside the tolerance')
  }
  const event = parseEvent(body)
  if (event === undefined) throw new InvalidWebhookError('not_an_event', 'The body is not an event')
  // The signature proves that the server sent the body, so it has the type of the server's events.
  return event as Event
}

/** A signed message, as a server sends it. */
export interface SignedWebhook {
  /** The body to send, unchanged. */
  readonly body: string
  /** The headers to send with the body. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Signs an event as a server does, for the tests of your receiver.
 *
 * @param secrets The signing secret, `whsec_…`, or both secrets of a rotation.
 * @param now The clock, in milliseconds since the epoch. Default: `Date.now`.
 * @example
 * const { body, headers } = await signTestWebhook(event, 'whsec_dGVzdA==')
 * const response = await app.request('/hooks/mintmark', { method: 'POST', body, headers })
 */
export async function signTestWebhook(
  event: { readonly id: string },
  secrets: string | readonly string[],
  now: () => number = Date.now,
): Promise<SignedWebhook> {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(now() / 1000))
  const signed = toSignedBytes({ id: event.id, timestamp, body: new TextEncoder().encode(body) })
  const signatures: string[] = []
  for (const secret of toList(secrets)) {
    const signature = await crypto.subtle.sign('HMAC', await importSecret(secret), signed)
    signatures.push(`v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`)
  }
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
  return { body, headers }
}
