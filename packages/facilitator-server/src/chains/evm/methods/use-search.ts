import type { Chain, FinalBlock, LogReader } from '@mintmark/server-kit'
import type { PaymentOnChain } from '../../../payments/payment.ts'

/** Where the use of a payment's nonce is searched. */
export interface UseRequest {
  readonly chain: Chain
  /** Finds logs fast. The absence of one proves nothing. */
  readonly logs: LogReader
  /** Returns every log. */
  readonly completeLogs: LogReader
  readonly payment: PaymentOnChain
  readonly final: FinalBlock
  /** The first block. */
  readonly from: number
}

/** The transaction that used the nonce. */
export interface FoundUse {
  readonly kind: 'transaction'
  readonly hash: string
}

/** The nonce was used up to the final block, and no transaction up to this block made the payment. */
export interface UnpaidUse {
  readonly kind: 'unpaid'
}

/**
 * Searches the transaction that used the nonce of a payment. Undefined if it was not found, or the nodes
 * contradict each other.
 */
export type SearchUse = (request: UseRequest) => Promise<FoundUse | UnpaidUse | undefined>
