import type { Payment, UpstreamAnswer } from '../../../payments/payment.ts'
import { reasons } from '../../../payments/reasons.ts'

/** Why nothing was signed. */
export type Unsent = UpstreamAnswer & { kind: 'refused' | 'not_sent' | 'lost' }

export const success = ({ payer, wireNetwork }: Payment, transaction: string): UpstreamAnswer => ({
  kind: 'answered',
  httpStatus: 200,
  body: { success: true, payer, transaction, network: wireNetwork },
})
export const refused = (reason: string, message: string): UpstreamAnswer & { kind: 'refused' } => ({
  kind: 'refused',
  httpStatus: 400,
  reason,
  message,
})
export const notSent = (
  message: string,
  reason: string = reasons.settleError,
): UpstreamAnswer & { kind: 'not_sent' } => ({
  kind: 'not_sent',
  reason,
  message: `${message} Nothing was sent.`,
})
export const lost = (
  why: Extract<UpstreamAnswer, { kind: 'lost' }>['why'],
  message: string,
): UpstreamAnswer & { kind: 'lost' } => ({ kind: 'lost', why, message })

/**
 * The answer for a transaction that was mined and reverted. Its gas is paid, so it counts as an upstream's 2xx without
 * success; that it names a transaction leaves the end to reconciliation. Somebody else may have submitted the same
 * authorization first, and a reorganization can still let ours succeed.
 */
export const reverted = ({ payer, wireNetwork }: Payment, transaction: string): UpstreamAnswer => ({
  kind: 'answered',
  httpStatus: 200,
  body: {
    success: false,
    errorReason: reasons.transactionFailed,
    errorMessage: `${transaction} reverted`,
    payer,
    transaction,
    network: wireNetwork,
  },
})
