import { type ApiKey, apiKeys } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopiedText } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { keysTexts } from '../../texts/keys.ts'
import { keyScopes } from './scopes.ts'

interface CreateKeyDialogProps {
  readonly onCreated: (key: ApiKey) => void
  readonly onClose: () => void
}

/** Creates a key. */
export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps): ReactNode {
  const { name, scopes, wallet } = keysTexts.fields
  const options = keyScopes.map((scope) => ({ value: scope, label: scope }))
  return (
    <Dialog title={keysTexts.create} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={apiKeys.create}
        fields={{
          name: { kind: 'text', isRequired: true, ...name },
          scopes: { kind: 'choices', options, ...scopes },
          wallet: { kind: 'address', ...wallet },
        }}
        action={keysTexts.create}
        onDone={onCreated}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onRotated: (key: ApiKey) => void
  readonly onClose: () => void
}

/** Adds a secret to a key; the previous one ends later. */
export function RotateKeyDialog({ apiKey, onRotated, onClose }: RotateKeyDialogProps): ReactNode {
  return (
    <Dialog title={keysTexts.rotateTitle(apiKey.name)} isOpen onClose={onClose}>
      <OperationForm
        operation={apiKeys.rotate}
        fields={{ graceHours: { kind: 'integer', isRequired: true, ...keysTexts.fields.graceHours } }}
        fixed={{ apiKey: apiKey.apiKey }}
        initial={{ graceHours: 24 }}
        action={keysTexts.rotateAction}
        onDone={onRotated}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface KeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Revokes a key. */
export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps): ReactNode {
  const revoke = useWrite(apiKeys.revoke)
  const onConfirm = () =>
    revoke.mutate(
      { apiKey: apiKey.apiKey },
      {
        onSuccess: () => {
          showToast(keysTexts.revokedToast(apiKey.name))
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={keysTexts.revokeTitle(apiKey.name)}
      action={keysTexts.revoke}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{keysTexts.revokeWarning}</p>
    </ConfirmDialog>
  )
}

/** Shows the secret of a new key, once. */
export function SecretDialog({ apiKey, onClose }: KeyDialogProps): ReactNode {
  const { secret = '' } = apiKey
  return (
    <Dialog title={keysTexts.created(apiKey.name)} isOpen onClose={onClose} showsSecret>
      <Notice tone="warning" {...keysTexts.secretOnce} />
      <DetailList
        details={[
          { label: keysTexts.apiKey, value: <CopiedText text={apiKey.apiKey} /> },
          { label: keysTexts.secret, value: <CopiedText text={secret} label={keysTexts.copySecret} /> },
        ]}
      />
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {keysTexts.done}
        </Button>
      </div>
    </Dialog>
  )
}
