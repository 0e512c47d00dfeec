import type { OperatorHealth } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { formatQuantity } from '../../format/number.ts'
import { facilitatorHealthTexts } from '../../texts/facilitator.ts'

/** What signers and fee payers have in common. */
type KeyHealth = Pick<
  OperatorHealth['signers'][number],
  'address' | 'status' | 'outstanding' | 'isRemovable' | 'isLow'
>

const { signers: texts } = facilitatorHealthTexts

/** Describes what remains to be done before the key of a retired one can be removed. `''` for others. */
export function describeRetirement(
  { address, status, outstanding, isRemovable }: KeyHealth,
  all: readonly KeyHealth[],
): string {
  if (status !== 'retired') return ''
  if (outstanding > 0) return describeOutstanding(outstanding)
  if (isRemovable) return 'Its key can be removed once all sellers have read /supported again'
  const isNeededElsewhere = all.some((each) => each.address === address && each.outstanding > 0)
  return isNeededElsewhere
    ? 'Its transactions on another chain are not final'
    : 'Payments signed for it may not be settled yet'
}

/** Describes how many transactions are not final. */
export const describeOutstanding = (outstanding: number): string =>
  `${formatQuantity(outstanding, texts.transaction)} ${outstanding === 1 ? 'is' : 'are'} not final`

/**
 * Whether a signer needs more for gas. The balance of one whose key is missing, or can be removed, does not
 * matter.
 */
export const needsGas = ({ isLow, status, isRemovable }: KeyHealth): boolean =>
  isLow && status !== 'missing' && !isRemovable

interface RetiredStatusProps {
  /** What `describeRetirement` returned. */
  readonly remaining: string
}

/** The status of a retired signer, with what remains to be done. */
export function RetiredStatus({ remaining }: RetiredStatusProps): ReactNode {
  return (
    <Badge tone="neutral" note={remaining}>
      Retired
    </Badge>
  )
}
