import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

const ledgerTransfer = record({
  /** The transfer's id. */
  id: Integer,
  /**
   * `hold`, `capture`, `release`, `refund`, `credit`, `deposit`, `suspense`, `claim`, `repayment` or
   * `reversal`.
   */
  kind: v.string(),
  /** The account of the ledger that the amount leaves, such as `available`. */
  debit: v.string(),
  /** The account of the ledger that receives the amount, such as `held`. */
  credit: v.string(),
  /** The amount, in wei. */
  amount: Amount,
  /** The settlement that caused the transfer; absent for other causes. */
  settlementId: v.optional(Integer),
  /** The deposit that caused the transfer; absent for other causes. */
  depositId: v.optional(Integer),
  /** Who made the transfer: `facilitator`, or the operator. */
  actor: v.string(),
  /** The operator's reason; `''` for transfers of the facilitator. */
  reason: v.string(),
  /** When the transfer was made. */
  createTime: Timestamp,
})
/** A transfer between two accounts of the ledger. */
export interface LedgerTransfer extends v.InferOutput<typeof ledgerTransfer> {}
export const LedgerTransfer: Schema<LedgerTransfer> = ledgerTransfer
