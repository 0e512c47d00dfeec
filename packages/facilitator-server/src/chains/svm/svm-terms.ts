import type { WireTransaction } from './wire-transaction.ts'

/** What a payer signed for Solana, besides the terms of every payment. */
export interface SvmTerms {
  readonly transaction: WireTransaction
  /** The account that pays the fee. Base58. */
  readonly feePayer: string
  /** The payer's token account. Base58. */
  readonly source: string
  readonly tokenProgram: string
  readonly decimals: number
}
