import { record, type Schema } from '@mintmark/envelope'
import * as v from 'valibot'

/** What a seller asks for, x402 version 2. Amounts are base units as decimal strings. */
export interface PaymentRequirementsV2 {
  scheme: string
  /** CAIP-2, such as `eip155:84532`. */
  network: string
  /** The token's address. */
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  /** For exact on EVM: the token's EIP-712 `name` and `version`. */
  extra?: { [name: string]: unknown }
}

/** What a seller asks for, x402 version 1. */
export interface PaymentRequirementsV1 {
  scheme: string
  /** By name, such as `base-sepolia`. */
  network: string
  maxAmountRequired: string
  resource: string
  description: string
  mimeType: string
  outputSchema?: { [name: string]: unknown } | null
  payTo: string
  maxTimeoutSeconds: number
  asset: string
  extra?: { [name: string]: unknown } | null
}

/** A signed payment, x402 version 2. */
export interface PaymentPayloadV2 {
  x402Version: 2
  resource?: { url: string; description?: string; mimeType?: string }
  accepted: PaymentRequirementsV2
  payload: { [name: string]: unknown }
  extensions?: { [name: string]: unknown }
}

/** A signed payment, x402 version 1. */
export interface PaymentPayloadV1 {
  x402Version: 1
  scheme: string
  network: string
  payload: { [name: string]: unknown }
}

export type PaymentRequirements = PaymentRequirementsV1 | PaymentRequirementsV2
export type PaymentPayload = PaymentPayloadV1 | PaymentPayloadV2

// The facilitator judges these and answers an x402 reason; here they only have to be objects. Extensions pass through.
const anyObject = v.looseObject({})

/** The body of verify and of settle. */
export const paymentFields = {
  /** 1 or 2. */
  x402Version: v.pipe(v.number(), v.integer()),
  /** What the payer signed: an x402 `PaymentPayload`, of version 1 or 2. */
  paymentPayload: anyObject as unknown as Schema<PaymentPayload>,
  /** What the seller asked for: x402 `PaymentRequirements` of the same version. */
  paymentRequirements: anyObject as unknown as Schema<PaymentRequirements>,
}

const verifyResponse = record({
  /** Whether the payment could be settled now. */
  valid: v.boolean(),
  /** Why not: an x402 reason, such as `insufficient_funds`. */
  reason: v.optional(v.string()),
  /** The reason in a sentence, for people. */
  message: v.optional(v.string()),
  /** The payer's address. */
  payer: v.optional(v.string()),
})
/** Whether a payment could be settled. x402's own form of it is at `/x402/verify`. */
export interface VerifyResponse extends v.InferOutput<typeof verifyResponse> {}
export const VerifyResponse: Schema<VerifyResponse> = verifyResponse

const settlement = record({
  /** Whether the payment was executed. */
  success: v.boolean(),
  /** Why not: an x402 reason. */
  errorReason: v.optional(v.string()),
  /** The reason in a sentence, for people. */
  errorMessage: v.optional(v.string()),
  /** The payer's address. */
  payer: v.optional(v.string()),
  /** The transaction's hash; `''` when there is none. */
  transaction: v.string(),
  /** The network as the call named it. */
  network: v.string(),
  /** Base units of the asset. */
  amount: v.optional(v.string()),
})
/** What a settle came to (x402 specification, "SettleResponse"). */
export interface Settlement extends v.InferOutput<typeof settlement> {}
export const Settlement: Schema<Settlement> = settlement

const supported = record({
  /** What to change when x402 software that expects its own form of this answer shows it. */
  notice: v.string(),
  /** What settles: each x402 version, scheme and network, with what a payer needs to know (`extra`). */
  paymentKinds: v.array(
    record({
      x402Version: v.number(),
      scheme: v.string(),
      network: v.string(),
      extra: v.optional(v.looseObject({})),
    }),
  ),
  /** The x402 extensions that are accepted. */
  extensions: v.array(v.string()),
  /** The addresses that settle, by network pattern. */
  signers: v.record(v.string(), v.array(v.string())),
})
/** What a facilitator settles. x402's own form of it is at `/x402/supported`. */
export interface Supported extends v.InferOutput<typeof supported> {}
export const Supported: Schema<Supported> = supported

const health = record({
  /** `ok`, or what is amiss. */
  status: v.string(),
  /** The facilitator's version. */
  version: v.string(),
  /** The chains that are settled on, by CAIP-2 id. */
  chains: v.array(v.string()),
})
/** The facilitator's state. */
export interface Health extends v.InferOutput<typeof health> {}
export const Health: Schema<Health> = health
