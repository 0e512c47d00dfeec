import { type Person, people, Role } from '@mintmark/admin'
import { Badge } from '../../components/badge.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { LastSeen, PersonName, SecondFactorBadge } from '../../components/person.tsx'
import { defineResource } from '../../components/resource.tsx'
import { showInvitationLink } from '../../components/show-invitation-link.ts'
import { formatRole } from '../../texts/shell.ts'
import { InvitationsSection } from './invitations-section.tsx'
import { roleOptions } from './role-options.ts'

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
    action: 'Invite',
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
