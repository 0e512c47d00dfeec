import type { ProjectMembership, Session } from '@mintmark/admin'
import { Outlet, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { ErrorNotice } from '../components/error-notice.tsx'
import { EmptyState, Skeleton } from '../components/placeholders.tsx'
import { Redirect } from '../navigation/redirect.tsx'
import { ProjectProvider } from '../session/project-context.tsx'
import { useSessionQuery } from '../session/session.ts'
import { shellTexts } from '../texts/shell.ts'
import { Shell } from './shell.tsx'

/** The pages behind the sign-in. Leads to the sign-in if nobody is signed in, and from there back. */
export function MemberLayout(): ReactNode {
  const { data: session, error, refetch, isFetching } = useSessionQuery()
  const router = useRouter()
  if (session === null) {
    return <Redirect to="/sign-in" search={{ returnTo: router.latestLocation.href }} />
  }
  if (session !== undefined) return <SignedIn session={session} />
  return (
    <main className="lone-page">
      {error === null ? (
        <Skeleton />
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
    </main>
  )
}

function SignedIn({ session }: { readonly session: Session }): ReactNode {
  const { projectId }: { readonly projectId?: string } = useParams({ strict: false })
  const project = session.projects.find((each) => String(each.projectId) === projectId)
  const shown = useLastProject(session, project)
  return (
    <ProjectProvider session={session} project={project}>
      <Shell session={session} project={shown}>
        {projectId !== undefined && project === undefined ? <UnknownProject /> : <Outlet />}
      </Shell>
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
  const { title, advice } = shellTexts.unknownProject
  return <EmptyState icon="project" title={title} advice={advice} />
}
