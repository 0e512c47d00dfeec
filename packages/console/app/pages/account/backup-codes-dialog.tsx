import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { accountTexts } from '../../texts/account.ts'

const texts = accountTexts.secondFactor

interface BackupCodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows backup codes, once. */
export function BackupCodesDialog({ codes, onClose }: BackupCodesDialogProps): ReactNode {
  return (
    <Dialog title={texts.codesTitle} isOpen onClose={onClose} showsSecret>
      <p>{texts.codesAdvice}</p>
      <ul className="backup-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label={texts.copyCodes} />
        <Button kind="primary" onClick={onClose}>
          {texts.saved}
        </Button>
      </div>
    </Dialog>
  )
}
