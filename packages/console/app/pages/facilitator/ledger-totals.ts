import type { LedgerCheck } from '@mintmark/facilitator/operator'
import type { Detail } from '../../components/detail-list.tsx'
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
}: LedgerCheck): readonly Detail[] {
  const names = ['available', 'held', 'suspense', 'revenue'] as const
  const negated = ['receivable', 'granted', 'external'] as const
  return [
    { label: labels.liabilities, value: formatSignedNative(liabilities) },
    {
      label: labels.treasury,
      value: treasuryBalance === undefined ? undefined : formatSignedNative(treasuryBalance),
    },
    ...names.map((name) => ({ label: labels[name], value: formatSignedNative(totals[name]) })),
    ...negated.map((name) => ({ label: labels[name], value: formatSignedNative(negate(totals[name])) })),
    { label: labels.trials, value: formatSignedNative(trials) },
    { label: labels.depositsBlock, value: depositsBlock },
  ]
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
