import { type OperatorKey, operatorKeys } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { ActionButtons, type Actions } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { openForm, showSecret } from '../../components/dialogs.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { Time, useNow } from '../../components/time.tsx'
import { reasonField } from './facilitator-format.ts'

const formatKey = ({ id, name }: OperatorKey) => (name === '' ? `Key ${id}` : name)

async function createKey(accountId: number): Promise<void> {
  const created = await openForm({
    operation: operatorKeys.create,
    fixed: { accountId },
    fields: { name: { kind: 'text', label: 'Name', description: 'Where the key is used, such as till.' } },
    title: 'Create key',
  })
  if (created !== undefined) await showToken(created)
}

async function rotateKey(key: OperatorKey): Promise<void> {
  const rotated = await openForm({
    operation: operatorKeys.rotate,
    fixed: { id: key.id },
    fields: {
      graceSeconds: {
        kind: 'select',
        isNumber: true,
        isRequired: true,
        options: [
          { value: '86400', label: '1 day' },
          { value: '3600', label: '1 hour' },
          { value: '604800', label: '7 days' },
          { value: '0', label: 'no longer' },
        ],
        label: 'The old token works for',
      },
    },
    initial: { graceSeconds: 86_400 },
    title: `Replace the key ${formatKey(key)}`,
    text: 'The next step shows the new token. The old one still works for the time that you choose.',
    action: 'Replace',
  })
  if (rotated !== undefined) await showToken(rotated)
}

const revokeKey = (key: OperatorKey) =>
  openForm({
    operation: operatorKeys.revoke,
    fixed: { id: key.id },
    fields: { reason: reasonField },
    title: `Revoke the key ${formatKey(key)}?`,
    text: 'Within seconds its token is refused. This cannot be undone.',
    action: 'Revoke',
    done: `The key ${formatKey(key)} is revoked`,
  })

/** Shows the token of a new key, once. */
const showToken = ({ token = '' }: OperatorKey) =>
  showSecret({
    title: 'Token of the new key',
    notice: {
      title: 'Copy the token now',
      advice: 'It is shown only once. Store it where the program reads its secrets, not in its code.',
    },
    texts: { Token: token },
  })

interface KeysSectionProps {
  readonly accountId: number
  readonly keys: readonly OperatorKey[]
}

/** The keys of an account: creating, replacing and revoking them. */
export function KeysSection({ accountId, keys }: KeysSectionProps): ReactNode {
  const now = useNow()
  const isRevoked = ({ revokeTime }: OperatorKey) => revokeTime !== undefined && Date.parse(revokeTime) <= now
  const create = { label: 'Create key', icon: 'plus', onSelect: () => createKey(accountId) } as const
  const listActions = (key: OperatorKey): Actions => [
    { label: 'Replace', onSelect: () => rotateKey(key) },
    { label: 'Revoke', isDangerous: true, onSelect: () => revokeKey(key) },
  ]
  return (
    <TableSection
      title="Keys"
      actions={<ActionButtons actions={[create]} />}
      columns={{
        name: { label: 'Name', cell: (key) => <strong className="break">{formatKey(key)}</strong> },
        id: { label: 'Number', align: 'end' },
        prefix: { label: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code> },
        revokeTime: { label: 'State', cell: (key) => <KeyState apiKey={key} isRevoked={isRevoked(key)} /> },
        createTime: 'Created',
      }}
      rows={keys}
      nameOf={formatKey}
      rowActions={(key) => (isRevoked(key) ? [] : listActions(key))}
      empty={{
        icon: 'key',
        title: 'No keys',
        advice: 'Without a key nobody can call the facilitator for this account.',
      }}
    />
  )
}

interface KeyStateProps {
  readonly apiKey: OperatorKey
  readonly isRevoked: boolean
}

function KeyState({ apiKey: { revokeTime }, isRevoked }: KeyStateProps): ReactNode {
  if (revokeTime === undefined) return <Badge tone="success">Active</Badge>
  if (isRevoked) return <Badge tone="neutral">Revoked</Badge>
  return (
    <>
      <Badge tone="warning">Ends</Badge> <Time value={revokeTime} />
    </>
  )
}
