import type { Settlement, VerifyResponse } from '@mintmark/facilitator'
import { HttpError } from '@mintmark/server-kit'
import type { SettledPayment, SettleOutcome } from '../../engine/settle/outcome.ts'
import type { CheckOutcome } from '../../engine/verify/check.ts'
import type { Shortage } from '../../ledger/settlements/reserve.ts'
import type { Payment } from '../../payment/payment.ts'
import { reasons } from '../../payment/reasons.ts'
import type * as x402 from './x402-operations.ts'

/**
 * x402's reason for a settle whose outcome is not known yet. Stock servers retry once, immediately, if the
 * response names a transaction.
 */
const PENDING = 'settlement_pending'
const DUPLICATE = 'duplicate_settlement'

function toSettlement({ payer, transaction, network, amount, extra }: SettledPayment): Settlement {
  return { success: true, payer, transaction, network, amount: amount.toString(), ...(extra && { extra }) }
}

/** The success of a settle of nothing has no transaction. */
const toSettledNothing = ({ payer, wireNetwork }: Payment): Settlement => ({
  success: true,
  payer,
  transaction: '',
  network: wireNetwork,
  amount: '0',
})

/** Creates the 402. Only its message distinguishes balance, quota and freeze. */
function insufficient(shortage: Shortage): HttpError {
  const messages: Record<Shortage, string> = {
    balance:
      "The account's balance does not cover the price of a settle. Send native tokens to the treasury: domain.verifyingContract of GET /payer-quotas/signing-domain",
    quota: 'The payer has no quota that covers the price of a settle',
    frozen: 'The account is frozen',
  }
  return new HttpError(402, messages[shortage])
}

/**
 * Converts an outcome to the native API's response: the settlement of the PAYMENT-RESPONSE header, or a
 * refusal with its status.
 */
export function toNativeSettleResponse(outcome: SettleOutcome, payment: Payment): Settlement {
  switch (outcome.kind) {
    case 'settled':
      return toSettlement(outcome.settlement)
    case 'nothing-due':
      return toSettledNothing(payment)
    case 'duplicate':
      throw new HttpError(
        400,
        `The settlement of this payment was delivered before, by ${outcome.transaction}`,
        {
          reason: DUPLICATE,
        },
      )
    case 'conflict':
      throw new HttpError(400, outcome.message, { reason: DUPLICATE })
    case 'refused':
      if (isUnavailable(outcome)) throw new UnsentSettlement(UNAVAILABLE_RETRY_AFTER, outcome.message)
      throw new HttpError(400, outcome.message ?? outcome.reason, { reason: outcome.reason })
    case 'failed':
      throw new HttpError(400, outcome.message ?? outcome.reason, { reason: outcome.reason })
    case 'not-sent':
      if (outcome.retryAfter !== undefined) throw new UnsentSettlement(outcome.retryAfter)
      throw new HttpError(400, outcome.message ?? outcome.reason, { reason: outcome.reason })
    case 'insufficient':
      throw insufficient(outcome.shortage)
    case 'pending':
      throw new PendingSettlement(outcome.retryAfter, outcome.transaction)
  }
}

/** Converts an outcome to the response under `/x402`: status 200, with `success` true or false. */
export function toX402SettleResponse(outcome: SettleOutcome, payment: Payment): Settlement {
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
      return toSettlement(outcome.settlement)
    case 'nothing-due':
      return toSettledNothing(payment)
    case 'duplicate':
      return failed(DUPLICATE, 'The settlement of this payment was delivered before', outcome.transaction)
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
        'The outcome is not known yet. Settle the same payment again',
        outcome.transaction,
      )
  }
}

/** Seconds after which a payment on a network that cannot settle now is worth a repeat. */
export const UNAVAILABLE_RETRY_AFTER = 5

/** Whether a payment was refused only because its network cannot settle now. */
export const isUnavailable = (outcome: CheckOutcome | SettleOutcome): boolean =>
  outcome.kind === 'refused' && outcome.reason === reasons.verifyError

/**
 * 503: `{ error: 'SettlementNotSent', message? }`. Nothing is held, and a repeated settle starts from the
 * beginning.
 */
export class UnsentSettlement extends HttpError {
  readonly problem: string | undefined
  /** @param problem Why nothing was sent. */
  constructor(retryAfter: number, problem?: string) {
    super(503, 'Nothing was sent. Settle the same payment again', { reason: 'SettlementNotSent', retryAfter })
    this.problem = problem
  }
}

/** 503: `{ error: 'SettlementPending', transaction? }`. */
export class PendingSettlement extends HttpError {
  readonly transaction: string | undefined
  constructor(retryAfter: number, transaction: string | undefined) {
    super(503, 'The outcome is not known yet. Settle the same payment again', {
      reason: 'SettlementPending',
      retryAfter,
    })
    this.transaction = transaction
  }
}

/** Converts an outcome to the response to a verify under `/x402`. */
export function toX402VerifyResponse(outcome: CheckOutcome): x402.VerifyResponse {
  if (outcome.kind === 'insufficient') throw insufficient(outcome.shortage)
  if (outcome.kind === 'valid') {
    const { payer, extra } = outcome
    return { isValid: true, payer, ...(extra && { extra }) }
  }
  const { reason, message, issues, payer } = outcome
  return {
    isValid: false,
    invalidReason: reason,
    ...(message !== undefined && { invalidMessage: message }),
    ...(issues !== undefined && { issues: [...issues] }),
    ...(payer !== undefined && { payer }),
  }
}

/**
 * Converts an outcome to the native API's response to a verify. It deliberately has no `isValid`: stock x402
 * software then considers the payment invalid and does not settle at the root, whose response it could not
 * read after the money was moved.
 */
export function toNativeVerifyResponse(outcome: CheckOutcome): VerifyResponse {
  if (outcome.kind === 'insufficient') throw insufficient(outcome.shortage)
  if (outcome.kind === 'valid') return { valid: true, payer: outcome.payer }
  const { reason, message, issues, payer } = outcome
  return {
    valid: false,
    reason,
    ...(message !== undefined && { message }),
    ...(issues !== undefined && { issues: [...issues] }),
    ...(payer !== undefined && { payer }),
  }
}
