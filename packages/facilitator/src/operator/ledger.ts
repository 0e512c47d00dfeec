import { record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'

/** An amount in wei that may be negative. */
const Total: Schema<string> = v.string()

const ledgerCheck = record({
  /** The violated invariants, at most 100 of each; empty if the ledger is correct. */
  problems: v.array(
    record({
      /** The invariant that is violated. */
      invariant: v.string(),
      /** Which row violates it, and how. */
      detail: v.string(),
    }),
  ),
  /** The sums of the ledger's entries, in wei. Money that comes from outside is negative. */
  totals: record({
    /** What accounts can spend. */
    available: Total,
    /** What is reserved for settlements. */
    held: Total,
    /** What was charged. */
    revenue: Total,
    /** Deposits of wallets without an account. */
    suspense: Total,
    /** What accounts owe. */
    receivable: Total,
    /** What operators and trials have credited. */
    granted: Total,
    /** What was deposited. */
    external: Total,
  }),
  /**
   * What accounts that their wallets opened have left of their trials, in wei. It is in `available` and `held`,
   * and settles are charged to it first.
   */
  trials: Total,
  /**
   * What the facilitator owes to payers, in wei: the available, the reserved and the suspended amounts without
   * the trials, which nobody has paid.
   */
  liabilities: Total,
  /** The treasury's balance on its chain, in wei; absent if it was not read. */
  treasuryBalance: v.optional(v.string()),
  /** Why the treasury's balance was not read; `''` if it was. */
  treasuryProblem: v.string(),
  /**
   * The number of the block at which deposits were compared with the treasury's balance; absent if they were
   * not.
   */
  depositsBlock: v.optional(v.string()),
  /** Why the deposits were not compared; `''` if they were. */
  depositsProblem: v.string(),
  /** When the check ended. */
  time: Timestamp,
})
/** The result of a check of the ledger. */
export interface LedgerCheck extends v.InferOutput<typeof ledgerCheck> {}
export const LedgerCheck: Schema<LedgerCheck> = ledgerCheck

/**
 * Checks that the entries of the ledger and the balances agree, and that the treasury covers the liabilities.
 * It reads whole tables: concurrent calls share one check.
 *
 * @example
 * const { problems, liabilities } = await operatorLedger.check(operator)
 */
export const check = facilitatorOperation({
  id: 'operatorLedger.check',
  method: 'GET',
  path: '/operator/v1/ledger/check',
  source: 'own',
  scope: 'operator:read',
  data: LedgerCheck,
})
