import { InsufficientBalanceError, NotFoundError, RefusedError, Text } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { PayerAddress, TransactionId } from './fields.ts'
import { PaymentStatus } from './payment-status.ts'
import { DUPLICATE_SETTLEMENT } from './rules.ts'
import { Health, paymentFields, Settlement, Supported, VerifyResponse } from './x402.ts'

/**
 * Returns the state of the facilitator and the chains on which it settles.
 *
 * @example
 * const { status, chains } = await payments.health(facilitator)
 * if (status !== 'ok') console.log(status, chains)
 */
export const health = facilitatorOperation({
  id: 'payments.health',
  method: 'GET',
  path: '/health',
  source: 'method',
  data: Health,
})

/**
 * Returns the x402 versions, schemes and networks that the facilitator verifies and settles.
 *
 * @example
 * const { paymentKinds } = await payments.supported(facilitator)
 * for (const { scheme, network } of paymentKinds) console.log(scheme, network)
 */
export const supported = facilitatorOperation({
  id: 'payments.supported',
  method: 'GET',
  path: '/supported',
  source: 'method',
  data: Supported,
})

/**
 * Checks whether a payment could be settled now. Charges and sends nothing. An invalid payment is a response
 * with `valid: false` and a `reason`, not an error; `issues` names the fields of a malformed one.
 * InsufficientBalanceError if the account cannot pay for the settlement.
 *
 * @example
 * const payment = { x402Version: 2, paymentPayload, paymentRequirements }
 * const { valid, reason } = await payments.verify(facilitator, payment)
 * if (!valid) console.log(reason)
 */
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
export type VerifyPaymentInput = InputOf<typeof verify>

/**
 * Settles a payment. Costs the account 0.002 of the native token, charged once the settlement is done.
 * Returns the settlement of the PAYMENT-RESPONSE header, because the response has no body, or undefined if
 * the facilitator does not send that header.
 *
 * InvalidInputError if the request is malformed or contradicts itself: `issues` names the fields, and the
 * reason is x402's. RefusedError if the payment cannot be settled, with the reason `duplicate_settlement` if
 * its success was delivered before, and otherwise with the reason of x402.
 * InsufficientBalanceError if the account cannot pay. After an UnknownOutcomeError, send the same payment
 * again or read its order.
 *
 * @example
 * const payment = { x402Version: 2, paymentPayload, paymentRequirements }
 * const settlement = await payments.settle(facilitator, payment, { idempotencyKey: 'order-7' })
 * console.log(settlement?.transaction)
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
  errors: [RefusedError, DUPLICATE_SETTLEMENT, InsufficientBalanceError],
})
export type SettlePaymentInput = InputOf<typeof settle>

/**
 * Returns what became of a payment that the account has settled: by its transaction, by its payment identifier,
 * or by network, payer and nonce. Call it when the response to a settle was lost. NotFoundError if the account
 * has settled no such payment.
 *
 * @example
 * const { state, isFinal } = await payments.get(facilitator, { network: 'eip155:84532', payer, nonce })
 * if (state === 'settled') console.log(isFinal ? 'final' : 'paid')
 */
export const get = facilitatorOperation({
  id: 'payments.get',
  method: 'GET',
  path: '/payments',
  source: 'own',
  scope: 'orders:read',
  query: {
    /** The hash of a transaction that the facilitator signed for the payment, or the signature of one on Solana. */
    transaction: v.optional(TransactionId),
    /**
     * The payment identifier. It finds the payment that was executed under it or may still be, not one that failed.
     * Several payers may use the same text, so send `payer` too.
     */
    identifier: v.optional(Text),
    /** The CAIP-2 id of the chain, with `payer` and `nonce`. */
    network: v.optional(Text),
    /** The wallet that paid: an EVM address in any case, or a Solana address. */
    payer: v.optional(PayerAddress),
    /**
     * The nonce of the signed authorization: 0x and 64 hexadecimal digits, or the decimal number of Permit2. On Solana the SHA-256 of the
     * transaction's message.
     */
    nonce: v.optional(Text),
    /**
     * The contract that keeps the nonce: the token of an EIP-3009 payment or of one on Solana, or Permit2. Needed if the payer has used the nonce
     * with several contracts.
     */
    contract: v.optional(PayerAddress),
  },
  data: PaymentStatus,
  errors: [NotFoundError],
})
export type GetPaymentInput = InputOf<typeof get>
