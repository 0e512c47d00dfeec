import type { ReactNode } from 'react'
import { Icon } from '../../components/icon.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'

interface BackLinkProps {
  /** The address below that of the project. */
  readonly to: string
  readonly children: ReactNode
}

/** Leads to the page above. */
export function BackLink({ to, children }: BackLinkProps): ReactNode {
  return (
    <ProjectLink to={to} className="back-link">
      <Icon name="chevronLeft" />
      {children}
    </ProjectLink>
  )
}
