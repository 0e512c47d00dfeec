import { type VerifyWebhookOptions, verifyWebhookMessage } from '@mintmark/envelope'
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
  /**
   * `settled`, `failed` or `unknown`; in `settlement.reconciled` also `not_sent`, after which another call
   * can settle the payment.
   */
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

/**
 * An event. `sequence` orders the events of a subject. Events may arrive out of order, and more than once
 * with the same `id`.
 */
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

/**
 * Verifies a webhook of the facilitator (Standard Webhooks) and returns its event. Throws an
 * `InvalidWebhookError` if it cannot be verified, whatever the cause. WebCrypto compares the signatures in
 * constant time.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets: [secret] })
 * if (event.type === 'settlement.settled') console.log(event.data.transaction)
 */
export const verifyWebhook: (options: VerifyWebhookOptions) => Promise<WebhookEvent> = verifyWebhookMessage
