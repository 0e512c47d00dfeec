import type { ReactNode } from 'react'
import { PageHeader, type PageHeaderProps } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { formatRole, shellTexts } from '../../texts/shell.ts'

/** A page for those who issue cards. Others see why their role does not include it. */
export function IssuerPage({
  children,
  ...header
}: PageHeaderProps & { readonly children: ReactNode }): ReactNode {
  const { role } = useProject()
  const mayChange = useMayChange()
  const { title, advice } = shellTexts.hiddenArea
  return (
    <>
      <PageHeader {...header} />
      {mayChange ? children : <EmptyState icon="info" title={title} advice={advice(formatRole(role))} />}
    </>
  )
}
