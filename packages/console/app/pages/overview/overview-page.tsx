import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { useProject } from '../../session/project-context.tsx'
import { overviewTexts } from '../../texts/overview.ts'
import { Attention } from './attention.tsx'
import { Charts } from './charts.tsx'
import { FirstSteps } from './first-steps.tsx'

/** The overview of a project: the first steps of a new one, what needs attention, then sales and redemptions of the last 30 days. */
export function OverviewPage(): ReactNode {
  const { projectName } = useProject()
  return (
    <>
      <PageHeader title={overviewTexts.title} context={projectName} />
      <FirstSteps />
      <Attention />
      <Charts />
    </>
  )
}
