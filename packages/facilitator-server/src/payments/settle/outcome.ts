import type { Payment } from '../payment.ts'
import { reasons } from '../reasons.ts'
import type { PayerRefusal, Shortage } from '../../ledger/settlements/reserve.ts'
import { NOT_SENT_STATUS } from '../../ledger/settlements/rules.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'

/** What a settle comes to: every row of the tables of both doors. */
export type SettleOutcome =
  /**
   * Settled and charged, and this answer is the one that delivers it; `again` when the caller proved by its
   * Idempotency-Key that it is the one that had it before.
   */
  | { readonly kind: 'settled'; readonly again: boolean; readonly settlement: SettledPayment }
  /** Settled, and delivered before. */
  | { readonly kind: 'duplicate'; readonly transaction: string; readonly payer: string }
  /** Another call is settling it right now. */
  | { readonly kind: 'in-flight'; readonly payer: string }
  /** The same authorization came from another account, or with other terms or another signature. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** Refused before anything was held: by our own verify, or because the network is not served. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message?: string; readonly payer?: string }
  /** Nothing was sent and nothing is held: the same payment can be settled again. */
  | {
      readonly kind: 'not-sent'
      readonly reason: string
      readonly message?: string
      readonly payer: string
      /** Seconds, where the cause can pass by itself; absent where the payment was refused. */
      readonly retryAfter?: number
      readonly settlementId: number
      readonly orderNo: string
    }
  /** The upstream refused it for good, or the chain says that it will never settle. */
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
  /** The account, or its quota, cannot pay the price; nothing was written. */
  | { readonly kind: 'insufficient'; readonly shortage: Shortage }
  /** Not known yet: the price stays held, and the same call later gets the answer. */
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
  /** As the request named it. */
  readonly network: string
  /** Base units of the asset. */
  readonly amount: bigint
}

const payerRefusals: Readonly<Record<PayerRefusal, { reason: string; message: string }>> = {
  funds: {
    reason: reasons.insufficientFunds,
    message: "Payments in flight take the payer's balance. Retry when they have settled",
  },
  reverts: {
    reason: reasons.tooManyReverts,
    message: 'Too many transactions of this payer or account reverted. Retry later',
  },
}

/** A refusal for what the payer, or the account, has done lately. It ends by itself. */
export const refusedForPayer = ({ payer }: Pick<Payment, 'payer'>, cause: PayerRefusal) =>
  ({ kind: 'refused', ...payerRefusals[cause], payer }) as const

/** Seconds after which a settle that is pending, or was not sent, is worth a repeat. */
const retryAfter = 2

export const settledOutcome = (settlement: Settlement, payment: Payment, again: boolean): SettleOutcome => ({
  kind: 'settled',
  again,
  settlement: {
    settlementId: settlement.id,
    orderNo: settlement.order_no,
    transaction: transactionOf(settlement),
    payer: settlement.payer,
    network: payment.wireNetwork,
    amount: BigInt(settlement.amount),
  },
})

export const duplicateOutcome = (settlement: Settlement): SettleOutcome => ({
  kind: 'duplicate',
  transaction: transactionOf(settlement),
  payer: settlement.payer,
})

export const failedOutcome = (settlement: Settlement): SettleOutcome => ({
  kind: 'failed',
  reason: settlement.reason ?? 'unexpected_settle_error',
  ...(settlement.message !== null && { message: settlement.message }),
  payer: settlement.payer,
  ...(settlement.transaction !== null && { transaction: settlement.transaction }),
  charged: settlement.hold === 'captured',
  settlementId: settlement.id,
  orderNo: settlement.order_no,
})

export const notSentOutcome = (settlement: Settlement): SettleOutcome => {
  const status = settlement.upstream_status ?? NOT_SENT_STATUS
  return {
    kind: 'not-sent',
    reason: settlement.reason ?? 'unexpected_settle_error',
    ...(settlement.message !== null && { message: settlement.message }),
    payer: settlement.payer,
    ...(status >= NOT_SENT_STATUS && { retryAfter }),
    settlementId: settlement.id,
    orderNo: settlement.order_no,
  }
}

export const pendingOutcome = (settlement: Settlement): SettleOutcome => ({
  kind: 'pending',
  ...(settlement.transaction !== null && { transaction: settlement.transaction }),
  payer: settlement.payer,
  retryAfter,
  settlementId: settlement.id,
})

function transactionOf(settlement: Settlement): string {
  // The table's own check says so too.
  if (settlement.transaction === null)
    throw new Error(`settlement ${settlement.id} settled without a transaction`)
  return settlement.transaction
}
