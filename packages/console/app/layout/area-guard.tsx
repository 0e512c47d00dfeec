import { Outlet, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { type Area, mayOpen } from '../navigation/areas.ts'
import { findFirstPath } from '../navigation/items.ts'
import { Redirect } from '../navigation/redirect.tsx'
import { useProject, useSession } from '../session/project-context.tsx'
import { formatRole, shellTexts } from '../texts/shell.ts'
import { NoPage } from './not-found.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The area of a page, which the role of the person must include. */
    readonly area?: Area
  }
}

/** Shows a page of a project, or explains that the role does not include it. */
export function AreaGuard(): ReactNode {
  const { role } = useProject()
  const area = useMatches({ select: (matches) => matches.at(-1)?.staticData.area })
  if (area === undefined || mayOpen(role, area)) return <Outlet />
  return <HiddenArea role={role} />
}

function HiddenArea({ role }: { readonly role: string }): ReactNode {
  const { title, advice } = shellTexts.hiddenArea
  return <NoPage title={title} advice={advice(formatRole(role))} />
}

/** Shows a page of operators to them only. */
export function OperatorGuard(): ReactNode {
  const { isOperator } = useSession()
  if (isOperator) return <Outlet />
  return (
    <NoPage
      title={t('Only operators of this server see this page')}
      advice={t('The person who runs the server can make you an operator.')}
    />
  )
}

/** Shows a page of operators of the facilitator if one is connected. */
export function FacilitatorGuard(): ReactNode {
  const { hasFacilitator } = useSession()
  if (hasFacilitator) return <Outlet />
  return (
    <NoPage
      icon="facilitator"
      title={t('No facilitator is connected to this server')}
      advice={t('The settings FACILITATOR_URL and FACILITATOR_OPERATOR_TOKEN connect one.')}
    />
  )
}

/**
 * Leads from the address of a project to the first page that the role may open. Without a connection that is the
 * scanner, which works without one.
 */
export function ProjectIndex(): ReactNode {
  const { projectId, role } = useProject()
  const path = !navigator.onLine && mayOpen(role, 'scanner') ? 'scanner' : findFirstPath(role)
  if (path === undefined) return <HiddenArea role={role} />
  return <Redirect to={`/p/${projectId}/${path}`} />
}

/**
 * Leads from the address of the console to the first project, or an operator without a project to the health
 * of the server.
 */
export function ConsoleIndex(): ReactNode {
  const { projects, isOperator } = useSession()
  const [first] = projects
  if (first !== undefined) return <Redirect to={`/p/${first.projectId}`} />
  if (isOperator) return <Redirect to="/operator/health" />
  return (
    <NoPage
      icon="project"
      title={t('You have no project yet')}
      advice={t('Ask an owner of a project to invite you.')}
    />
  )
}
