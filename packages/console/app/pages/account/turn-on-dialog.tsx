import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { confirmSecondFactor, type NewSecondFactor, prepareSecondFactor } from '../../auth/account.ts'
import { CopiedText } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { FormActions } from '../../components/form-actions.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { t } from '../../language/translate.ts'
import { accountTexts } from '../../texts/account.ts'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'

const texts = accountTexts.secondFactor

interface TurnOnDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

/**
 * Turns the second factor on: the password, the QR code with a first code of the app, then the backup codes.
 */
export function TurnOnDialog({ onDone, onClose }: TurnOnDialogProps): ReactNode {
  const [prepared, setPrepared] = useState<NewSecondFactor>()
  const [isConfirmed, setIsConfirmed] = useState(false)
  if (prepared === undefined) {
    return (
      <PasswordDialog
        title={texts.passwordFirst}
        action={texts.continue}
        run={prepareSecondFactor}
        onDone={setPrepared}
        onClose={onClose}
      />
    )
  }
  if (isConfirmed) return <BackupCodesDialog codes={prepared.backupCodes} onClose={onDone} />
  return <ScanDialog totpURI={prepared.totpURI} onConfirmed={() => setIsConfirmed(true)} onClose={onClose} />
}

interface ScanDialogProps {
  readonly totpURI: string
  readonly onConfirmed: () => void
  readonly onClose: () => void
}

function ScanDialog({ totpURI, onConfirmed, onClose }: ScanDialogProps): ReactNode {
  const [code, setCode] = useState('')
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  const confirm = useMutation({
    mutationFn: () => confirmSecondFactor(code.replaceAll(' ', '')),
    onSuccess: onConfirmed,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!confirm.isPending) confirm.mutate()
  }
  return (
    <Dialog title={t('Scan this code with your authenticator app')} onClose={onClose} isDismissable={false}>
      <form className="stack" onSubmit={submit}>
        <QrCode content={totpURI} label={t('the key for your authenticator app')} />
        <p className="muted">
          {t('Or enter this key:')} <CopiedText text={key} label={t('Copy the key')} />
        </p>
        <TextField
          label={t('Code')}
          description={t('Enter the six digits that the app shows now.')}
          inputMode="numeric"
          autoComplete="one-time-code"
          isCode
          required
          autoFocus
          value={code}
          onChange={setCode}
        />
        <ErrorNotice error={confirm.error} />
        <FormActions action={texts.turnOn} isPending={confirm.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
