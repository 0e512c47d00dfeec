import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox, RadioGroup, TextField } from '../../components/field.tsx'
import { CancelButton } from '../../components/form-actions.tsx'
import { Notice } from '../../components/notice.tsx'
import { showToast } from '../../components/toast.tsx'
import { scannerTexts } from '../../texts/scanner.ts'
import { componentTexts } from '../../texts/shell.ts'
import type { ScannerSettings } from './scan-storage.ts'

interface ScannerSettingsDialogProps {
  readonly settings: ScannerSettings
  readonly onSave: (settings: ScannerSettings) => Promise<void>
  readonly onClose: () => void
}

const texts = scannerTexts.settings
const MAX_STORE_LENGTH = 128

/** Changes what this device sends with each scan. Scans that wait keep what they were made with. */
export function ScannerSettingsDialog({ settings, onSave, onClose }: ScannerSettingsDialogProps): ReactNode {
  const [draft, setDraft] = useState(settings)
  const [hasFailed, setHasFailed] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave({ ...draft, store: draft.store.trim() }).then(
      () => {
        showToast(texts.saved)
        onClose()
      },
      () => setHasFailed(true),
    )
  }
  return (
    <Dialog title={texts.title} isOpen onClose={onClose} isDismissable={false}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={texts.store}
          description={texts.storeDescription}
          name="store"
          value={draft.store}
          maxLength={MAX_STORE_LENGTH}
          onChange={(store) => setDraft({ ...draft, store })}
          autoComplete="off"
        />
        <RadioGroup
          label={texts.membership}
          name="membershipAction"
          value={draft.membershipAction}
          options={[
            { value: 'CHECK_IN', label: texts.checkIn, description: texts.checkInDescription },
            { value: 'REDEEM', label: texts.redeem, description: texts.redeemDescription },
          ]}
          onChange={(value) =>
            setDraft({ ...draft, membershipAction: value === 'REDEEM' ? 'REDEEM' : 'CHECK_IN' })
          }
        />
        <Checkbox
          label={texts.sound}
          name="sound"
          checked={!draft.isMuted}
          onChange={(isOn) => setDraft({ ...draft, isMuted: !isOn })}
        />
        <DetailList details={[{ label: texts.device, value: <Identifier value={draft.device} /> }]} />
        {hasFailed && <Notice tone="danger" {...scannerTexts.noStorage} />}
        <div className="dialog-actions">
          <CancelButton onCancel={onClose} />
          <Button kind="primary" type="submit">
            {componentTexts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
