import type { PayerRefusal, Shortage } from '../../ledger/settlements/reserve.ts'
import { NOT_SENT_STATUS } from '../../ledger/settlements/rules.ts'
import type { ChangedSettlement } from '../../ledger/settlements/transition.ts'
import type { Payment } from '../../payment/payment.ts'
import type { Problem } from '../../payment/problem.ts'
import { reasons } from '../../payment/reasons.ts'

/** The outcome of a settle. Both HTTP APIs map every kind to a response. */
export type SettleOutcome =
  /**
   * Settled and charged, and this response delivers the success. `repeated`: the caller received it before,
   * as its Idempotency-Key proves.
   */
  | { readonly kind: 'settled'; readonly repeated: boolean; readonly settlement: SettledPayment }
  /**
   * The seller settles an amount of 0 of a metered payment. Nothing is sent, recorded or charged, and the
   * signature stays usable.
   */
  | { readonly kind: 'nothing-due'; readonly payer: string }
  /** Settled, and delivered before. */
  | { readonly kind: 'duplicate'; readonly transaction: string; readonly payer: string }
  /** The same authorization was presented by another account, or with other terms or another signature. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** Refused before anything was held: by our own verification, or because the network is not served. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message?: string; readonly payer?: string }
  /** Nothing was sent and nothing is held. The same payment can be settled later. */
  | {
      readonly kind: 'not-sent'
      readonly reason: string
      readonly message?: string
      readonly payer: string
      /** Seconds, if the cause is temporary. Absent if the payment was refused. */
      readonly retryAfter?: number
      readonly settlementId: number
      readonly orderNo: string
    }
  /** The upstream refused the payment permanently, or it can never settle on the chain. */
  | {
      readonly kind: 'failed'
      readonly reason: string
      readonly message?: string
      readonly payer: string
      readonly transaction?: string
      readonly charged: boolean
      readonly settlementId: number
      readonly orderNo: string
    }
  /** The account or its quota cannot pay the price. Nothing was written. */
  | { readonly kind: 'insufficient'; readonly shortage: Shortage }
  /** Not known yet. The price stays held, and repeating the call later returns the outcome. */
  | {
      readonly kind: 'pending'
      readonly transaction?: string
      readonly payer: string
      /** Seconds. */
      readonly retryAfter: number
      readonly settlementId: number
    }

export interface SettledPayment {
  readonly settlementId: number
  readonly orderNo: string
  readonly transaction: string
  readonly payer: string
  /** As named in the request. */
  readonly network: string
  /** Base units of the asset. */
  readonly amount: bigint
  /** What stock sellers of the scheme read. */
  readonly extra?: { readonly [name: string]: unknown }
}

const PAYER_REFUSALS: Readonly<Record<PayerRefusal, Problem>> = {
  funds: {
    reason: reasons.insufficientFunds,
    message: "Payments in flight take the payer's balance. Retry when they have settled",
  },
  allowance: {
    reason: reasons.allowanceRequired,
    message: 'Payments in flight take what the payer has approved. Retry when they have settled',
  },
  reverts: {
    reason: reasons.tooManyReverts,
    message: 'Too many transactions of this payer or account reverted. Retry later',
  },
  identifier: {
    reason: reasons.identifierConflict,
    message:
      'Another payment has this payment identifier, and was or may still be executed. Use a new identifier for a new purchase',
  },
}

/** A refusal for what the payer or the account did. */
export function refusedForPayer(
  { payer, scheme }: Pick<Payment, 'payer' | 'scheme'>,
  cause: PayerRefusal,
): SettleOutcome & { kind: 'refused' } {
  const ofScheme = cause === 'allowance' ? scheme.allowanceProblem : undefined
  const { reason, message } = ofScheme ?? PAYER_REFUSALS[cause]
  return { kind: 'refused', reason, message, payer }
}

/** Seconds after which a pending or unsent settle is worth a retry. */
const RETRY_AFTER = 2

export const settledOutcome = (
  settlement: ChangedSettlement,
  payment: Payment,
  repeated: boolean,
): SettleOutcome => ({
  kind: 'settled',
  repeated,
  settlement: {
    settlementId: settlement.id,
    orderNo: settlement.order_no,
    transaction: requireTransaction(settlement),
    payer: settlement.payer,
    network: payment.wireNetwork,
    amount: BigInt(settlement.amount),
  },
})

export const duplicateOutcome = (settlement: ChangedSettlement): SettleOutcome => ({
  kind: 'duplicate',
  transaction: requireTransaction(settlement),
  payer: settlement.payer,
})

export const failedOutcome = (settlement: ChangedSettlement): SettleOutcome => ({
  kind: 'failed',
  reason: settlement.reason ?? 'unexpected_settle_error',
  ...(settlement.message !== null && { message: settlement.message }),
  payer: settlement.payer,
  ...(settlement.transaction !== null && { transaction: settlement.transaction }),
  charged: settlement.hold === 'captured',
  settlementId: settlement.id,
  orderNo: settlement.order_no,
})

export const notSentOutcome = (settlement: ChangedSettlement): SettleOutcome => {
  const status = settlement.upstream_status ?? NOT_SENT_STATUS
  return {
    kind: 'not-sent',
    reason: settlement.reason ?? 'unexpected_settle_error',
    ...(settlement.message !== null && { message: settlement.message }),
    payer: settlement.payer,
    ...(status >= NOT_SENT_STATUS && { retryAfter: RETRY_AFTER }),
    settlementId: settlement.id,
    orderNo: settlement.order_no,
  }
}

export const pendingOutcome = (settlement: ChangedSettlement): SettleOutcome => ({
  kind: 'pending',
  ...(settlement.transaction !== null && { transaction: settlement.transaction }),
  payer: settlement.payer,
  retryAfter: RETRY_AFTER,
  settlementId: settlement.id,
})

function requireTransaction(settlement: ChangedSettlement): string {
  // A check of the table guarantees it too.
  if (settlement.transaction === null)
    throw new Error(`Settlement ${settlement.id} is settled without a transaction`)
  return settlement.transaction
}
