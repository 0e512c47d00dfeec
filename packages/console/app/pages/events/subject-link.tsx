import type { GatewayEvent } from '@mintmark/events'
import type { ReactNode } from 'react'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { findSubjectPath } from './subject-links.ts'

interface SubjectLinkProps {
  readonly event: Pick<GatewayEvent, 'subject' | 'data'>
}

/** Shows what an event happened to, with a link to its page if it has one. */
export function SubjectLink({ event }: SubjectLinkProps): ReactNode {
  const path = findSubjectPath(event)
  if (path === undefined) return <code className="break">{event.subject}</code>
  return (
    <ProjectLink to={path} className="above-row">
      <code className="break">{event.subject}</code>
    </ProjectLink>
  )
}
