// What a purchase is: which payment pays it, who buys, and what is bought.
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'

/** A response that can be sent again. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body: string
}

/** What a seller knows about a purchase. It is JSON. */
export interface Purchase {
  /**
   * `working`: the handler runs, and nothing was settled. `settling`: a settle has begun whose outcome is not known. `paid`: settled, and not
   * delivered. `delivered`: a response was written whole.
   */
  readonly state: 'working' | 'settling' | 'paid' | 'delivered'
  /** Identifies the request and its terms. */
  readonly request: string
  /** Whether the payer has named the purchase by a payment identifier. */
  readonly isNamed: boolean
  readonly payer: string
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  /** What the handler has used of the maximum of an `upto` payment. */
  readonly overrides?: SettlementOverrides
  /** No other process resolves the settle before this time. Milliseconds since 1970. */
  readonly settlingUntil?: number
  /** Until when a settle that was not answered can be resolved. */
  readonly resolveUntil?: number
  /** Undefined if it was too large: the handler runs again. */
  readonly response?: StoredResponse
  readonly settlement?: SettleResponse
  /** How many times the handler was run again. */
  readonly reruns?: number
}

export interface SettlementOverrides {
  readonly amount?: string
}

/** A request, in the parts that decide what is bought. */
export interface RequestedResource {
  /** Method and address without the query, or the name of a tool. */
  readonly route: string
  readonly query?: string
  /** Bytes, or what was parsed from them. */
  readonly body?: unknown
}

/** What a payer has signed. */
export interface Authorization {
  /** Undefined if only the facilitator can tell. */
  readonly payer: string | undefined
  /** Identifies the authorization: two encodings of one have the same. */
  readonly payment: string
}

/**
 * Reads the authorization of a payment. Returns undefined for schemes whose payments pay more than one purchase, and `invalid` for a payment with
 * several authorizations, of which the facilitator would choose one.
 */
export async function readAuthorization(
  payload: PaymentPayload,
  { scheme, network, asset }: PaymentRequirements,
): Promise<Authorization | 'invalid' | undefined> {
  if (scheme !== 'exact' && scheme !== 'upto') return undefined
  const { authorization, permit2Authorization, transaction } = payload.payload
  const { length } = [authorization, permit2Authorization, transaction].filter((part) => part != null)
  if (length !== 1) return length === 0 ? undefined : 'invalid'
  const signed = authorization ?? permit2Authorization
  if (isRecord(signed)) {
    const payer = String(signed.from).toLowerCase()
    const keeper = signed === authorization ? asset.toLowerCase() : 'permit2'
    return { payer, payment: await digest([network, keeper, payer, toNumber(signed.nonce)]) }
  }
  const message = Buffer.from(readTransactionMessage(String(transaction))).toString('base64')
  return { payer: undefined, payment: await digest([network, message]) }
}

/** Formats a nonce of 32 bytes or a decimal number in one way. */
function toNumber(nonce: unknown): string {
  try {
    return BigInt(String(nonce)).toString()
  } catch {
    // The facilitator refuses it.
    return String(nonce)
  }
}

/** Returns the message of a Solana transaction without its signatures, of which the fee payer's is not made yet. */
export function readTransactionMessage(transaction: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from(transaction, 'base64'))
  const [signatures = 0] = bytes
  return bytes.slice(1 + 64 * signatures)
}

/** Returns the payment identifier of a payment. */
export function readIdentifier({ extensions }: PaymentPayload): string | undefined {
  const extension = extensions?.['payment-identifier']
  if (!isRecord(extension) || !isRecord(extension.info)) return undefined
  return typeof extension.info.id === 'string' ? extension.info.id : undefined
}

/** Returns the payment without its identifier, of which a facilitator accepts one payment only. */
export function withoutIdentifier(payload: PaymentPayload): PaymentPayload {
  const { 'payment-identifier': _, ...extensions } = payload.extensions ?? {}
  return { ...payload, extensions }
}

/** Identifies a request and its terms. */
export function identifyRequest(
  { route, query = '', body }: RequestedResource,
  { scheme, network, asset, amount, payTo }: PaymentRequirements,
): Promise<string> {
  const parameters = new URLSearchParams(query)
  parameters.sort()
  const bytes = body instanceof Uint8Array ? Buffer.from(body).toString('base64') : body
  return digest([route, parameters.toString(), bytes ?? '', scheme, network, asset, amount, payTo])
}

/** Whether both are the same signed payment, in every signed byte and by the same identifier. */
export const isSamePresentation = (one: PaymentPayload, other: PaymentPayload): boolean =>
  toCanonicalJson(one.payload) === toCanonicalJson(other.payload) &&
  readIdentifier(one) === readIdentifier(other)

/** Returns the SHA-256 of a value's canonical JSON, in hexadecimal digits. */
export async function digest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(toCanonicalJson(value))
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

/** Formats JSON with sorted keys. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
