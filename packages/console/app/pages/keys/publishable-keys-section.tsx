import { type PublishableKey, publishableKeys } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation, useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { AdaptedForm } from '../../form/operation-form.tsx'
import { useMayChange } from '../../session/project-context.tsx'
import { publishableKeysTexts as texts } from '../../texts/keys.ts'
import { KeyStatus } from './key-status.tsx'
import { toOrigin } from './origins.ts'
import { publishableScopes } from './scopes.ts'

/** The keys for pages of a project: creating and revoking them. */
export function PublishableKeysSection(): ReactNode {
  const mayChange = useMayChange()
  const query = useOperation(publishableKeys.list, {})
  const [isCreating, setIsCreating] = useState(false)
  const [revoked, setRevoked] = useState<PublishableKey>()
  return (
    <Section
      title={texts.title}
      actions={
        mayChange && (
          <Button icon="plus" onClick={() => setIsCreating(true)}>
            {texts.create}
          </Button>
        )
      }
    >
      <p className="muted">
        A page in a browser reads the catalog of the shop with a publishable key. It is no secret: everybody
        can read what it reads, and it changes nothing.
      </p>
      <QueryTable
        query={query}
        lines={3}
        empty={
          <EmptyState
            icon="key"
            title="No publishable keys yet"
            advice="Create one for the pages of your shop. Programs on your servers use an API key instead."
            adviceToRead="The keys of the shop’s pages appear here."
          />
        }
        label={texts.title}
        columns={columns}
        getKey={({ publishableKey }) => publishableKey}
        actions={mayChange ? (key) => <RevokeButton publishableKey={key} onOpen={setRevoked} /> : undefined}
      />
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
      {revoked !== undefined && (
        <RevokeDialog publishableKey={revoked} onClose={() => setRevoked(undefined)} />
      )}
    </Section>
  )
}

const columns: readonly Column<PublishableKey>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
  { key: 'key', header: 'Key', cell: ({ publishableKey }) => <Identifier value={publishableKey} /> },
  {
    key: 'origins',
    header: 'Origins',
    cell: ({ origins }) => <span className="break">{origins.join(', ')}</span>,
  },
  { key: 'scopes', header: 'Scopes', cell: ({ scopes }) => scopes.join(', '), isWideOnly: true },
  { key: 'created', header: 'Created', cell: ({ createTime }) => <Time value={createTime} /> },
  { key: 'status', header: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
]

interface RevokeButtonProps {
  readonly publishableKey: PublishableKey
  readonly onOpen: (key: PublishableKey) => void
}

function RevokeButton({ publishableKey, onOpen }: RevokeButtonProps): ReactNode {
  if (publishableKey.revokeTime !== undefined) return null
  return (
    <Button kind="plain" aria-label={`Revoke ${publishableKey.name}`} onClick={() => onOpen(publishableKey)}>
      {texts.revoke}
    </Button>
  )
}

function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const options = publishableScopes.map((scope) => ({ value: scope, label: scope }))
  const onDone = (key: PublishableKey) => {
    showToast(`${key.name} is created`)
    onClose()
  }
  return (
    <Dialog title={texts.create} isOpen onClose={onClose} isDismissable={false}>
      <AdaptedForm
        operation={publishableKeys.create}
        fields={{
          name: {
            kind: 'text',
            isRequired: true,
            label: 'Name',
            description: 'What the key is for, such as the website of the shop.',
          },
          origins: {
            kind: 'lines',
            isRequired: true,
            label: 'Origins',
            description:
              'One in each line: the pages that may use the key, such as https://shop.example or http://localhost:5173. At most 20.',
          },
          scopes: {
            kind: 'choices',
            options,
            label: 'Scopes',
            description: 'Without a choice, the key has both.',
          },
        }}
        toOperationInput={({ name: label, origins: entered, ...rest }) => ({
          ...rest,
          name: String(label ?? ''),
          origins: Array.isArray(entered) ? entered.map((text) => toOrigin(String(text))) : [],
        })}
        // A message about an origin names it, so its place in the list is left out.
        toFieldPath={(path) => path.split('.')[0] ?? path}
        action={texts.create}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface RevokeDialogProps {
  readonly publishableKey: PublishableKey
  readonly onClose: () => void
}

function RevokeDialog({ publishableKey: { publishableKey, name }, onClose }: RevokeDialogProps): ReactNode {
  const revoke = useWrite(publishableKeys.revoke)
  const onSuccess = () => {
    showToast(`${name} is revoked`)
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action={texts.revoke}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ publishableKey }, { onSuccess })}
      onClose={onClose}
    >
      <p>
        Within a second, the gateway accepts no call with this key, so pages that use it show no catalog. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
