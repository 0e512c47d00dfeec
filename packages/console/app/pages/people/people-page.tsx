import { type Invitation, type Person, people, Role } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { LastSeen, PersonName, SecondFactorBadge } from '../../components/person.tsx'
import { defineResource, ResourceSection } from '../../components/resource.tsx'
import { showInvitationLink } from '../../components/show-invitation-link.ts'
import { t } from '../../language/translate.ts'
import { formatRole, roleTexts } from '../../texts/shell.ts'

/** The roles that can be given to a person, with what they mean. */
const roleOptions = Object.values(Role).map((role) => ({
  value: role,
  label: roleTexts[role].name,
  description: roleTexts[role].description,
}))

const isRequired = true
const role = { kind: 'radio', isRequired, options: roleOptions, label: t('Role') } as const
const wallet = {
  kind: 'address',
  label: t('Wallet'),
  description: t('What the person does in the project is done by this wallet, such as listing a token.'),
} as const

async function invite(): Promise<void> {
  const invitation = await openForm({
    operation: people.invite,
    fields: { email: { kind: 'email', isRequired, label: t('Email address') }, role, wallet },
    initial: { role: Role.STAFF },
    title: t('Invite'),
  })
  if (invitation !== undefined) await showInvitationLink(invitation)
}

const editPerson = (person: Person) =>
  openForm({
    operation: people.update,
    fields: { role, wallet: { ...wallet, sendsEmpty: true } },
    fixed: { personId: person.personId },
    initial: person,
    title: t('Change {name}', { name: person.name }),
    action: t('Save'),
    done: ({ name }) => t('{name} is changed', { name }),
  })

const signOutPerson = ({ personId, name }: Person) =>
  confirm({
    operation: people.signOut,
    input: { personId },
    title: t('Sign out {name} everywhere?', { name }),
    text: t(
      'The person must sign in again on every device, for other projects too. Use it when a device is lost.',
    ),
    action: t('Sign out everywhere'),
    done: t('{name} is signed out', { name }),
  })

const removePerson = ({ personId, name }: Person) =>
  confirm({
    operation: people.remove,
    input: { personId },
    title: t('Remove {name}?', { name }),
    text: t(
      '{name} can no longer open this project. The API keys of the project stay valid: revoke those that {name} knows.',
      { name },
    ),
    action: t('Remove'),
    done: t('{name} is removed', { name }),
  })

/** The people of a project: inviting them, changing their roles, signing them out and removing them. */
export const PeoplePage = defineResource(people.list, {
  title: t('People'),
  description: t('Who may use the console for this project, and what they may do.'),
  actions: () => [{ label: t('Invite'), kind: 'primary', icon: 'plus', onSelect: invite }],
  columns: {
    name: { label: t('Name'), cell: (person) => <PersonName person={person} /> },
    role: { label: t('Role'), cell: (person) => <Badge tone="neutral">{formatRole(person.role)}</Badge> },
    wallet: t('Wallet'),
    hasSecondFactor: { label: t('Second factor'), cell: (person) => <SecondFactorBadge {...person} /> },
    lastSeenTime: { label: t('Last seen'), cell: (person) => <LastSeen {...person} /> },
    createTime: { label: t('Joined'), isWideOnly: true },
  },
  getKey: ({ personId }) => personId,
  nameOf: ({ name }) => name,
  rowActions: (person) => [
    { label: t('Change role or wallet'), onSelect: () => editPerson(person) },
    { label: t('Sign out everywhere'), onSelect: () => signOutPerson(person) },
    { label: t('Remove from the project'), isDangerous: true, onSelect: () => removePerson(person) },
  ],
  empty: { icon: 'people', title: t('Nobody yet') },
  below: <InvitationsSection />,
})

const revokeInvitation = ({ id, email }: Invitation) =>
  confirm({
    operation: people.revokeInvitation,
    input: { id },
    title: t('Revoke the invitation of {email}?', { email }),
    text: t('Its link does nothing from then on.'),
    action: t('Revoke'),
    done: t('The invitation is revoked'),
  })

/** The invitations that are neither accepted nor expired. */
function InvitationsSection(): ReactNode {
  return (
    <ResourceSection
      operation={people.listInvitations}
      title={t('Open invitations')}
      columns={{
        email: t('Email address'),
        role: { label: t('Role'), cell: ({ role }) => <Badge tone="neutral">{formatRole(role)}</Badge> },
        createTime: t('Created'),
        expireTime: t('Expires'),
      }}
      nameOf={({ email }) => t('the invitation of {email}', { email })}
      rowActions={(invitation) => [{ label: t('Revoke'), onSelect: () => revokeInvitation(invitation) }]}
      empty={{ icon: 'people', title: t('No invitation is open') }}
    />
  )
}
