import type { ReactNode } from 'react'
import { PageHeader } from '../../../components/page-header.tsx'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import '../../../styles/cards.css'
import { BackLink } from '../../../components/back-link.tsx'
import { NotAllowed } from '../not-allowed.tsx'
import { useProgram } from '../use-program.ts'
import { FileStep } from './file-step.tsx'
import { ImportSteps } from './import-steps.tsx'
import { useImport } from './use-import.ts'

/**
 * Imports cards from a CSV file: choosing it, assigning its columns, and a report of each row that failed.
 */
export function ImportPage(): ReactNode {
  const program = useProgram()
  const { projectName } = useProject()
  const mayChange = useMayChange()
  return (
    <>
      <PageHeader
        title={`Import ${program.texts.title.toLowerCase()}`}
        context={projectName}
        above={<BackLink to={`cards/${program.slug}`}>{program.texts.title}</BackLink>}
        description="Creates a card for each row of a CSV file. The first row names the columns."
      />
      {mayChange ? <Import key={program.name} /> : <NotAllowed />}
    </>
  )
}

function Import(): ReactNode {
  const program = useProgram()
  const current = useImport(program)
  return (
    <>
      <FileStep program={program} current={current} />
      {current.file !== undefined && <ImportSteps program={program} current={current} file={current.file} />}
    </>
  )
}
