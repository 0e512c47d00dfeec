import { type OperatorKey, operatorKeys } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopiedText } from '../../components/copy-button.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { Notice } from '../../components/notice.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time, useNow } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { accountTexts, facilitatorTexts } from '../../texts/facilitator.ts'

const { keys: texts } = accountTexts

/** An open dialog, with the key that it is about. */
type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke' | 'token'; readonly key: OperatorKey }

const formatKey = ({ id, name }: OperatorKey) => (name === '' ? facilitatorTexts.key(String(id)) : name)

const columns: Columns<OperatorKey> = {
  name: { label: 'Name', cell: (key) => <strong className="break">{formatKey(key)}</strong> },
  id: { label: 'Number', align: 'end', cell: ({ id }) => id },
  prefix: { label: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code> },
  _state: { label: 'State', cell: (key) => <KeyState apiKey={key} /> },
  createTime: 'Created',
}

function KeyState({ apiKey: { revokeTime } }: { readonly apiKey: OperatorKey }): ReactNode {
  const now = useNow()
  if (revokeTime === undefined) return <Badge tone="success">Active</Badge>
  if (Date.parse(revokeTime) <= now) return <Badge tone="neutral">Revoked</Badge>
  return (
    <>
      <Badge tone="warning">Ends</Badge> <Time value={revokeTime} />
    </>
  )
}

interface KeysSectionProps {
  readonly accountId: number
  readonly keys: readonly OperatorKey[]
}

/** The keys of an account: creating, replacing and revoking them. */
export function KeysSection({ accountId, keys }: KeysSectionProps): ReactNode {
  const [dialog, setDialog] = useState<OpenDialog>()
  return (
    <Section
      title={texts.title}
      actions={
        <Button icon="plus" onClick={() => setDialog({ kind: 'create' })}>
          {texts.create}
        </Button>
      }
    >
      {keys.length === 0 ? (
        <EmptyState
          icon="key"
          title="No keys"
          advice="Without a key nobody can call the facilitator for this account."
        />
      ) : (
        <DataTable
          label={texts.title}
          columns={columns}
          rows={keys}
          getKey={({ id }) => id}
          actions={(key) => <KeyMenu apiKey={key} onOpen={setDialog} />}
        />
      )}
      {dialog !== undefined && <KeyDialog accountId={accountId} dialog={dialog} onOpen={setDialog} />}
    </Section>
  )
}

interface KeyMenuProps {
  readonly apiKey: OperatorKey
  readonly onOpen: (dialog: OpenDialog) => void
}

function KeyMenu({ apiKey, onOpen }: KeyMenuProps): ReactNode {
  const now = useNow()
  if (apiKey.revokeTime !== undefined && Date.parse(apiKey.revokeTime) <= now) return null
  const rotate = {
    key: 'rotate',
    label: texts.rotate,
    onSelect: () => onOpen({ kind: 'rotate', key: apiKey }),
  }
  const revoke = {
    key: 'revoke',
    label: texts.revoke,
    isDangerous: true,
    onSelect: () => onOpen({ kind: 'revoke', key: apiKey }),
  }
  return <LazyMenu label={`Actions for ${formatKey(apiKey)}`} entries={[rotate, revoke]} />
}

interface KeyDialogProps {
  readonly accountId: number
  readonly dialog: OpenDialog
  readonly onOpen: (dialog: OpenDialog | undefined) => void
}

function KeyDialog({ accountId, dialog, onOpen }: KeyDialogProps): ReactNode {
  const close = () => onOpen(undefined)
  const showToken = (key: OperatorKey) => onOpen({ kind: 'token', key })
  switch (dialog.kind) {
    case 'create':
      return (
        <Dialog title={texts.create} isOpen onClose={close} isDismissable={false}>
          <OperationForm
            operation={operatorKeys.create}
            fixed={{ accountId }}
            fields={{
              name: { kind: 'text', label: 'Name', description: 'Where the key is used, such as till.' },
            }}
            action={texts.create}
            onDone={showToken}
            onCancel={close}
          />
        </Dialog>
      )
    case 'rotate':
      return <RotateDialog apiKey={dialog.key} onRotated={showToken} onClose={close} />
    case 'revoke':
      return <RevokeDialog apiKey={dialog.key} onClose={close} />
    case 'token':
      return <TokenDialog apiKey={dialog.key} onClose={close} />
  }
}

interface ExistingKeyProps {
  readonly apiKey: OperatorKey
  readonly onClose: () => void
}

function RotateDialog({
  apiKey,
  onRotated,
  onClose,
}: ExistingKeyProps & { readonly onRotated: (key: OperatorKey) => void }): ReactNode {
  return (
    <Dialog title={`Replace the key ${formatKey(apiKey)}`} isOpen onClose={onClose} isDismissable={false}>
      <p>The next step shows the new token. The old one still works for the time that you choose.</p>
      <OperationForm
        operation={operatorKeys.rotate}
        fixed={{ id: apiKey.id }}
        fields={{
          graceSeconds: {
            kind: 'select',
            isNumber: true,
            isRequired: true,
            options: texts.graces,
            label: 'The old token works for',
          },
        }}
        initial={{ graceSeconds: 86_400 }}
        action={texts.rotate}
        onDone={onRotated}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function RevokeDialog({ apiKey, onClose }: ExistingKeyProps): ReactNode {
  const onDone = () => {
    showToast(`The key ${formatKey(apiKey)} is revoked`)
    onClose()
  }
  return (
    <Dialog title={`Revoke the key ${formatKey(apiKey)}?`} isOpen onClose={onClose} isDismissable={false}>
      <p>Within seconds its token is refused. This cannot be undone.</p>
      <OperationForm
        operation={operatorKeys.revoke}
        fixed={{ id: apiKey.id }}
        fields={{ reason: { kind: 'text', isRequired: true, ...facilitatorTexts.reason } }}
        action={texts.revoke}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Shows the token of a new key, once. */
function TokenDialog({ apiKey: { token = '' }, onClose }: ExistingKeyProps): ReactNode {
  return (
    <Dialog title="Token of the new key" isOpen onClose={onClose} showsSecret>
      <Notice
        tone="warning"
        title="Copy the token now"
        advice="It is shown only once. Store it where the program reads its secrets, not in its code."
      />
      <DetailList
        details={[
          {
            label: 'Token',
            value: <CopiedText text={token} label="Copy the token" />,
          },
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
