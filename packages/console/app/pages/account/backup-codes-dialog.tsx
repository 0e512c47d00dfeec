import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { t } from '../../language/translate.ts'

interface BackupCodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows backup codes, once. */
export function BackupCodesDialog({ codes, onClose }: BackupCodesDialogProps): ReactNode {
  return (
    <Dialog title={t('Keep your backup codes')} onClose={onClose} showsSecret>
      <p>{t('Each code signs you in once when your phone is not at hand. They are shown only now.')}</p>
      <ul className="code-list mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label={t('Copy all codes')} />
        <Button kind="primary" onClick={onClose}>
          {t('I have stored them')}
        </Button>
      </div>
    </Dialog>
  )
}
