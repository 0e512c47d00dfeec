import { operatorSettlements, type SettlementDetails } from '@mintmark/facilitator/operator'
import { openForm } from '../../components/dialogs.tsx'
import { Notice } from '../../components/notice.tsx'
import { settlementTexts } from '../../texts/facilitator.ts'
import { ObservationNotice } from './observation-notice.tsx'
import { listResolutionFields } from './resolution-fields.ts'
import { formatSettlementStatus } from './settlement-status.tsx'

/** Decides the outcome of an unknown settlement, beside what the chain shows. */
export function resolveSettlement({ settlement, observation }: SettlementDetails) {
  const { id, network } = settlement
  const isReadable = observation.outcome !== 'unreadable'
  return openForm({
    operation: operatorSettlements.resolve,
    fields: (values) => listResolutionFields(values, { network, isReadable }),
    entered: { outcome: 'failed' },
    toOperationInput: (input) => toResolution(id, input),
    title: `Resolve settlement ${String(id)}`,
    text: (
      <>
        <p>
          Do it only when you know what happened, for example from an explorer of the chain. It cannot be
          undone.
        </p>
        <ObservationNotice observation={observation} network={network} />
        {isReadable && (
          <Notice
            tone="warning"
            title="The chain can be read, so the facilitator decides by itself. Decide only if that can never happen."
          />
        )}
      </>
    ),
    action: settlementTexts.resolve.action,
    done: (resolved) => `Settlement ${String(id)}: ${formatSettlementStatus(resolved.settlement.status)}`,
  })
}

function toResolution(
  id: number,
  { outcome, transaction, reason, force }: Readonly<Record<string, unknown>>,
) {
  return {
    id,
    outcome: outcome === 'settled' ? ('settled' as const) : ('failed' as const),
    reason: String(reason ?? ''),
    ...(typeof transaction === 'string' && { transaction }),
    ...(force === true && { force }),
  }
}
