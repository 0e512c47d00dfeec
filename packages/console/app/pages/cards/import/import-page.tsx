import type { ReactNode } from 'react'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import '../../../styles/cards.css'
import { importTexts } from '../../../texts/card-import.ts'
import { formatRole, shellTexts } from '../../../texts/shell.ts'
import { BackLink } from '../back-link.tsx'
import { useProgram } from '../use-program.ts'
import { FileStep } from './file-step.tsx'
import { ImportSteps } from './import-steps.tsx'
import { useImport } from './use-import.ts'

/**
 * Imports cards from a CSV file: choosing it, assigning its columns, and a report of each row that failed.
 */
export function ImportPage(): ReactNode {
  const program = useProgram()
  const { projectName, role } = useProject()
  const mayChange = useMayChange()
  const { title, advice } = shellTexts.hiddenArea
  return (
    <>
      <PageHeader
        title={importTexts.title(program.texts.title)}
        context={projectName}
        above={<BackLink to={`cards/${program.slug}`}>{program.texts.title}</BackLink>}
        description={importTexts.description}
      />
      {mayChange ? (
        <Import key={program.name} />
      ) : (
        <EmptyState icon="info" title={title} advice={advice(formatRole(role))} />
      )}
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
