import type { ReactNode } from 'react'
import { EmptyState } from '../../components/placeholders.tsx'
import { useProject } from '../../session/project-context.tsx'
import { formatRole, shellTexts } from '../../texts/shell.ts'

/** Explains that the person's role does not include a page, such as one for those who issue cards. */
export function NotAllowed(): ReactNode {
  const { role } = useProject()
  const { title, advice } = shellTexts.hiddenArea
  return <EmptyState icon="info" title={title} advice={advice(formatRole(role))} />
}
