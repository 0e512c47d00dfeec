import type { LedgerCheck } from '@mintmark/facilitator/operator'
import type { Details } from '../../components/detail-list.tsx'
import { ledgerTexts } from '../../texts/facilitator.ts'
import { formatSignedNative } from './facilitator-format.ts'

const { totals: labels } = ledgerTexts

/** In the ledger, amounts that others gave or still owe are negative. */
const negate = (wei: string): string => String(-BigInt(wei))

/** Lists the totals of a check with their names. */
export function listTotals({
  totals,
  trials,
  liabilities,
  treasuryBalance,
  depositsBlock,
}: LedgerCheck): Details {
  const names = ['available', 'held', 'suspense', 'revenue'] as const
  const negated = ['receivable', 'granted', 'external'] as const
  return {
    [labels.liabilities]: formatSignedNative(liabilities),
    [labels.treasury]: treasuryBalance === undefined ? undefined : formatSignedNative(treasuryBalance),
    ...Object.fromEntries(names.map((name) => [labels[name], formatSignedNative(totals[name])])),
    ...Object.fromEntries(negated.map((name) => [labels[name], formatSignedNative(negate(totals[name]))])),
    [labels.trials]: formatSignedNative(trials),
    [labels.depositsBlock]: depositsBlock,
  }
}

/** What a check did not compare. */
interface MissingComparison {
  readonly title: string
  /** Why. */
  readonly advice: string
}

/** Lists what a check did not compare with the treasury. */
export function listMissingComparisons({
  treasuryProblem,
  depositsProblem,
}: LedgerCheck): readonly MissingComparison[] {
  // Without the treasury's balance, the deposits cannot be compared either.
  if (treasuryProblem !== '') return [{ title: 'The treasury was not compared', advice: treasuryProblem }]
  return depositsProblem === ''
    ? []
    : [{ title: 'The deposits were not compared with the treasury', advice: depositsProblem }]
}
