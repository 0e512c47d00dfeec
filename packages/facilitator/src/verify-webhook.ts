import type { MicropaymentOrderStatus } from './micropayment-orders.ts'

/** The `data` of each type of event. Amounts are decimal texts. */
export interface WebhookData {
  'settlement.settled': SettlementEvent
  'settlement.failed': SettlementEvent
  'settlement.unknown': SettlementEvent
  'settlement.reconciled': SettlementEvent
  'payer_quota.registered': { payer: string; nonce: string; limit: string }
  'payer_quota.revoked': { payer: string; nonce: string }
  /** The remaining amount of the quota does not cover another settlement. */
  'payer_quota.exhausted': { payer: string; nonce: string; limit: string; remaining: string }
  /** The credited amount and the new balance, in wei. */
  'payer_balance.credited': { payer: string; amount: string; balance: string }
  /** The balance, which fell below the threshold, in wei. */
  'payer_balance.low': { payer: string; balance: string; threshold: string }
}

/** The data of an event about a settlement. */
export interface SettlementEvent {
  orderNo: string
  /** `settled`, `failed` or `unknown`; in `settlement.reconciled` also `not_sent`, after which another call can settle the payment. */
  status: MicropaymentOrderStatus | (string & {})
  /** The wallet that paid. */
  payer: string
  payTo: string
  /** The CAIP-2 id of the chain. */
  network: string
  asset: string
  /** The amount in base units of the asset. */
  amount: string
  /** The transaction's hash; `''` until it is known. */
  transaction: string
  /** The cost of the settlement, in wei of the native token. */
  price: string
  /** Whether the price was charged. */
  charged: boolean
  /** Why the settlement failed or its outcome is unknown; `''` if it settled. */
  reason: string
}

export type WebhookType = keyof WebhookData

/** An event. `sequence` orders the events of a subject. Events may arrive out of order, and more than once with the same `id`. */
export type WebhookEvent = {
  [Type in WebhookType]: {
    id: string
    type: Type
    /** ISO 8601. */
    occurredAt: string
    sequence: number
    data: WebhookData[Type]
  }
}[WebhookType]

/** A webhook that failed its verification. `reason` states why. Respond with status 400 and ignore the body. */
export class InvalidWebhookError extends Error {
  override name = 'InvalidWebhookError'
  readonly reason: 'missing_headers' | 'stale' | 'bad_signature' | 'not_an_event'
  constructor(reason: InvalidWebhookError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface VerifyWebhookOptions {
  /** The raw body: its bytes or its text, not parsed and serialized. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** The signing secret, `whsec_…`, or several secrets during a rotation. */
  secrets: string | readonly string[]
  /** The maximum difference between the timestamp and the clock, in seconds. Default: 300. */
  toleranceSeconds?: number
  /** The clock, in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number
}

function findHeader(headers: VerifyWebhookOptions['headers'], name: string): string | undefined {
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

/**
 * Verifies a webhook (Standard Webhooks) and returns its event. Throws an {@link InvalidWebhookError} if the webhook is invalid, and a
 * TypeError if a secret is malformed. WebCrypto compares the signatures in constant time.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets: [secret] })
 * if (event.type === 'settlement.settled') console.log(event.data.transaction)
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
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
  const encoder = new TextEncoder()
  const body = typeof options.body === 'string' ? encoder.encode(options.body) : options.body
  const head = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const candidates = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => decodeBase64(each.slice(3)))
  const secrets = typeof options.secrets === 'string' ? [options.secrets] : options.secrets
  let isVerified = false
  for (const secret of secrets) {
    const raw = decodeBase64(secret.replace(/^whsec_/, ''))
    if (raw === undefined || raw.length === 0)
      throw new TypeError(
        'The webhook secret is malformed. Pass the secret that starts with whsec_, unchanged',
      )
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const candidate of candidates) {
      if (candidate && (await crypto.subtle.verify('HMAC', key, candidate, signed))) isVerified = true
    }
  }
  if (!isVerified) throw new InvalidWebhookError('bad_signature', 'No signature matches')
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new InvalidWebhookError('stale', 'The timestamp is outside the tolerance')
  }
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder().decode(body))
  } catch {
    event = undefined
  }
  if (typeof event !== 'object' || event === null || !('type' in event) || !('data' in event)) {
    throw new InvalidWebhookError('not_an_event', 'The body is not an event')
  }
  // The signature proves that the facilitator sent the body, so it has the type of the facilitator's events.
  return event as WebhookEvent
}
