import type { ReactNode } from 'react'
import { Redirect } from '../../navigation/redirect.tsx'
import { useProject } from '../../session/project-context.tsx'
import { programs } from './programs.ts'

/** Leads from the address of all cards to the first program. */
export function CardsIndexPage(): ReactNode {
  const { projectId } = useProject()
  return <Redirect to={`/p/${projectId}/cards/${programs.promoCodeCards.slug}`} />
}
