import type { OperatorSettlement } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../components/badge.tsx'
import { formatDuration } from '../../format/time.ts'
import { readChoice } from '../../navigation/search-params.ts'

export const settlementStatuses = {
  stuck: ['Without an outcome for 5 minutes', 'neutral'],
  unknown: ['Unknown', 'warning'],
  sent: ['Sent', 'info'],
  settled: ['Settled', 'success'],
  failed: ['Failed', 'danger'],
  not_sent: ['Not sent', 'neutral'],
} as const

/** Formats the status of a settlement. One that a newer facilitator has is returned as it is. */
export function formatSettlementStatus(status: string): string {
  const known = readChoice(status, settlementStatuses)
  return known === undefined ? status : settlementStatuses[known][0]
}

/** Shows the status of a settlement, and for how long it has had no outcome. */
export function SettlementStatus({
  settlement: { status, openSeconds },
}: {
  readonly settlement: Pick<OperatorSettlement, 'status' | 'openSeconds'>
}): ReactNode {
  return (
    <>
      <StatusBadge status={status} statuses={settlementStatuses} />
      {openSeconds !== undefined && (
        <span className="faint"> {`for ${formatDuration(openSeconds * 1000)}`}</span>
      )}
    </>
  )
}
