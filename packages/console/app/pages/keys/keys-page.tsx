import { type ApiKey, apiKeys } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { Time } from '../../components/time.tsx'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { keysTexts } from '../../texts/keys.ts'
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog, SecretDialog } from './key-dialogs.tsx'
import { KeyStatus } from './key-status.tsx'
import { PublishableKeysSection } from './publishable-keys-section.tsx'

/** An open dialog of the page, with the key that it is about. */
type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke' | 'secret'; readonly key: ApiKey }

const columns: readonly Column<ApiKey>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { key: 'key', header: 'Key', cell: ({ apiKey }) => <Identifier value={apiKey} /> },
  { key: 'scopes', header: 'Scopes', cell: ({ scopes }) => formatScopes(scopes) },
  {
    key: 'wallet',
    header: 'Wallet',
    cell: ({ wallet }) => <Identifier value={wallet} />,
    isWideOnly: true,
  },
  { key: 'created', header: 'Created', cell: ({ createTime }) => <Time value={createTime} /> },
  { key: 'status', header: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
]

/** The keys of a project: creating them, replacing their secrets, and revoking them. */
export function KeysPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const query = useOperation(apiKeys.list, {})
  const [dialog, setDialog] = useState<OpenDialog>()
  const create = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setDialog({ kind: 'create' })}>
      {keysTexts.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={keysTexts.title}
        context={projectName}
        description="Programs sign their calls with a key. Give each program a key of its own, with the scopes it needs."
        actions={create}
      />
      <div className="section">
        <QueryTable
          query={query}
          empty={
            <EmptyState
              icon="key"
              title="No keys yet"
              advice="Create a key for the program that calls the gateway, such as your shop."
              adviceToRead="The keys of programs that call the gateway appear here."
            />
          }
          label={keysTexts.title}
          columns={columns}
          getKey={({ apiKey }) => apiKey}
          actions={mayChange ? (key) => <KeyMenu apiKey={key} onOpen={setDialog} /> : undefined}
        />
      </div>
      <PublishableKeysSection />
      <KeyDialog dialog={dialog} onOpen={setDialog} onClose={() => setDialog(undefined)} />
    </>
  )
}

interface KeyDialogProps {
  readonly dialog: OpenDialog | undefined
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onClose: () => void
}

function KeyDialog({ dialog, onOpen, onClose }: KeyDialogProps): ReactNode {
  const showSecret = (key: ApiKey) => onOpen({ kind: 'secret', key })
  switch (dialog?.kind) {
    case 'create':
      return <CreateKeyDialog onCreated={showSecret} onClose={onClose} />
    case 'rotate':
      return <RotateKeyDialog apiKey={dialog.key} onRotated={showSecret} onClose={onClose} />
    case 'revoke':
      return <RevokeKeyDialog apiKey={dialog.key} onClose={onClose} />
    case 'secret':
      return <SecretDialog apiKey={dialog.key} onClose={onClose} />
    default:
      return null
  }
}

interface KeyMenuProps {
  readonly apiKey: ApiKey
  readonly onOpen: (dialog: OpenDialog) => void
}

function KeyMenu({ apiKey, onOpen }: KeyMenuProps): ReactNode {
  if (apiKey.revokeTime !== undefined) return null
  return (
    <LazyMenu
      label={`Actions for ${apiKey.name}`}
      entries={[
        {
          key: 'rotate',
          label: 'Replace the secret',
          onSelect: () => onOpen({ kind: 'rotate', key: apiKey }),
        },
        {
          key: 'revoke',
          label: keysTexts.revoke,
          isDangerous: true,
          onSelect: () => onOpen({ kind: 'revoke', key: apiKey }),
        },
      ]}
    />
  )
}

/** Formats the scopes of a key; `*` stands for all but those of the admin interface. */
function formatScopes(scopes: readonly string[]): string {
  const others = scopes.filter((scope) => scope !== '*').join(', ')
  if (!scopes.includes('*')) return others
  return others === '' ? 'All except people, keys and audit' : `All of the shop, and ${others}`
}
