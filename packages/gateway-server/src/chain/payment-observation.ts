/** What a mined transaction is to an order: its payment, a failed transaction, or, with a reason, neither. */
export type TransactionOutcome = 'paid' | 'reverted' | PaymentMismatch

export type PaymentMismatch =
  | 'not_enough'
  | 'not_a_plain_transfer'
  | 'mined_before_order'
  /** Another wallet than the buyer paid the seller. */
  | 'other_payer'
  /** It has nothing to do with the order. */
  | 'unrelated'

/** What a chain shows of a reported transaction. */
export type PaymentObservation<Outcome extends string = TransactionOutcome> =
  /** The node does not know it. */
  | { readonly kind: 'unseen' }
  /** It waits for a block. */
  | {
      readonly kind: 'pending'
      /** Whether it can become the order's payment. */
      readonly fits: boolean
    }
  | {
      readonly kind: 'mined'
      readonly block: number
      readonly blockHash: string
      /** Whether its block is final, so that no reorganization removes it. */
      readonly final: boolean
      readonly outcome: Outcome
      /** What it moved from the buyer to the seller in the order's token, if that is known. */
      readonly paid?: bigint
    }
