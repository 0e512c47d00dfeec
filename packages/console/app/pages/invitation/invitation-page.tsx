import type { Role, Session } from '@mintmark/admin'
import { wait } from '@mintmark/operation'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { LonePage } from '../../components/lone-page.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { AuthError } from '../../errors/auth-error.ts'
import { markSaved } from '../../form/unsaved-input.ts'
import { t } from '../../language/translate.ts'
import { useSignOut } from '../../layout/account-menu.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { sessionQuery, useSessionQuery } from '../../session/session.ts'
import { formatRole, roleTexts } from '../../texts/shell.ts'
import {
  type Acceptance,
  acceptInvitation,
  getInvitation,
  INVITATION_INVALID,
  type OpenInvitation,
} from './invitations.ts'
import { NewPersonForm } from './new-person-form.tsx'

/** The page of an invitation's link. */
export function InvitationPage(): ReactNode {
  const token = usePathParam('token')
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => getInvitation(token, signal),
  })
  if (query.data !== undefined) return <OpenInvitationPage token={token} invitation={query.data} />
  if (isInvalid(query.error)) return <InvalidInvitationPage />
  return (
    <LonePage title={t('Invitation')}>
      <QueryView query={query}>{() => null}</QueryView>
    </LonePage>
  )
}

function isInvalid(error: unknown): boolean {
  return error instanceof AuthError && error.code === INVITATION_INVALID
}

/** Leads to the sign-in: a person whose response was lost has accepted the invitation and has an account. */
function InvalidInvitationPage(): ReactNode {
  const signIn = (
    <Link to="/sign-in" className="button button-primary">
      {t('Sign in')}
    </Link>
  )
  return (
    <LonePage title={t('Invitation')}>
      <EmptyState
        icon="warning"
        title={t('This invitation is not valid')}
        advice={t(
          'It has expired, was used or was revoked. If you have used it yourself, sign in. Otherwise ask the person who invited you for a new one.',
        )}
        action={signIn}
      />
    </LonePage>
  )
}

interface OpenInvitationPageProps {
  readonly token: string
  readonly invitation: OpenInvitation
}

function OpenInvitationPage({ token, invitation }: OpenInvitationPageProps): ReactNode {
  const { email, isNewPerson } = invitation
  const accept = useAccept(token)
  const { title, description, action } = describeInvitation(invitation)
  if (isInvalid(accept.error)) return <InvalidInvitationPage />
  return (
    <LonePage title={title}>
      <p>{description}</p>
      <p className="muted">{t('The invitation is for {email}.', { email })}</p>
      <ErrorNotice error={accept.error} />
      {isNewPerson ? (
        <NewPersonForm email={email} action={action} isPending={accept.isPending} onSubmit={accept.mutate} />
      ) : (
        <ExistingPerson
          token={token}
          email={email}
          action={action}
          isPending={accept.isPending}
          onAccept={() => accept.mutate({})}
        />
      )}
    </LonePage>
  )
}

function describeInvitation({ projectName, role }: OpenInvitation) {
  if (projectName === undefined || role === undefined)
    return {
      title: t('Operate this server'),
      description: t(
        'You are invited as an operator, who sees all projects and decides what the server cannot.',
      ),
      action: t('Become an operator'),
    }
  // A role that a newer server added has no description here.
  const description = roleTexts[role as Role]?.description ?? ''
  return {
    title: t('Join {projectName}', { projectName }),
    description: t('You are invited as {role}. {description}', { role: formatRole(role), description }),
    action: t('Join the project'),
  }
}

/** Accepts the invitation and leads to the projects of the person. */
function useAccept(token: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (acceptance: Acceptance) => acceptInvitation(token, acceptance),
    onSuccess: async () => {
      await readNewRights(client)
      markSaved(document)
      await navigate({ to: '/', replace: true })
    },
  })
}

/** Gateways remember for a second what a person may do, so the first reads may not have the new rights. */
const NEW_RIGHTS_READS = 6
const NEW_RIGHTS_PAUSE_MS = 300

const countRights = (session: Session | null | undefined) =>
  (session?.projects.length ?? 0) + (session?.isOperator === true ? 1 : 0)

/** Reads the session until it has one more project than before, or is that of an operator. */
async function readNewRights(client: QueryClient): Promise<void> {
  const before = countRights(client.getQueryData(sessionQuery.queryKey))
  for (let read = 1; read <= NEW_RIGHTS_READS; read += 1) {
    const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    if (countRights(session) > before) return
    await wait(NEW_RIGHTS_PAUSE_MS, undefined)
  }
}

interface ExistingPersonProps {
  readonly token: string
  readonly email: string
  /** The verb on the button. */
  readonly action: string
  readonly isPending: boolean
  readonly onAccept: () => void
}

/** Lets a person who has an account accept the invitation, after signing in. */
function ExistingPerson({ token, email, action, isPending, onAccept }: ExistingPersonProps): ReactNode {
  const { data: session } = useSessionQuery()
  const signOut = useSignOut()
  if (session === undefined) return <Skeleton />
  if (session === null) {
    return (
      <>
        <p>{t('This email address has an account already. Sign in to accept the invitation.')}</p>
        <p className="muted">
          {t(
            'If you have never created an account here, somebody else has used your address. Ask an operator of this server to remove that account, then open the invitation again.',
          )}
        </p>
        <Link
          to="/sign-in"
          search={{ returnTo: `/invitation/${encodeURIComponent(token)}` }}
          className="button button-primary"
        >
          {t('Sign in')}
        </Link>
      </>
    )
  }
  if (session.email !== email) {
    return (
      <>
        <p>
          {t('You are signed in as {email}. Sign out, and open the invitation again.', {
            email: session.email,
          })}
        </p>
        <ErrorNotice error={signOut.error} />
        <Button isPending={signOut.isPending} onClick={() => signOut.mutate()}>
          {t('Sign out')}
        </Button>
      </>
    )
  }
  return (
    <Button kind="primary" isPending={isPending} onClick={onAccept}>
      {action}
    </Button>
  )
}
