import type { ReactNode } from 'react'
import { ProjectLink } from '../navigation/project-link.tsx'
import { Icon } from './icon.tsx'

interface BackLinkProps {
  /** The address below that of the project, or of the pages of operators. */
  readonly to: string
  /** The title of the page that it leads to. */
  readonly children: ReactNode
}

/** Leads from the page of a record to its list. */
export function BackLink({ to, children }: BackLinkProps): ReactNode {
  return (
    <ProjectLink to={to} className="back-link">
      <Icon name="chevronLeft" />
      {children}
    </ProjectLink>
  )
}
