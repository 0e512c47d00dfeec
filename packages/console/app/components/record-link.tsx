import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBasePath } from '../session/project-context.tsx'

interface RecordLinkProps {
  /** The address below that of the project, or on pages of no project below that of operators. */
  readonly to: string
  readonly children: ReactNode
}

/** Links a record to its page. The link covers its row of a table. */
export function RecordLink({ to, children }: RecordLinkProps): ReactNode {
  return (
    <Link to={`${useBasePath()}/${to}`} search={{}} className="row-link">
      {children}
    </Link>
  )
}
