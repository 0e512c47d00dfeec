import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../session/project-context.tsx'

interface ProjectLinkProps {
  /** The address below that of the project, such as `orders/123`. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly className?: string
  readonly children: ReactNode
}

/** A link to a page of the open project. With the class `row-link`, it covers its row of a table. */
export function ProjectLink({ to, search, className, children }: ProjectLinkProps): ReactNode {
  const { projectId } = useProject()
  return (
    <Link to={`/p/${projectId}/${to}`} search={search ?? {}} className={className}>
      {children}
    </Link>
  )
}
