import { type Operator, type OperatorInvitation, operators, type RemovedPerson } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation, useWrite } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { InvitationLinkDialog } from '../../components/invitation-link-dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { useSession } from '../../session/project-context.tsx'
import { operatorsTexts as texts } from '../../texts/operator.ts'

/** The operators of the server: adding one, removing one, and removing the account of any person. */
export function OperatorsPage(): ReactNode {
  const { data, error, refetch, isFetching } = useOperation(operators.list, {}, { staleTime: 0 })
  const [isAdding, setIsAdding] = useState(false)
  const [isRemovingAccount, setIsRemovingAccount] = useState(false)
  const [removed, setRemoved] = useState<Operator>()
  return (
    <>
      <PageHeader
        title={texts.title}
        context="Operator"
        description="Who sees all projects and decides what the server cannot. This gives no role in any project."
        actions={
          <>
            <Button onClick={() => setIsRemovingAccount(true)}>{texts.removeAccount.title}</Button>
            <Button kind="primary" icon="plus" onClick={() => setIsAdding(true)}>
              {texts.invite}
            </Button>
          </>
        }
      />
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {data === undefined ? (
        error === null && <Skeleton lines={4} />
      ) : (
        <OperatorTable people={data} onRemove={setRemoved} />
      )}
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
      {isRemovingAccount && <RemoveAccountDialog onClose={() => setIsRemovingAccount(false)} />}
      {removed !== undefined && <RemoveDialog operator={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

const columns: readonly Column<Operator>[] = [
  { key: 'name', header: 'Name', cell: (operator) => <OperatorName operator={operator} /> },
  {
    key: 'secondFactor',
    header: 'Second factor',
    cell: ({ hasSecondFactor }) => (
      <Badge tone={hasSecondFactor ? 'success' : 'warning'}>{hasSecondFactor ? 'On' : 'Off'}</Badge>
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
]

function OperatorName({ operator: { personId, name, email } }: { readonly operator: Operator }): ReactNode {
  const session = useSession()
  return (
    <>
      <span className="row">
        <strong className="break">{name}</strong>
        {personId === session.personId && <Badge tone="info">You</Badge>}
      </span>
      <div className="muted break">{email}</div>
    </>
  )
}

interface OperatorTableProps {
  readonly people: readonly Operator[]
  readonly onRemove: (operator: Operator) => void
}

function OperatorTable({ people, onRemove }: OperatorTableProps): ReactNode {
  const session = useSession()
  const [first, second] = people
  if (first === undefined)
    return (
      <EmptyState
        icon="people"
        title="No operators"
        advice="Only keys with operator scopes operate this server. Add a person."
      />
    )
  const isOnly = second === undefined
  return (
    <div className="section">
      {isOnly && (
        <Notice
          tone="info"
          title={
            first.personId === session.personId
              ? 'You are the only operator'
              : `${first.name} is the only operator`
          }
          advice="The last operator cannot be removed, so that nobody is locked out of these pages. Add a second one, who can help when the first is away or has lost a device."
        />
      )}
      <DataTable
        label={texts.title}
        columns={columns}
        rows={people}
        getKey={({ personId }) => personId}
        actions={isOnly ? undefined : (operator) => <RemoveButton operator={operator} onRemove={onRemove} />}
      />
    </div>
  )
}

interface RemoveButtonProps {
  readonly operator: Operator
  readonly onRemove: (operator: Operator) => void
}

function RemoveButton({ operator, onRemove }: RemoveButtonProps): ReactNode {
  return (
    <Button
      kind="plain"
      aria-label={`Remove ${operator.name} as an operator`}
      onClick={() => onRemove(operator)}
    >
      {texts.revoke}
    </Button>
  )
}

/** Invites an operator, then shows the link once. */
function AddDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [invitation, setInvitation] = useState<OperatorInvitation>()
  if (invitation !== undefined) return <InvitationLinkDialog invitation={invitation} onClose={onClose} />
  return (
    <Dialog title={texts.invite} isOpen onClose={onClose} isDismissable={false}>
      <p>The next step shows a link. Whoever accepts it sees all projects, so give it to that person only.</p>
      <OperationForm
        operation={operators.invite}
        fields={{ email: { kind: 'email', isRequired: true, label: 'Email address' } }}
        action={texts.invite}
        onDone={setInvitation}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Removes an account that somebody else has created with the email address of a person. */
function RemoveAccountDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { title, removed } = texts.removeAccount
  const onDone = ({ email: address, projects }: RemovedPerson) => {
    showToast(removed(address, projects.map(({ projectName }) => projectName).join(', ')))
    onClose()
  }
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={false}>
      <p>
        For a person whose email address somebody else has used to create an account. The account, its
        sessions and its roles in all projects end. The next invitation of the address creates a new account.
        This cannot be undone.
      </p>
      <OperationForm
        operation={operators.removePerson}
        fields={{ email: { kind: 'email', isRequired: true, label: 'Email address of the account' } }}
        action="Remove the account"
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface RemoveDialogProps {
  readonly operator: Operator
  readonly onClose: () => void
}

function RemoveDialog({ operator: { personId, name }, onClose }: RemoveDialogProps): ReactNode {
  const session = useSession()
  const revoke = useWrite(operators.revoke)
  const onSuccess = () => {
    showToast(`${name} is no operator any more`)
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Remove ${name} as an operator?`}
      action={texts.revoke}
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ personId }, { onSuccess })}
      onClose={onClose}
    >
      <p>
        {personId === session.personId
          ? 'You can no longer open these pages, and links for new operators that nobody has accepted stop working. Another operator can invite you again.'
          : `${name} can no longer open these pages, and links for new operators that nobody has accepted stop working. Roles in projects and API keys with operator scopes stay.`}
      </p>
    </ConfirmDialog>
  )
}
