import type { WireTransaction } from '../../../chains/solana/wire-transaction.ts'

/** The part of a payment that only Solana has. */
export interface SvmTerms {
  readonly transaction: WireTransaction
  /** The account that pays the fee. Base58. */
  readonly feePayer: string
  /** The payer's token account. Base58. */
  readonly source: string
  readonly tokenProgram: string
  readonly decimals: number
}
