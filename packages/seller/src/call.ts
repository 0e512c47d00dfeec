// What the layer knows about one call of a paid resource, from the transport to the resource server and back.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Settings } from './options.ts'
import type { RequestedResource, StoredResponse } from './purchase.ts'
import type { StoredPurchase } from './store.ts'

/** Answers a call instead of the handler or of a new request for payment. */
export type Answer =
  | { readonly kind: 'redeem'; readonly response: StoredResponse }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }

/** A call that is neither delivered nor asked to pay. */
export interface Refusal {
  readonly status: 409 | 500 | 503
  readonly error: string
  readonly message: string
  /** Seconds. */
  readonly retryAfter?: number
}

export interface Call {
  readonly settings: Settings
  /** Reads what is requested. */
  readResource(): Promise<RequestedResource>
  /** The status of the handler's response. */
  status: number
  /** What the handler has written, before it is settled. */
  written?: { readonly headers?: Readonly<Record<string, string>>; readonly body: Uint8Array }
  /** The purchase that this call pays or redeems. */
  entry?: StoredPurchase
  /** Whether the response that is written is that of the purchase. */
  isServed?: boolean
  answer?: Answer
}

/** The call that is served now. */
export const calls = new AsyncLocalStorage<Call>()

const RETRY_AFTER = 2

export const PENDING: Refusal = {
  status: 503,
  error: 'settlement_pending',
  message: 'This purchase is being served or settled. Send the request again. It is not paid twice',
  retryAfter: RETRY_AFTER,
}
export const UNAVAILABLE: Refusal = {
  status: 503,
  error: 'purchases_unavailable',
  message: 'The purchases cannot be read. Nothing was paid by this call. Send the request again',
  retryAfter: RETRY_AFTER,
}
export const IDENTIFIER_CONFLICT: Refusal = {
  status: 409,
  error: 'payment_identifier_conflict',
  message: 'This payment identifier names another purchase. Use a new one for a new purchase',
}
export const PAYMENT_CONFLICT: Refusal = {
  status: 409,
  error: 'payment_conflict',
  message: 'This payment pays another purchase. Sign a new one',
}
export const UNREADABLE: Refusal = {
  status: 500,
  error: 'unreadable_request',
  message:
    'The request could not be read. Nothing was paid by this call. Check the body and its content type',
}

export function refuse(call: Call, refusal: Refusal): void {
  call.answer = { kind: 'refuse', refusal }
}
