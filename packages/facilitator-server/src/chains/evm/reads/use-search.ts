import type { Chain, FinalBlock, LogReader } from '@mintmark/evm-reader'
import type { PaymentOnChain } from '../../../payment/payment.ts'

/** Where the use of a payment's nonce is searched. */
export interface UseRequest {
  readonly chain: Chain
  /** Finds logs fast. The absence of one proves nothing. */
  readonly logs: LogReader
  /** Returns every log. */
  readonly completeLogs: LogReader
  readonly payment: PaymentOnChain
  readonly final: FinalBlock
  readonly progress: SearchProgress
}

/** How far the searches of a use got. The next one continues there. */
export interface SearchProgress {
  /** The block to continue with. All before it are final, and none of them made the payment for certain. */
  next: number
  /** The hash of a transaction before that block that may have made the payment. */
  unproven?: string
}

/** The transaction that used the nonce. */
export interface FoundUse {
  readonly kind: 'transaction'
  readonly hash: string
}

/** No transaction up to the final block made the payment, and no later one can. */
export interface UnpaidUse {
  readonly kind: 'unpaid'
}

/**
 * A final transaction may have made the payment, and no other one can have. Nothing shows which nonce it
 * used.
 */
export interface UnprovenUse {
  readonly kind: 'unproven'
  readonly hash: string
}

/**
 * Searches the transaction that used the nonce of a payment. Undefined if it was not found, or the nodes
 * contradict each other.
 */
export type SearchUse = (request: UseRequest) => Promise<FoundUse | UnpaidUse | UnprovenUse | undefined>
