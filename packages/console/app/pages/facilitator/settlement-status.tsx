import type { OperatorSettlement } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../components/badge.tsx'
import { formatDuration } from '../../format/duration.ts'
import { settlementsTexts } from '../../texts/facilitator.ts'
import { findName } from './facilitator-format.ts'

const tones: Readonly<Record<string, Tone>> = {
  sent: 'info',
  settled: 'success',
  failed: 'danger',
  unknown: 'warning',
}

/** Formats the status of a settlement. */
export const formatSettlementStatus = (status: string): string => findName(settlementsTexts.statuses, status)

/** Shows the status of a settlement, and for how long it has had no outcome. */
export function SettlementStatus({
  settlement: { status, openSeconds },
}: {
  readonly settlement: Pick<OperatorSettlement, 'status' | 'openSeconds'>
}): ReactNode {
  return (
    <>
      <Badge tone={tones[status] ?? 'neutral'}>{formatSettlementStatus(status)}</Badge>
      {openSeconds !== undefined && (
        <span className="faint"> {`for ${formatDuration(openSeconds * 1000)}`}</span>
      )}
    </>
  )
}
