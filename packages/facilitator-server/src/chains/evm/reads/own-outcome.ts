import type { TransactionReceipt } from 'viem'
import type { PaymentOnChain } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isSpoiledBatch } from './batch-call.ts'
import type { TransferMethod } from './transfer-method.ts'

/** The call of a transaction of ours. */
export interface OwnCall {
  readonly isBatch: boolean
  readonly gas: bigint
  /** The call data. */
  readonly input: string
}

/** What a mined transaction of ours did for a payment. */
export type OwnOutcome =
  | { readonly kind: 'paid' }
  /**
   * It succeeded and did not make the payment, and no other transaction can. `isDue`: its gas is charged, as
   * that of a revert is.
   */
  | { readonly kind: 'unpaid'; readonly reason: string; readonly isDue: boolean }
  /** It may have made the payment. The logs do not show which of them is the payment's. */
  | { readonly kind: 'ambiguous' }
  /** The payment's call changed nothing. */
  | { readonly kind: 'reverted' }
  /** The batch did not execute the payment's call with enough gas, so that the payment is sent by itself. */
  | { readonly kind: 'spoiled' }

/**
 * Evaluates what a mined transaction of ours did for a payment. Settles, sweeps and reconciliation use this
 * function, so that they agree.
 *
 * @param call Undefined if the transaction is known not to be a batch, and its scheme needs no call.
 */
export function evaluateOwn(
  payment: PaymentOnChain<TransferMethod>,
  receipt: Pick<TransactionReceipt, 'status' | 'logs' | 'gasUsed'>,
  call: OwnCall | undefined,
): OwnOutcome {
  const { status, logs } = receipt
  const { scheme } = payment
  if (status === 'success') {
    const missing = call && scheme.findMissingEffect?.(logs, payment, call.input)
    if (missing !== undefined) return { kind: 'unpaid', reason: missing, isDue: false }
    const evidence = scheme.evaluateLogs(logs, payment, true)
    if (evidence === 'paid' || evidence === 'ambiguous') return { kind: evidence }
    if (evidence === 'unpaid' || call?.isBatch !== true) return MISMATCH
  }
  if (call?.isBatch && isSpoiledBatch(receipt, call.gas)) return { kind: 'spoiled' }
  return { kind: 'reverted' }
}

const MISMATCH = { kind: 'unpaid', reason: reasons.transferMismatch, isDue: true } as const
