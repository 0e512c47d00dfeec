import type { TransactionReceipt } from 'viem'
import type { Payment, UpstreamResponse } from '../../../payments/payment.ts'
import { isSpoiledBatch, listUsedAuthorizations } from '../batch-call.ts'
import { authorizationTopics } from '../methods/eip3009.ts'
import { methodOf } from '../methods/methods.ts'
import type { BuiltInParts } from './built-in-parts.ts'
import type { Store } from './store.ts'
import { recordMined } from './transaction-outcomes.ts'
import type { StoredTransaction } from './transaction-store.ts'
import { lost, reverted, success } from './upstream-responses.ts'

/** Records the block of a mined transaction, and the outcome of each payment of a batch. */
export async function storeReceipt(db: Store, receipt: TransactionReceipt, isFinal: boolean): Promise<void> {
  const { transactionHash: hash, blockNumber, blockHash, status, gasUsed, logs } = receipt
  const authorizations = listUsedAuthorizations(logs, authorizationTopics.used)
  const succeeded = status === 'success'
  await recordMined(db, hash, {
    hash,
    blockNumber,
    blockHash,
    succeeded,
    gasUsed,
    authorizations,
    final: isFinal,
  })
}

/** Records a receipt that a settle has waited for. A sweep records it as well. */
export async function recordReceipt(
  { db, report }: BuiltInParts,
  receipt: TransactionReceipt,
): Promise<void> {
  await storeReceipt(db, receipt, false).catch(report)
}

/** A transaction of which a receipt was found. */
export type ReceiptOf = Pick<StoredTransaction, 'purpose' | 'gas' | 'data'>

/**
 * Returns the response to a payment from the receipt of its transaction, which may have executed other
 * payments as well.
 */
export function toResponse(
  payment: Payment,
  receipt: TransactionReceipt,
  { purpose, gas, data }: ReceiptOf,
): UpstreamResponse {
  const { transactionHash: hash, blockNumber, blockHash, logs, status } = receipt
  const method = methodOf(payment)
  const isPaid =
    status === 'success' &&
    method.showsPayment(logs, payment) &&
    method.findMissingEffect?.(logs, payment, data) === undefined
  if (isPaid) return success(payment, hash, { number: blockNumber, hash: blockHash })
  if (purpose === 'batch') {
    return isSpoiledBatch(receipt, gas)
      ? lost('malformed', `${hash} ran out of gas in the middle, so the payment is sent again by itself`)
      : reverted(payment, hash)
  }
  return status === 'success'
    ? lost('malformed', `${hash} succeeded without the expected transfer`)
    : reverted(payment, hash)
}
