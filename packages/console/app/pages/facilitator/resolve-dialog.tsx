import {
  operatorSettlements,
  type ResolvedSettlement,
  type SettlementDetails,
} from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { showToast } from '../../components/toast.tsx'
import { AdaptedForm } from '../../form/operation-form.tsx'
import { settlementTexts } from '../../texts/facilitator.ts'
import { ObservationNotice } from './observation-notice.tsx'
import { listResolutionFields } from './resolution-fields.ts'
import { formatSettlementStatus } from './settlement-status.tsx'

const { resolve: texts } = settlementTexts

interface ResolveDialogProps {
  readonly details: SettlementDetails
  readonly onClose: () => void
}

/** Decides the outcome of an unknown settlement, beside what the chain shows. */
export function ResolveDialog({ details, onClose }: ResolveDialogProps): ReactNode {
  const { settlement, observation } = details
  const { id, network } = settlement
  const isReadable = observation.outcome !== 'unreadable'
  const onDone = ({ settlement: { status } }: ResolvedSettlement) => {
    showToast(`Settlement ${String(id)}: ${formatSettlementStatus(status)}`)
    onClose()
  }
  return (
    <Dialog title={`Resolve settlement ${String(id)}`} isOpen onClose={onClose} isDismissable={false}>
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
      <AdaptedForm
        operation={operatorSettlements.resolve}
        fields={(values) => listResolutionFields(values, { network, isReadable })}
        entered={{ outcome: 'failed' }}
        toOperationInput={(input) => toResolution(id, input)}
        action={texts.action}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
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
