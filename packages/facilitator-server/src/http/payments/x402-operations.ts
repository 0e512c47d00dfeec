import { InsufficientBalanceError, record } from '@mintmark/envelope'
import { payments } from '@mintmark/facilitator'
import { facilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'

// These operations are for stock x402 software, which has its own client. They are not part of the client
// package.

/** The x402 specification's `SupportedResponse`. */
const Supported = record({
  kinds: v.array(
    record({
      x402Version: v.number(),
      scheme: v.string(),
      network: v.string(),
      extra: v.optional(v.looseObject({})),
    }),
  ),
  extensions: v.array(v.string()),
  signers: v.record(v.string(), v.array(v.string())),
  /** Ours: when a block is final, by network. Stock software ignores it. */
  finality: v.record(v.string(), v.string()),
})
export type Supported = v.InferOutput<typeof Supported>

/** The invalid fields of a request, which stock software ignores. */
const issues = v.optional(v.array(record({ path: v.string(), message: v.string() })))

/** The x402 specification's `VerifyResponse`. */
const VerifyResponse = record({
  isValid: v.boolean(),
  invalidReason: v.optional(v.string()),
  invalidMessage: v.optional(v.string()),
  issues,
  payer: v.optional(v.string()),
  extra: v.optional(v.looseObject({})),
})
export type VerifyResponse = v.InferOutput<typeof VerifyResponse>

/** The x402 specification's `SettleResponse`. */
const SettleResponse = record({
  success: v.boolean(),
  errorReason: v.optional(v.string()),
  errorMessage: v.optional(v.string()),
  issues,
  payer: v.optional(v.string()),
  transaction: v.string(),
  network: v.string(),
  amount: v.optional(v.string()),
  extra: v.optional(v.record(v.string(), v.unknown())),
})

export const supported = facilitatorOperation({
  id: 'x402.supported',
  method: 'GET',
  path: '/x402/supported',
  source: 'added',
  data: Supported,
})

const paymentBody = payments.settle.body ?? {}

export const verify = facilitatorOperation({
  id: 'x402.verify',
  method: 'POST',
  path: '/x402/verify',
  source: 'added',
  effect: 'read',
  body: paymentBody,
  openBody: true,
  data: VerifyResponse,
  errors: [InsufficientBalanceError],
})

export const settle = facilitatorOperation({
  id: 'x402.settle',
  method: 'POST',
  path: '/x402/settle',
  source: 'added',
  body: paymentBody,
  openBody: true,
  data: SettleResponse,
  errors: [InsufficientBalanceError],
})
