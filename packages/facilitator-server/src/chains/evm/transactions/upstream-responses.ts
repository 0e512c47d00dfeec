import type { Payment, ReportedBlock, UpstreamResponse } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'

/** The response when nothing was signed. */
export type Unsent = UpstreamResponse & { kind: 'refused' | 'not_sent' | 'lost' }

/** The response for a transaction that made the payment, with its block if it is mined. */
export const success = (
  { payer, wireNetwork }: Payment,
  transaction: string,
  block: ReportedBlock,
): UpstreamResponse => ({
  kind: 'responded',
  httpStatus: 200,
  body: { success: true, payer, transaction, network: wireNetwork },
  block,
})
export const refused = (reason: string, message: string): UpstreamResponse & { kind: 'refused' } => ({
  kind: 'refused',
  httpStatus: 400,
  reason,
  message,
})
export const notSent = (
  message: string,
  reason: string = reasons.settleError,
): UpstreamResponse & { kind: 'not_sent' } => ({
  kind: 'not_sent',
  reason,
  message: `${message}. Nothing was sent`,
})
/** The response when the outcome is unknown. `transaction` is the newest one that was signed, if any was. */
export const lost = (
  why: Extract<UpstreamResponse, { kind: 'lost' }>['why'],
  message: string,
  transaction?: string,
): UpstreamResponse & { kind: 'lost' } => ({
  kind: 'lost',
  why,
  message,
  ...(transaction !== undefined && { transaction }),
})

/**
 * The response for a transaction that was mined and reverted. Its gas is paid, so it counts as an upstream's
 * 2xx without success. It names the transaction, so that reconciliation decides: another party may have
 * submitted the same authorization first, and after a reorganization our transaction can still succeed.
 */
export const reverted = (payment: Payment, transaction: string): UpstreamResponse =>
  unsuccessful(payment, transaction, reasons.transactionFailed, 'reverted')

/**
 * The response for a transaction that was mined and succeeded without the expected transfer. It counts as a
 * revert does.
 */
export const mismatched = (payment: Payment, transaction: string, what: string): UpstreamResponse =>
  unsuccessful(payment, transaction, reasons.transferMismatch, what)

const unsuccessful = (
  { payer, wireNetwork }: Payment,
  transaction: string,
  errorReason: string,
  what: string,
): UpstreamResponse => ({
  kind: 'responded',
  httpStatus: 200,
  body: {
    success: false,
    errorReason,
    errorMessage: `${transaction} ${what}`,
    payer,
    transaction,
    network: wireNetwork,
  },
})
