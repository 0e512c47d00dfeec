import { ConflictError, InsufficientBalanceError, RefusedError } from '@mintmark/envelope'
import { facilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { Health, paymentFields, Settlement, Supported, VerifyResponse } from './x402.ts'

/** Health Check: whether the facilitator works, and the chains that it settles on. */
export const health = facilitatorOperation({
  id: 'payments.health',
  method: 'GET',
  path: '/health',
  source: 'method',
  data: Health,
})

/** Supported: the x402 versions, schemes and networks that can be verified and settled. */
export const supported = facilitatorOperation({
  id: 'payments.supported',
  method: 'GET',
  path: '/supported',
  source: 'method',
  data: Supported,
})

/** Verify: whether a payment could be settled now; nothing is charged or sent. */
export const verify = facilitatorOperation({
  id: 'payments.verify',
  method: 'POST',
  path: '/verify',
  source: 'method',
  effect: 'read',
  scope: 'payments:verify',
  body: paymentFields,
  openBody: true,
  data: VerifyResponse,
  errors: [InsufficientBalanceError],
})

/**
 * Settle: executes a payment. It costs the account 0.002 of the native token, charged once the settlement is done. The
 * answer has no body: what is resolved is the settlement of the PAYMENT-RESPONSE header, or undefined from a facilitator
 * that does not send one. Success is delivered once; after an UnknownOutcomeError send the same payment again, or
 * read its order.
 */
export const settle = facilitatorOperation({
  id: 'payments.settle',
  method: 'POST',
  path: '/settle',
  source: 'stated',
  scope: 'payments:settle',
  body: paymentFields,
  openBody: true,
  result: 'header',
  data: v.optional(Settlement),
  errors: [RefusedError, ConflictError, InsufficientBalanceError],
})
