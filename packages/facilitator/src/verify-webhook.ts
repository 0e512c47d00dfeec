/** The types of events and what their `data` holds. Amounts are decimal texts. */
export interface WebhookData {
  'settlement.settled': SettlementEvent
  'settlement.failed': SettlementEvent
  'settlement.unknown': SettlementEvent
  'settlement.reconciled': SettlementEvent
  'payer_quota.registered': { payer: string; nonce: string; limit: string }
  'payer_quota.revoked': { payer: string; nonce: string }
  /** What is left of the quota does not cover another settle. */
  'payer_quota.exhausted': { payer: string; nonce: string; limit: string; remaining: string }
  /** Wei: what was credited, and the balance after it. */
  'payer_balance.credited': { payer: string; amount: string; balance: string }
  /** Wei: the balance, which fell below the threshold. */
  'payer_balance.low': { payer: string; balance: string; threshold: string }
}

/** A settlement as an event tells of it. */
export interface SettlementEvent {
  orderNo: string
  /** `settled`, `failed` or `unknown`; in `settlement.reconciled` also `not_sent`: the payment can be settled again. */
  status: string
  /** The wallet that paid. */
  payer: string
  payTo: string
  /** CAIP-2. */
  network: string
  asset: string
  /** Base units of the asset. */
  amount: string
  /** The transaction's hash; `''` while none is known. */
  transaction: string
  /** What the settle costs, in wei of the native token. */
  price: string
  /** Whether the price was charged. */
  charged: boolean
  /** Why it failed, or is not known; `''` when it settled. */
  reason: string
}

export type WebhookType = keyof WebhookData

/** One event. Events of a subject are ordered by `sequence`; they may arrive out of order, and more than once under one `id`. */
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

/** Why a webhook was not believed. */
export class InvalidWebhook extends Error {
  override name = 'InvalidWebhook'
  readonly reason: 'missing_headers' | 'stale' | 'bad_signature' | 'not_an_event'
  constructor(reason: InvalidWebhook['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface VerifyWebhookOptions {
  /** The body as it came: its bytes or its text, not parsed and written again. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…`; several while one replaces the other. */
  secrets: string | readonly string[]
  /** How old, or how far ahead, the timestamp may be, in seconds; default 300. */
  toleranceSeconds?: number
  /** Milliseconds since the epoch; default `Date.now`. */
  now?: () => number
}

function headerOf(headers: VerifyWebhookOptions['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return Array.isArray(value) ? value.join(' ') : value
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}

/**
 * Verifies a webhook (Standard Webhooks) and answers its event; throws {@link InvalidWebhook}. The comparison is WebCrypto's own, in
 * constant time.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets: [secret] })
 * if (event.type === 'settlement.settled') console.log(event.data.transaction)
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  const { headers, toleranceSeconds = 300, now = Date.now } = options
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) {
    throw new InvalidWebhook(
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
    .map((each) => bytesOfBase64(each.slice(3)))
  const secrets = typeof options.secrets === 'string' ? [options.secrets] : options.secrets
  let right = false
  for (const secret of secrets) {
    const raw = bytesOfBase64(secret.replace(/^whsec_/, ''))
    if (raw === undefined || raw.length === 0)
      throw new TypeError('A webhook secret must be whsec_ and base64')
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const candidate of candidates) {
      if (candidate && (await crypto.subtle.verify('HMAC', key, candidate, signed))) right = true
    }
  }
  if (!right) throw new InvalidWebhook('bad_signature', 'No signature fits')
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new InvalidWebhook('stale', 'The timestamp is outside the tolerance')
  }
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder().decode(body))
  } catch {
    event = undefined
  }
  if (typeof event !== 'object' || event === null || !('type' in event) || !('data' in event)) {
    throw new InvalidWebhook('not_an_event', 'The body is not an event')
  }
  // Its sender proved to be the facilitator, whose events these are.
  return event as WebhookEvent
}
