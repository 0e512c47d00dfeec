import { type ProjectMembership, Role, type Session } from '@mintmark/admin'
import type { GatewayClient } from '@mintmark/operation'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { getGateway } from '../api/gateway.ts'

/** Who uses the console, and in which project. */
interface ProjectContextValue {
  readonly session: Session
  /** The open project; undefined on pages of no project. */
  readonly project: ProjectMembership | undefined
  /** Whether the session has ended, so that the sign-in covers the page. */
  readonly isCovered: boolean
}

const ProjectContext = createContext<ProjectContextValue | undefined>(undefined)

/** Provides the person and the open project to the pages below it. */
export function ProjectProvider(props: ProjectContextValue & { readonly children: ReactNode }): ReactNode {
  const { session, project, isCovered, children } = props
  const value = useMemo(() => ({ session, project, isCovered }), [session, project, isCovered])
  return <ProjectContext value={value}>{children}</ProjectContext>
}

/** Returns the person who is signed in. Only for pages behind the sign-in. */
export function useSession(): Session {
  const context = useContext(ProjectContext)
  if (context === undefined) throw new Error('useSession outside of ProjectProvider')
  return context.session
}

/** Returns the open project with the person's role. Only for pages of a project. */
export function useProject(): ProjectMembership {
  const project = useContext(ProjectContext)?.project
  if (project === undefined) throw new Error('useProject outside of a project')
  return project
}

/** Returns the role of the person in the open project; undefined outside of a project. */
export function useRole(): ProjectMembership['role'] | undefined {
  return useContext(ProjectContext)?.project?.role
}

/**
 * Whether the person may change things of the open project. Hide what changes something otherwise; the server
 * refuses it too.
 */
export function useMayChange(): boolean {
  const role = useRole()
  return role === Role.OWNER || role === Role.MANAGER
}

/**
 * Whether to show what changes something on the page: on pages of no project, which only operators see, always.
 */
export function useMayAct(): boolean {
  const mayChange = useMayChange()
  return useRole() === undefined || mayChange
}

/** Returns the address of the open project, or outside of one that of the pages of operators. */
export function useBasePath(): string {
  const project = useContext(ProjectContext)?.project
  return project === undefined ? '/operator' : `/p/${project.projectId}`
}

/** Returns the open project; undefined on pages of no project. */
export function useOpenProject(): ProjectMembership | undefined {
  return useContext(ProjectContext)?.project
}

/**
 * Whether the sign-in covers the page, because the session has ended. The page keeps its state for the person,
 * but opens no dialog above the sign-in, repeats no reads and does not use the camera.
 */
export function useIsCovered(): boolean {
  return useContext(ProjectContext)?.isCovered ?? false
}

/** Returns the client of the open project, or of no project outside of one. */
export function useProjectGateway(): {
  readonly gateway: GatewayClient
  readonly projectId: number | undefined
} {
  const projectId = useContext(ProjectContext)?.project?.projectId
  return useMemo(() => ({ gateway: getGateway(projectId), projectId }), [projectId])
}
