import type { Read, ReadResult } from '../../../chains/evm/reads/multicall-reads.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'

/** The state of a payment in the newest block. */
export interface PaymentState {
  /** The contracts cannot execute such a payment. */
  readonly contractProblem: Problem | undefined
  /** The nonce is used, or the payer cannot pay. */
  readonly payerProblem: Problem | undefined
  /** Permit2 is not approved, and the payment has a signed approval transaction. */
  readonly needsApproval: boolean
  /** What Permit2 may transfer: see `PayerFunds`. */
  readonly allowance: bigint | 'own' | undefined
  /** The payer's balance of the asset. */
  readonly balance: bigint
  /** The block of the state. */
  readonly block: bigint | undefined
}

/** What a method of transfer finds out. */
export type MethodState = Pick<PaymentState, 'contractProblem' | 'payerProblem'> &
  Partial<Pick<PaymentState, 'needsApproval' | 'allowance'>>

/** What a method of transfer reads of trusted contracts before it simulates a transfer. */
export interface MethodChecks<Details = unknown> {
  /** Returns the reads of a payment, and the function that evaluates their results. */
  plan(payment: Payment<Details>): {
    readonly reads: readonly Read[]
    evaluate(results: readonly ReadResult[]): MethodState
  }
}
