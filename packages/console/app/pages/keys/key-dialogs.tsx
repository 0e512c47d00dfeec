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
  const options = keyScopes.map((scope) => ({ value: scope, label: scope }))
  return (
    <Dialog title={keysTexts.create} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={apiKeys.create}
        fields={{
          name: {
            kind: 'text',
            isRequired: true,
            label: 'Name',
            description: 'What the key is for, such as the name of the program.',
          },
          scopes: {
            kind: 'choices',
            options,
            label: 'Scopes',
            description:
              'Without a choice, the key has all scopes except those of people, keys and the audit log.',
          },
          wallet: {
            kind: 'address',
            label: 'Wallet',
            description: 'What the key does is done by this wallet, such as listing a token.',
          },
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
    <Dialog title={`Replace the secret of ${apiKey.name}`} isOpen onClose={onClose}>
      <OperationForm
        operation={apiKeys.rotate}
        fields={{
          graceHours: {
            kind: 'integer',
            isRequired: true,
            label: 'Hours until the previous secret ends',
            description: 'From 0 to 8,760. Until then both secrets are valid.',
          },
        }}
        fixed={{ apiKey: apiKey.apiKey }}
        initial={{ graceHours: 24 }}
        action="Create a new secret"
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
          showToast(`${apiKey.name} is revoked`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action={keysTexts.revoke}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Within a second, the gateway accepts no call with this key. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

/** Shows the secret of a new key, once. */
export function SecretDialog({ apiKey, onClose }: KeyDialogProps): ReactNode {
  const { secret = '' } = apiKey
  return (
    <Dialog title={`Secret of ${apiKey.name}`} isOpen onClose={onClose} showsSecret>
      <Notice
        tone="warning"
        title="Copy the secret now"
        advice="It is shown only once. Store it where the program reads its secrets, not in its code."
      />
      <DetailList
        details={[
          { label: 'Key', value: <CopiedText text={apiKey.apiKey} /> },
          { label: 'Secret', value: <CopiedText text={secret} label="Copy the secret" /> },
        ]}
      />
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
