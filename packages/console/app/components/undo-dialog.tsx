import { verifications } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { OperationForm } from '../form/operation-form.tsx'
import { useSession } from '../session/project-context.tsx'
import { undoTexts } from '../texts/cards.ts'
import { Dialog } from './dialog.tsx'
import { showToast } from './toast.tsx'

const options = undoTexts.reasons.map((reason) => ({ value: reason, label: reason }))

interface UndoDialogProps {
  /** The id of the verification. */
  readonly id: number
  /** The name of the card. */
  readonly name: string
  /** The device id of the scanner; `''` if the scan is undone elsewhere. */
  readonly device?: string
  readonly onUndone?: () => void
  readonly onClose: () => void
}

/** Undoes an accepted scan, for a reason. */
export function UndoDialog({ id, name, device = '', onUndone, onClose }: UndoDialogProps): ReactNode {
  const { email } = useSession()
  const [nonce] = useState(() => crypto.randomUUID())
  return (
    <Dialog title={`Undo the scan of ${name}?`} isOpen onClose={onClose}>
      <p>The card is as it was before the scan. Both stay in the list of its scans.</p>
      <OperationForm
        operation={verifications.reverse}
        fields={{ reason: { kind: 'select', isRequired: true, options, label: 'Reason' } }}
        fixed={{ id, nonce, device, verifier: email }}
        initial={{ reason: undoTexts.reasons[0] }}
        action={undoTexts.action}
        onDone={() => {
          showToast('The scan is undone')
          onUndone?.()
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}
