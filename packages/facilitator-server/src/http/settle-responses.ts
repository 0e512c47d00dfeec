import type { Settlement, VerifyResponse } from '@mintmark/facilitator'
import { Refusal } from '@mintmark/server-kit'
import type * as x402 from './x402/x402-operations.ts'
import type { Payment } from '../payments/payment.ts'
import type { CheckOutcome } from '../payments/verify/check.ts'
import type { SettledPayment, SettleOutcome } from '../payments/settle/outcome.ts'

/** x402's word for a settle whose outcome is not known yet; stock servers ask once more, at once. */
const PENDING = 'settlement_pending'
const DUPLICATE = 'duplicate_settlement'

function settlementOf({ payer, transaction, network, amount }: SettledPayment): Settlement {
  return { success: true, payer, transaction, network, amount: amount.toString() }
}

/** 402; which of balance, quota and freeze it was is said for people only. */
function insufficient(shortage: string): Refusal {
  const told: Record<string, string> = {
    balance: "The account's balance does not cover the price of a settle",
    quota: 'The payer has no quota that covers the price of a settle',
    frozen: 'The account is frozen',
  }
  return new Refusal(402, told[shortage] ?? 'The account cannot pay')
}

/** The root door's answer: the settlement of the PAYMENT-RESPONSE header, or a refusal with its status. */
export function rootSettleAnswer(outcome: SettleOutcome): Settlement {
  switch (outcome.kind) {
    case 'settled':
      return settlementOf(outcome.settlement)
    case 'duplicate':
      throw new Refusal(400, `This payment was settled and answered before, by ${outcome.transaction}`, {
        reason: DUPLICATE,
      })
    case 'in-flight':
      throw new Refusal(400, 'This payment is being settled by another call', { reason: DUPLICATE })
    case 'conflict':
      throw new Refusal(400, outcome.message, { reason: DUPLICATE })
    case 'refused':
    case 'failed':
      throw new Refusal(400, outcome.message ?? outcome.reason, { reason: outcome.reason })
    case 'not-sent':
      if (outcome.retryAfter !== undefined) throw new UnsentSettlement(outcome.retryAfter)
      throw new Refusal(400, outcome.message ?? outcome.reason, { reason: outcome.reason })
    case 'insufficient':
      throw insufficient(outcome.shortage)
    case 'pending':
      throw new PendingSettlement(outcome.retryAfter, outcome.transaction)
  }
}

/** The answer under `/x402`: the outcome is 200, with `success` true or false. */
export function x402SettleAnswer(outcome: SettleOutcome, payment: Payment): Settlement {
  const failed = (errorReason: string, message: string | undefined, transaction = ''): Settlement => ({
    success: false,
    errorReason,
    ...(message !== undefined && { errorMessage: message }),
    payer: payment.payer,
    transaction,
    network: payment.wireNetwork,
  })
  switch (outcome.kind) {
    case 'settled':
      return settlementOf(outcome.settlement)
    case 'duplicate':
      return failed(DUPLICATE, 'This payment was settled and answered before', outcome.transaction)
    case 'in-flight':
      return failed(DUPLICATE, 'This payment is being settled by another call')
    case 'conflict':
      return failed(DUPLICATE, outcome.message)
    case 'refused':
    case 'not-sent':
      return failed(outcome.reason, outcome.message)
    case 'failed':
      return failed(outcome.reason, outcome.message, outcome.transaction)
    case 'insufficient':
      throw insufficient(outcome.shortage)
    case 'pending':
      return failed(
        PENDING,
        'The outcome is not known yet: settle the same payment again',
        outcome.transaction,
      )
  }
}

/** 503: `{ error: 'SettlementNotSent' }`. Nothing is held, and a repeat executes the payment from the beginning. */
export class UnsentSettlement extends Refusal {
  constructor(retryAfter: number) {
    super(503, 'Nothing was sent. Settle the same payment again', { reason: 'SettlementNotSent', retryAfter })
  }
}

/** 503: `{ error: 'SettlementPending', transaction? }`. */
export class PendingSettlement extends Refusal {
  readonly transaction: string | undefined
  constructor(retryAfter: number, transaction: string | undefined) {
    super(503, 'The outcome is not known yet: settle the same payment again', {
      reason: 'SettlementPending',
      retryAfter,
    })
    this.transaction = transaction
  }
}

/** The answer under `/x402` to a verify. */
export function x402VerifyAnswer(outcome: CheckOutcome): x402.VerifyResponse {
  if (outcome.kind === 'insufficient') throw insufficient(outcome.shortage)
  if (outcome.kind === 'valid') return { isValid: true, payer: outcome.payer }
  const { reason, message, payer } = outcome
  return {
    isValid: false,
    invalidReason: reason,
    ...(message !== undefined && { invalidMessage: message }),
    ...(payer !== undefined && { payer }),
  }
}

/**
 * The answer at the root to a verify. It has no `isValid` on purpose: software that expects x402's own form takes the
 * payment for invalid and does not go on to settle at the root, whose answer it could not read after the money moved.
 */
export function rootVerifyAnswer(outcome: CheckOutcome): VerifyResponse {
  if (outcome.kind === 'insufficient') throw insufficient(outcome.shortage)
  if (outcome.kind === 'valid') return { valid: true, payer: outcome.payer }
  const { reason, message, payer } = outcome
  return {
    valid: false,
    reason,
    ...(message !== undefined && { message }),
    ...(payer !== undefined && { payer }),
  }
}
