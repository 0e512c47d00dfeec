import { type Invitation, people } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { formatRole } from '../../texts/shell.ts'

const revokeInvitation = ({ id, email }: Invitation) =>
  confirm({
    operation: people.revokeInvitation,
    input: { id },
    title: `Revoke the invitation of ${email}?`,
    text: 'Its link does nothing from then on.',
    action: 'Revoke',
    done: 'The invitation is revoked',
  })

/** The invitations that are neither accepted nor expired. */
export function InvitationsSection(): ReactNode {
  return (
    <ResourceSection
      operation={people.listInvitations}
      input={{}}
      title="Open invitations"
      columns={{
        email: 'Email address',
        role: { label: 'Role', cell: ({ role }) => <Badge tone="neutral">{formatRole(role)}</Badge> },
        createTime: 'Created',
        expireTime: 'Expires',
      }}
      getKey={({ id }) => id}
      nameOf={({ email }) => `the invitation of ${email}`}
      rowActions={(invitation) => [{ label: 'Revoke', onSelect: () => revokeInvitation(invitation) }]}
      empty={{ icon: 'people', title: 'No invitation is open' }}
      lines={2}
    />
  )
}
