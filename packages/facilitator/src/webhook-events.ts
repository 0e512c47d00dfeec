import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { defineEvents, type EventDataOf } from '@mintmark/operation'
import * as v from 'valibot'
import type { MicropaymentOrderStatus } from './micropayment-orders.ts'

// A newer server may return further values, so the type of the record is open.
const status: Schema<MicropaymentOrderStatus | (string & {})> = v.string()

const settlementEvent = record({
  /** The number of the settlement's order. */
  orderNo: v.string(),
  /**
   * `settled`, `failed` or `unknown`; in `settlement.reconciled` also `not_sent`, after which another call
   * can settle the payment.
   */
  status,
  /** The wallet that paid. */
  payer: v.string(),
  /** The wallet that is paid. */
  payTo: v.string(),
  /** The CAIP-2 id of the chain. */
  network: v.string(),
  /** The address of the paid asset. */
  asset: v.string(),
  /** The amount in base units of the asset. */
  amount: v.string(),
  /** The transaction's hash; `''` until it is known. */
  transaction: v.string(),
  /** The cost of the settlement, in wei of the native token. */
  price: v.string(),
  /** Whether the price was charged. */
  charged: v.boolean(),
  /** Why the settlement failed or its outcome is unknown; `''` if it settled. */
  reason: v.string(),
})
/** The data of an event about a settlement. */
export interface SettlementEventData extends v.InferOutput<typeof settlementEvent> {}
export const SettlementEventData: Schema<SettlementEventData> = settlementEvent

const paymentRefunded = record({
  /** The number of the refund's order. A reorganization of the chain can repeat the event with the same number. */
  orderNo: v.string(),
  /** The nonce of the refunded payment, by which `payments.get` finds it. */
  nonce: v.string(),
  /** The wallet that paid, and that the refund is paid to. */
  payer: v.string(),
  /** The wallet that was paid. */
  payTo: v.string(),
  /** The CAIP-2 id of the chain. */
  network: v.string(),
  /** The address of the asset. */
  asset: v.string(),
  /** The refunded amount in base units of the asset. */
  amount: v.string(),
  /** The transaction's hash. */
  transaction: v.string(),
})
/** The data of an event about a refund. */
export interface PaymentRefundedData extends v.InferOutput<typeof paymentRefunded> {}
export const PaymentRefundedData: Schema<PaymentRefundedData> = paymentRefunded

const quotaFields = {
  /** The payer's wallet. */
  payer: v.string(),
  /** The nonce that the payer signed. */
  nonce: v.string(),
}
const limitFields = {
  ...quotaFields,
  /** The maximum that the facilitator may charge, in wei of the native token. */
  limit: v.string(),
}
const balanceFields = {
  /** The payer's wallet. */
  payer: v.string(),
  /** The balance, in wei of the native token. */
  balance: v.string(),
}

const quotaRegistered = record(limitFields)
/** The data of an event about a new quota. */
export interface QuotaRegisteredData extends v.InferOutput<typeof quotaRegistered> {}
export const QuotaRegisteredData: Schema<QuotaRegisteredData> = quotaRegistered

const quotaRevoked = record(quotaFields)
/** The data of an event about a revoked quota. */
export interface QuotaRevokedData extends v.InferOutput<typeof quotaRevoked> {}
export const QuotaRevokedData: Schema<QuotaRevokedData> = quotaRevoked

const quotaExhausted = record({
  ...limitFields,
  /** What may still be charged, in wei of the native token. */
  remaining: v.string(),
})
/** The data of an event about a quota that cannot pay for another settle. */
export interface QuotaExhaustedData extends v.InferOutput<typeof quotaExhausted> {}
export const QuotaExhaustedData: Schema<QuotaExhaustedData> = quotaExhausted

const balanceCredited = record({
  ...balanceFields,
  /** The credited amount, in wei of the native token. */
  amount: v.string(),
})
/** The data of an event about a deposit. */
export interface BalanceCreditedData extends v.InferOutput<typeof balanceCredited> {}
export const BalanceCreditedData: Schema<BalanceCreditedData> = balanceCredited

const balanceLow = record({
  ...balanceFields,
  /** The balance below which the event is sent, in wei of the native token. */
  threshold: v.string(),
})
/** The data of an event about a balance that will soon be too small. */
export interface BalanceLowData extends v.InferOutput<typeof balanceLow> {}
export const BalanceLowData: Schema<BalanceLowData> = balanceLow

/** The types of events that webhooks receive, and the data of each. Amounts are decimal texts. */
export const webhookEvents = defineEvents({
  'settlement.settled': {
    description: 'A payment was settled and its settle charged.',
    data: SettlementEventData,
  },
  'settlement.failed': { description: 'A payment failed permanently.', data: SettlementEventData },
  'settlement.unknown': {
    description: 'The outcome of a settle is not known yet. Another event will report it.',
    data: SettlementEventData,
  },
  'settlement.reconciled': {
    description: 'The unknown outcome of a settle was found out.',
    data: SettlementEventData,
  },
  'payment.refunded': {
    description: 'A part of a captured payment was paid back to the payer.',
    data: PaymentRefundedData,
  },
  'payer_quota.registered': {
    description: 'A payer quota was registered, or replaced by this one.',
    data: QuotaRegisteredData,
  },
  'payer_quota.revoked': {
    description: 'A payer quota was revoked by its payer.',
    data: QuotaRevokedData,
  },
  'payer_quota.exhausted': {
    description: 'A payer quota cannot pay for another settle.',
    data: QuotaExhaustedData,
  },
  'payer_balance.credited': {
    description: "The payer's balance has grown.",
    data: BalanceCreditedData,
  },
  'payer_balance.low': {
    description: "The payer's balance will soon be too small for a settle.",
    data: BalanceLowData,
  },
})

/** The `data` of each type of event. Amounts are decimal texts. */
export interface WebhookData extends EventDataOf<typeof webhookEvents> {}

export type WebhookType = keyof WebhookData

/**
 * An event. `sequence` orders the events of a subject. Events may arrive out of order, and more than once
 * with the same `id`.
 */
export type WebhookEvent = {
  [Type in WebhookType]: {
    /** Identifies the event. Ignore an event whose id you have processed. */
    id: string
    /** What happened, such as `settlement.settled`. */
    type: Type
    /** ISO 8601. */
    occurredAt: string
    /** Orders the events of a subject. */
    sequence: number
    /** What happened to what. Its fields depend on `type`. */
    data: WebhookData[Type]
  }
}[WebhookType]

const event = record({
  id: v.string(),
  type: v.string(),
  occurredAt: Timestamp,
  sequence: Integer,
  data: v.looseObject({}),
})
export const WebhookEvent: Schema<WebhookEvent> = event as Schema<unknown> as Schema<WebhookEvent>
