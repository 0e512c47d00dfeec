import { type Invitation, type Person, people } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { InvitationLinkDialog } from '../../components/invitation-link-dialog.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { useMayChange, useProject, useSession } from '../../session/project-context.tsx'
import { peopleTexts } from '../../texts/people.ts'
import { componentTexts, formatRole } from '../../texts/shell.ts'
import { InvitationsSection } from './invitations-section.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { EditPersonDialog, RemovePersonDialog, SignOutPersonDialog } from './person-dialogs.tsx'

/** An open dialog of the page. */
type OpenDialog =
  | { readonly kind: 'invite' }
  | { readonly kind: 'link'; readonly invitation: Invitation }
  | { readonly kind: 'edit' | 'sign-out' | 'remove'; readonly person: Person }

const columns: readonly Column<Person>[] = [
  { key: 'name', header: 'Name', cell: (person) => <PersonName person={person} /> },
  { key: 'role', header: 'Role', cell: ({ role }) => <Badge tone="neutral">{formatRole(role)}</Badge> },
  { key: 'wallet', header: 'Wallet', cell: ({ wallet }) => <Identifier value={wallet} /> },
  {
    key: 'secondFactor',
    header: 'Second factor',
    cell: ({ hasSecondFactor }) => (
      <Badge tone={hasSecondFactor ? 'success' : 'warning'}>
        {hasSecondFactor ? componentTexts.yes : componentTexts.no}
      </Badge>
    ),
  },
  {
    key: 'lastSeen',
    header: 'Last seen',
    cell: ({ lastSeenTime }) =>
      lastSeenTime === undefined ? (
        <span className="faint">Not signed in</span>
      ) : (
        <Time value={lastSeenTime} />
      ),
  },
  {
    key: 'joined',
    header: 'Joined',
    cell: ({ createTime }) => <Time value={createTime} />,
    isWideOnly: true,
  },
]

/** The people of a project: inviting them, changing their roles, signing them out and removing them. */
export function PeoplePage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const { data, error, refetch, isFetching } = useOperation(people.list, {})
  const [dialog, setDialog] = useState<OpenDialog>()
  const invite = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setDialog({ kind: 'invite' })}>
      {peopleTexts.invite}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={peopleTexts.title}
        context={projectName}
        description="Who may use the console for this project, and what they may do."
        actions={invite}
      />
      <div className="section">
        <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
        {data === undefined ? (
          error === null && <Skeleton lines={6} />
        ) : (
          <DataTable
            label={peopleTexts.title}
            columns={columns}
            rows={data}
            getKey={({ personId }) => personId}
            actions={mayChange ? (person) => <PersonMenu person={person} onOpen={setDialog} /> : undefined}
          />
        )}
      </div>
      <InvitationsSection />
      <PeopleDialog dialog={dialog} onOpen={setDialog} onClose={() => setDialog(undefined)} />
    </>
  )
}

function PersonName({ person: { personId, name, email } }: { readonly person: Person }): ReactNode {
  const session = useSession()
  return (
    <div>
      <span className="row">
        <strong>{name}</strong>
        {personId === session.personId && <Badge tone="info">You</Badge>}
      </span>
      <span className="muted break">{email}</span>
    </div>
  )
}

interface PersonMenuProps {
  readonly person: Person
  readonly onOpen: (dialog: OpenDialog) => void
}

function PersonMenu({ person, onOpen }: PersonMenuProps): ReactNode {
  return (
    <LazyMenu
      label={`Actions for ${person.name}`}
      entries={[
        { key: 'edit', label: 'Change role or wallet', onSelect: () => onOpen({ kind: 'edit', person }) },
        { key: 'sign-out', label: peopleTexts.signOut, onSelect: () => onOpen({ kind: 'sign-out', person }) },
        {
          key: 'remove',
          label: 'Remove from the project',
          isDangerous: true,
          onSelect: () => onOpen({ kind: 'remove', person }),
        },
      ]}
    />
  )
}

interface PeopleDialogProps {
  readonly dialog: OpenDialog | undefined
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onClose: () => void
}

function PeopleDialog({ dialog, onOpen, onClose }: PeopleDialogProps): ReactNode {
  switch (dialog?.kind) {
    case 'invite':
      return (
        <InviteDialog onInvited={(invitation) => onOpen({ kind: 'link', invitation })} onClose={onClose} />
      )
    case 'link':
      return <InvitationLinkDialog invitation={dialog.invitation} onClose={onClose} />
    case 'edit':
      return <EditPersonDialog person={dialog.person} onClose={onClose} />
    case 'sign-out':
      return <SignOutPersonDialog person={dialog.person} onClose={onClose} />
    case 'remove':
      return <RemovePersonDialog person={dialog.person} onClose={onClose} />
    default:
      return null
  }
}
