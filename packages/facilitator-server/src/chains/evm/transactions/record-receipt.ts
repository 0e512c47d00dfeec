import type { TransactionReceipt } from 'viem'
import type { Store } from '../../../database/store.ts'
import type { PaymentOnChain, UpstreamResponse } from '../../../payment/payment.ts'
import { authorizationKey } from '../reads/batch-call.ts'
import { evaluateOwn } from '../reads/own-outcome.ts'
import type { Log } from '../reads/transfer.ts'
import type { BuiltInParts, EvmPayment, Execution, Executions } from './execution.ts'
import { listPaymentsOf } from './signed-payments.ts'
import { recordMined } from './transaction-outcomes.ts'
import type { StoredTransaction } from './transaction-store.ts'
import { lost, mismatched, reverted, success } from './upstream-responses.ts'

/** A transaction of which a receipt was found. */
export type ReceiptOf = Pick<StoredTransaction, 'purpose' | 'gas' | 'data'>

/** A mined transaction with the payments that it was to make. */
export interface MinedPayments {
  readonly receipt: TransactionReceipt
  readonly transaction: ReceiptOf
  /** Undefined: they are read from the database. */
  readonly payments: readonly PaymentOnChain<Execution>[] | undefined
}

/**
 * Records the block of a mined transaction, and the outcome of each payment of a batch. A transaction that
 * succeeded without making its payment is recorded as one that reverted, and counts like it.
 */
export async function storeReceipt(
  { db, executions }: { readonly db: Store; readonly executions: Executions },
  { receipt, transaction, payments }: MinedPayments,
  isFinal: boolean,
): Promise<void> {
  const { transactionHash: hash, blockNumber, blockHash, status, gasUsed, logs } = receipt
  const own = payments ?? (await listPaymentsOf(db, executions, hash))
  const unpaid = own
    .filter((payment) => isMismatch(payment, { receipt, transaction }))
    .map(({ domain, payer, nonce }) => authorizationKey(domain, payer, nonce))
  await recordMined(db, hash, {
    hash,
    blockNumber,
    blockHash,
    succeeded: status === 'success' && (transaction.purpose === 'batch' || unpaid.length === 0),
    gasUsed,
    authorizations: listUsed(own, logs),
    unpaid,
    final: isFinal,
  })
}

/** Lists what the payments of a transaction have used. */
function listUsed(payments: readonly PaymentOnChain<Execution>[], logs: readonly Log[]): string[] {
  const schemes = new Set(payments.map(({ scheme }) => scheme))
  return [...schemes].flatMap((scheme) => scheme.listUsed?.(logs) ?? [])
}

function isMismatch(
  payment: PaymentOnChain<Execution>,
  { receipt, transaction }: Pick<MinedPayments, 'receipt' | 'transaction'>,
): boolean {
  const outcome = evaluateOwn(payment, receipt, toOwnCall(transaction))
  return outcome.kind === 'unpaid' && outcome.isDue
}

const toOwnCall = ({ purpose, gas, data }: ReceiptOf) => ({ isBatch: purpose === 'batch', gas, input: data })

/** Records a receipt that a settle has waited for. A sweep records it as well. */
export async function recordReceipt(parts: BuiltInParts, mined: MinedPayments): Promise<void> {
  await storeReceipt(parts, mined, false).catch(parts.report)
}

/**
 * Returns the response to a payment from the receipt of its transaction, which may have executed other
 * payments as well.
 */
export function toResponse(
  payment: EvmPayment,
  receipt: TransactionReceipt,
  transaction: ReceiptOf,
): UpstreamResponse {
  const { transactionHash: hash, blockNumber, blockHash } = receipt
  const outcome = evaluateOwn(payment, receipt, toOwnCall(transaction))
  switch (outcome.kind) {
    case 'paid':
      return success(payment, hash, { number: blockNumber, hash: blockHash })
    case 'reverted':
      return reverted(payment, hash)
    case 'spoiled':
      return lost(
        'malformed',
        `${hash} ran out of gas in the middle, so the payment is sent again by itself`,
        hash,
      )
    case 'unpaid':
      return outcome.isDue
        ? mismatched(payment, hash, 'succeeded without the expected transfer')
        : lost('malformed', `${hash} changed nothing`, hash)
    case 'ambiguous':
      return mismatched(payment, hash, 'succeeded, and its events do not show which payment each transfer is')
  }
}
