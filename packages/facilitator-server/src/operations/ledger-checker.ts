import type { LedgerCheck } from '@mintmark/facilitator/operator'
import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { readTreasuryState, type TreasuryToRead } from './audit/treasury-state.ts'

/** Checks the ledger. Concurrent calls share one check. */
export type LedgerChecker = () => Promise<LedgerCheck>

/** Creates the checker. A check reads whole tables, so that at most one runs at a time. */
export function createLedgerChecker(db: Kysely<Tables>, treasury: TreasuryToRead): LedgerChecker {
  let running: Promise<LedgerCheck> | undefined
  return () => {
    running ??= check(db, treasury).finally(() => {
      running = undefined
    })
    return running
  }
}

async function check(db: Kysely<Tables>, treasury: TreasuryToRead): Promise<LedgerCheck> {
  const { checks, balanceProblem, depositsProblem } = await readTreasuryState(db, treasury)
  const { problems, totals, trials, liabilities } = await checkLedger(db, checks)
  const { available, held, revenue, suspense, receivable, granted, external } = totals
  const block = checks.treasuryAtBlock?.block
  return {
    problems: [...problems],
    totals: {
      available: String(available),
      held: String(held),
      revenue: String(revenue),
      suspense: String(suspense),
      receivable: String(receivable),
      granted: String(granted),
      external: String(external),
    },
    trials: String(trials),
    liabilities: String(liabilities),
    ...(checks.treasury !== undefined && { treasuryBalance: String(checks.treasury) }),
    treasuryProblem: balanceProblem,
    ...(block !== undefined && { depositsBlock: String(block) }),
    depositsProblem,
    time: new Date().toISOString(),
  }
}
