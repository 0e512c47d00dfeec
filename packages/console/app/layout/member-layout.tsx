import type { ProjectMembership, Session } from '@mintmark/admin'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { DialogHost } from '../components/open-dialog.tsx'
import { EmptyState } from '../components/placeholders.tsx'
import { QueryView } from '../components/query-view.tsx'
import { t } from '../language/translate.ts'
import { Redirect } from '../navigation/redirect.tsx'
import { ProjectProvider } from '../session/project-context.tsx'
import { type CachedSession, sessionQuery } from '../session/session.ts'
import { SessionEnd } from './session-end.tsx'
import { Shell } from './shell.tsx'

/**
 * The pages behind the sign-in. Leads to the sign-in if nobody is signed in, and from there back. When the
 * session ends while a page is open, the sign-in covers the page, which keeps what the person has entered.
 */
export function MemberLayout(): ReactNode {
  const query = useQuery(sessionQuery)
  const { data: session } = query
  const router = useRouter()
  if (session === null) {
    return <Redirect to="/sign-in" search={{ returnTo: router.latestLocation.href }} />
  }
  if (session !== undefined) {
    return (
      <>
        {/* Another person gets new pages, without what the previous one has entered. */}
        <SignedIn key={session.personId} session={session} />
        {session.hasEnded === true && <SessionEnd />}
      </>
    )
  }
  return (
    <main className="lone-page">
      <QueryView query={query}>{() => null}</QueryView>
    </main>
  )
}

function SignedIn({ session }: { readonly session: CachedSession }): ReactNode {
  const { projectId }: { readonly projectId?: string } = useParams({ strict: false })
  const project = session.projects.find((each) => String(each.projectId) === projectId)
  const shown = useLastProject(session, project)
  return (
    <ProjectProvider session={session} project={project} isCovered={session.hasEnded === true}>
      <Shell session={session} project={shown}>
        {projectId !== undefined && project === undefined ? (
          <UnknownProject />
        ) : (
          // A page of another role is mounted again, because it was opened with other rights.
          <Outlet key={project?.role} />
        )}
      </Shell>
      <DialogHost />
    </ProjectProvider>
  )
}

/** Returns the project whose navigation is shown: on pages of no project, the one that was open last. */
function useLastProject(
  { projects }: Session,
  project: ProjectMembership | undefined,
): ProjectMembership | undefined {
  const last = useRef(project?.projectId)
  if (project !== undefined) last.current = project.projectId
  return projects.find(({ projectId }) => projectId === last.current) ?? projects[0]
}

function UnknownProject(): ReactNode {
  return (
    <EmptyState
      icon="project"
      title={t('This project is not one of yours')}
      advice={t('Choose a project, or ask one of its owners to invite you.')}
    />
  )
}
