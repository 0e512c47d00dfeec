import { type Operator, operators } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { Notice } from '../../components/notice.tsx'
import { LastSeen, PersonName, SecondFactorBadge } from '../../components/person.tsx'
import { defineResource } from '../../components/resource.tsx'
import { showInvitationLink } from '../../components/show-invitation-link.ts'
import { useSession } from '../../session/project-context.tsx'

async function addOperator(): Promise<void> {
  const invitation = await openForm({
    operation: operators.invite,
    fields: { email: { kind: 'email', isRequired: true, label: 'Email address' } },
    title: 'Add operator',
    text: 'The next step shows a link. Whoever accepts it sees all projects, so give it to that person only.',
  })
  if (invitation !== undefined) await showInvitationLink(invitation)
}

/** Removes an account that somebody else has created with the email address of a person. */
const removeAccount = () =>
  openForm({
    operation: operators.removePerson,
    fields: { email: { kind: 'email', isRequired: true, label: 'Email address of the account' } },
    title: 'Remove an account',
    text: 'For a person whose email address somebody else has used to create an account. The account, its sessions and its roles in all projects end. The next invitation of the address creates a new account. This cannot be undone.',
    action: 'Remove the account',
    done: ({ email, projects }) => {
      const names = projects.map(({ projectName }) => projectName).join(', ')
      const roles = names === '' ? 'It had no role in a project' : `It had a role in ${names}`
      return `The account of ${email} is removed. ${roles}`
    },
  })

const removeOperator = ({ personId, name }: Operator, isSelf: boolean) =>
  confirm({
    operation: operators.revoke,
    input: { personId },
    title: `Remove ${name} as an operator?`,
    text: isSelf
      ? 'You can no longer open these pages, and links for new operators that nobody has accepted stop working. Another operator can invite you again.'
      : `${name} can no longer open these pages, and links for new operators that nobody has accepted stop working. Roles in projects and API keys with operator scopes stay.`,
    action: 'Remove',
    done: `${name} is no operator any more`,
  })

/** Says why the only operator cannot be removed. */
function OnlyOperator(): ReactNode {
  const session = useSession()
  const { data: [first, second] = [] } = useOperation(operators.list, {}, { staleTime: 0 })
  if (first === undefined || second !== undefined) return null
  const title =
    first.personId === session.personId ? 'You are the only operator' : `${first.name} is the only operator`
  return (
    <div className="section">
      <Notice
        tone="info"
        title={title}
        advice="The last operator cannot be removed, so that nobody is locked out of these pages. Add a second one, who can help when the first is away or has lost a device."
      />
    </div>
  )
}

/** The operators of the server: adding one, removing one, and removing the account of any person. */
export const OperatorsPage = defineResource(operators.list, {
  title: 'Operators',
  description: 'Who sees all projects and decides what the server cannot. This gives no role in any project.',
  actions: () => [
    { label: 'Remove an account', onSelect: removeAccount },
    { label: 'Add operator', kind: 'primary', icon: 'plus', onSelect: addOperator },
  ],
  above: <OnlyOperator />,
  columns: {
    name: { label: 'Name', cell: (operator) => <PersonName person={operator} /> },
    hasSecondFactor: { label: 'Second factor', cell: (person) => <SecondFactorBadge {...person} /> },
    lastSeenTime: { label: 'Last seen', cell: (person) => <LastSeen {...person} /> },
  },
  getKey: ({ personId }) => personId,
  nameOf: ({ name }) => `${name} as an operator`,
  rowActions: (operator, { count, personId }) => [
    count > 1 && {
      label: 'Remove',
      onSelect: () => removeOperator(operator, operator.personId === personId),
    },
  ],
  empty: {
    icon: 'people',
    title: 'No operators',
    advice: 'Only keys with operator scopes operate this server. Add a person.',
  },
  staleTime: 0,
})
