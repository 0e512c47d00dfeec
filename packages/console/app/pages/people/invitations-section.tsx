import { type Invitation, people } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation, useWrite } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMayChange } from '../../session/project-context.tsx'
import { peopleTexts } from '../../texts/people.ts'
import { formatRole } from '../../texts/shell.ts'

const texts = peopleTexts.invitations

const columns: readonly Column<Invitation>[] = [
  { key: 'email', header: 'Email address', cell: ({ email }) => <span className="break">{email}</span> },
  { key: 'role', header: 'Role', cell: ({ role }) => <Badge tone="neutral">{formatRole(role)}</Badge> },
  { key: 'created', header: 'Created', cell: ({ createTime }) => <Time value={createTime} /> },
  { key: 'expires', header: 'Expires', cell: ({ expireTime }) => <Time value={expireTime} /> },
]

/** The invitations that are neither accepted nor expired. */
export function InvitationsSection(): ReactNode {
  const mayChange = useMayChange()
  const query = useOperation(people.listInvitations, {})
  const [revoked, setRevoked] = useState<Invitation>()
  return (
    <Section title={texts.title}>
      <QueryTable
        query={query}
        lines={2}
        empty={<p className="muted">No invitation is open.</p>}
        label={texts.title}
        columns={columns}
        getKey={({ id }) => id}
        actions={
          mayChange
            ? (invitation) => (
                <Button
                  kind="plain"
                  aria-label={`Revoke the invitation of ${invitation.email}`}
                  onClick={() => setRevoked(invitation)}
                >
                  {texts.revoke}
                </Button>
              )
            : undefined
        }
      />
      {revoked !== undefined && <RevokeDialog invitation={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  )
}

interface RevokeDialogProps {
  readonly invitation: Invitation
  readonly onClose: () => void
}

function RevokeDialog({ invitation, onClose }: RevokeDialogProps): ReactNode {
  const revoke = useWrite(people.revokeInvitation)
  const { id, email } = invitation
  return (
    <ConfirmDialog
      title={`Revoke the invitation of ${email}?`}
      action={texts.revoke}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => {
        const onSuccess = () => {
          showToast('The invitation is revoked')
          onClose()
        }
        revoke.mutate({ id }, { onSuccess })
      }}
      onClose={onClose}
    >
      <p>Its link does nothing from then on.</p>
    </ConfirmDialog>
  )
}
