import { type VerificationRecord, verifications } from '@mintmark/cards'
import { t } from '../language/translate.ts'
import { undoTexts } from '../texts/undo.ts'
import { openForm } from './dialogs.tsx'

interface AcceptedScan {
  /** The id of the verification. */
  readonly id: number
  /** The name of the card. */
  readonly name: string
  /** The device id of the scanner; `''` if the scan is undone elsewhere. */
  readonly device: string
  /** The email address of the person who undoes it. */
  readonly verifier: string
}

/** Undoes an accepted scan, for a reason. Returns undefined if the person cancels. */
export const undoScan = ({ name, ...scan }: AcceptedScan): Promise<VerificationRecord | undefined> =>
  openForm({
    operation: verifications.reverse,
    fields: {
      reason: {
        kind: 'select',
        isRequired: true,
        options: undoTexts.reasons.map((reason) => ({ value: reason, label: reason })),
        label: t('Reason'),
      },
    },
    fixed: { ...scan, nonce: crypto.randomUUID() },
    initial: { reason: undoTexts.reasons[0] },
    isDismissable: true,
    title: t('Undo the scan of {name}?', { name }),
    text: t('The card is as it was before the scan. Both stay in the list of its scans.'),
    action: undoTexts.action,
    done: t('The scan is undone'),
  })
