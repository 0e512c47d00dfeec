import { type Invitation, type Person, people, Role } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { LastSeen, PersonName, SecondFactorBadge } from '../../components/person.tsx'
import { defineResource, ResourceSection } from '../../components/resource.tsx'
import { showInvitationLink } from '../../components/show-invitation-link.ts'
import { formatRole, roleTexts } from '../../texts/shell.ts'

/** The roles that can be given to a person, with what they mean. */
const roleOptions = Object.values(Role).map((role) => ({
  value: role,
  label: roleTexts[role].name,
  description: roleTexts[role].description,
}))

const isRequired = true
const role = { kind: 'radio', isRequired, options: roleOptions, label: 'Role' } as const
const wallet = {
  kind: 'address',
  label: 'Wallet',
  description: 'What the person does in the project is done by this wallet, such as listing a token.',
} as const

async function invite(): Promise<void> {
  const invitation = await openForm({
    operation: people.invite,
    fields: { email: { kind: 'email', isRequired, label: 'Email address' }, role, wallet },
    initial: { role: Role.STAFF },
    title: 'Invite',
  })
  if (invitation !== undefined) await showInvitationLink(invitation)
}

const editPerson = (person: Person) =>
  openForm({
    operation: people.update,
    fields: { role, wallet: { ...wallet, sendsEmpty: true } },
    fixed: { personId: person.personId },
    initial: person,
    title: `Change ${person.name}`,
    action: 'Save',
    done: ({ name }) => `${name} is changed`,
  })

const signOutPerson = ({ personId, name }: Person) =>
  confirm({
    operation: people.signOut,
    input: { personId },
    title: `Sign out ${name} everywhere?`,
    text: 'The person must sign in again on every device, for other projects too. Use it when a device is lost.',
    action: 'Sign out everywhere',
    done: `${name} is signed out`,
  })

const removePerson = ({ personId, name }: Person) =>
  confirm({
    operation: people.remove,
    input: { personId },
    title: `Remove ${name}?`,
    text: `${name} can no longer open this project. The API keys of the project stay valid: revoke those that ${name} knows.`,
    action: 'Remove',
    done: `${name} is removed`,
  })

/** The people of a project: inviting them, changing their roles, signing them out and removing them. */
export const PeoplePage = defineResource(people.list, {
  title: 'People',
  description: 'Who may use the console for this project, and what they may do.',
  actions: () => [{ label: 'Invite', kind: 'primary', icon: 'plus', onSelect: invite }],
  columns: {
    name: { label: 'Name', cell: (person) => <PersonName person={person} /> },
    role: { label: 'Role', cell: (person) => <Badge tone="neutral">{formatRole(person.role)}</Badge> },
    wallet: 'Wallet',
    hasSecondFactor: { label: 'Second factor', cell: (person) => <SecondFactorBadge {...person} /> },
    lastSeenTime: { label: 'Last seen', cell: (person) => <LastSeen {...person} /> },
    createTime: { label: 'Joined', isWideOnly: true },
  },
  getKey: ({ personId }) => personId,
  nameOf: ({ name }) => name,
  rowActions: (person) => [
    { label: 'Change role or wallet', onSelect: () => editPerson(person) },
    { label: 'Sign out everywhere', onSelect: () => signOutPerson(person) },
    { label: 'Remove from the project', isDangerous: true, onSelect: () => removePerson(person) },
  ],
  empty: { icon: 'people', title: 'Nobody yet' },
  below: <InvitationsSection />,
})

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
function InvitationsSection(): ReactNode {
  return (
    <ResourceSection
      operation={people.listInvitations}
      title="Open invitations"
      columns={{
        email: 'Email address',
        role: { label: 'Role', cell: ({ role }) => <Badge tone="neutral">{formatRole(role)}</Badge> },
        createTime: 'Created',
        expireTime: 'Expires',
      }}
      nameOf={({ email }) => `the invitation of ${email}`}
      rowActions={(invitation) => [{ label: 'Revoke', onSelect: () => revokeInvitation(invitation) }]}
      empty={{ icon: 'people', title: 'No invitation is open' }}
    />
  )
}
