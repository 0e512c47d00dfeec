import { record, type Schema } from '@mintmark/envelope'
import * as v from 'valibot'

/** The payment that a seller requires, x402 version 2. Amounts are base units as decimal strings. */
export interface PaymentRequirementsV2 {
  /** How the payment is made, such as `exact`. */
  scheme: string
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: string
  /** The token's address. */
  asset: string
  /** The price in base units of the token. */
  amount: string
  /** The address that receives the payment. */
  payTo: string
  /** The longest time, in seconds, from the payer's signature to the settlement. */
  maxTimeoutSeconds: number
  /** For the scheme `exact` on EVM chains: the token's EIP-712 `name` and `version`. */
  extra?: { [name: string]: unknown }
}

/** The payment that a seller requires, x402 version 1. */
export interface PaymentRequirementsV1 {
  /** How the payment is made, such as `exact`. */
  scheme: string
  /** The name of the chain, such as `base-sepolia`. */
  network: string
  /** The price in base units of the token. */
  maxAmountRequired: string
  /** The URL that is paid for. */
  resource: string
  /** What is paid for. */
  description: string
  /** The MIME type of the response. */
  mimeType: string
  /** The schema of the response. */
  outputSchema?: { [name: string]: unknown } | null
  /** The address that receives the payment. */
  payTo: string
  /** The longest time, in seconds, from the payer's signature to the settlement. */
  maxTimeoutSeconds: number
  /** The token's address. */
  asset: string
  /** For the scheme `exact` on EVM chains: the token's EIP-712 `name` and `version`. */
  extra?: { [name: string]: unknown } | null
}

/** A signed payment, x402 version 2. */
export interface PaymentPayloadV2 {
  /** The version of x402. */
  x402Version: 2
  /** What is paid for. */
  resource?: {
    /** The URL that is paid for. */
    url: string
    /** What is paid for. */
    description?: string
    /** The MIME type of the response. */
    mimeType?: string
  }
  /** The requirements that the payer accepted, unchanged. */
  accepted: PaymentRequirementsV2
  /** What the payer signed, and the signature. Its form depends on the scheme. */
  payload: { [name: string]: unknown }
  /** The extensions of x402 that payer and seller use, by name. */
  extensions?: { [name: string]: unknown }
}

/** A signed payment, x402 version 1. */
export interface PaymentPayloadV1 {
  /** The version of x402. */
  x402Version: 1
  /** How the payment is made, such as `exact`. */
  scheme: string
  /** The name of the chain, such as `base-sepolia`. */
  network: string
  /** What the payer signed, and the signature. Its form depends on the scheme. */
  payload: { [name: string]: unknown }
}

export type PaymentRequirements = PaymentRequirementsV1 | PaymentRequirementsV2
export type PaymentPayload = PaymentPayloadV1 | PaymentPayloadV2

// The facilitator validates these objects and returns an x402 reason. The client only checks that they are
// objects. Extensions pass through.
const anyObject = v.looseObject({})

/** The body of `verify` and `settle`. */
export const paymentFields = {
  /** The x402 version: 1 or 2. */
  x402Version: v.pipe(v.number(), v.integer()),
  /** The payment that the payer signed: an x402 `PaymentPayload` of version 1 or 2. */
  paymentPayload: anyObject as unknown as Schema<PaymentPayload>,
  /** The payment that the seller requires: x402 `PaymentRequirements` of the same version. */
  paymentRequirements: anyObject as unknown as Schema<PaymentRequirements>,
}

const fieldIssue = record({
  /** The path in the request, such as `paymentPayload.payload.authorization.nonce`; `''` for the whole body. */
  path: v.string(),
  /** What is wrong, and what to send instead. */
  message: v.string(),
})
/** An invalid field of a request. */
export interface FieldIssue extends v.InferOutput<typeof fieldIssue> {}
export const FieldIssue: Schema<FieldIssue> = fieldIssue

const verifyResponse = record({
  /** Whether the payment could be settled now. */
  valid: v.boolean(),
  /** Why the payment is invalid: an x402 reason, such as `insufficient_funds`. */
  reason: v.optional(v.string()),
  /** The reason in a sentence, for people. */
  message: v.optional(v.string()),
  /** The invalid fields; absent if the request is well-formed. */
  issues: v.optional(v.array(FieldIssue)),
  /** The payer's address. */
  payer: v.optional(v.string()),
})
/** Whether a payment could be settled. `/x402/verify` returns the x402 format. */
export interface VerifyResponse extends v.InferOutput<typeof verifyResponse> {}
export const VerifyResponse: Schema<VerifyResponse> = verifyResponse

const settlement = record({
  /** Whether the payment was executed. */
  success: v.boolean(),
  /** Why the payment was not executed: an x402 reason. */
  errorReason: v.optional(v.string()),
  /** The reason in a sentence, for people. */
  errorMessage: v.optional(v.string()),
  /** The payer's address. */
  payer: v.optional(v.string()),
  /** The transaction's hash; `''` without a transaction. */
  transaction: v.string(),
  /** The network of the request. */
  network: v.string(),
  /** The paid amount, in base units of the asset. */
  amount: v.optional(v.string()),
  /** For a deposit or refund of a payment channel: `channelState`, the channel's state afterwards. */
  extra: v.optional(v.record(v.string(), v.unknown())),
})
/** The outcome of a settlement (x402 specification, "SettleResponse"). */
export interface Settlement extends v.InferOutput<typeof settlement> {}
export const Settlement: Schema<Settlement> = settlement

const supported = record({
  /** Explains what to change if x402 software shows this response, because it expects the x402 format. */
  notice: v.string(),
  /**
   * The supported combinations of x402 version, scheme and network. `extra` contains the details that payers
   * need.
   */
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
  /** When a block is final, by network: `finalized`, `safe` or a number of blocks. */
  finality: v.optional(v.record(v.string(), v.string())),
})
/** The payments that a facilitator settles. `/x402/supported` returns the x402 format. */
export interface Supported extends v.InferOutput<typeof supported> {}
export const Supported: Schema<Supported> = supported

const health = record({
  /** `ok`, or a description of the problem. */
  status: v.string(),
  /** The facilitator's version. */
  version: v.string(),
  /** The CAIP-2 ids of the chains on which the facilitator settles. */
  chains: v.array(v.string()),
})
/** The facilitator's state. */
export interface Health extends v.InferOutput<typeof health> {}
export const Health: Schema<Health> = health
