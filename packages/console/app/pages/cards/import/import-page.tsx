import type { ReactNode } from 'react'
import { t, toMidSentence } from '../../../language/translate.ts'
import { IssuerPage } from '../issuer-page.tsx'
import { type Program, useProgram } from '../programs.ts'
import '../../../styles/cards.css'
import { FileStep } from './file-step.tsx'
import { ImportSteps } from './import-steps.tsx'
import { useImport } from './use-import.ts'

/**
 * Imports cards from a CSV file: choosing it, assigning its columns, and a report of each row that failed.
 */
export function ImportPage(): ReactNode {
  const program = useProgram()
  return (
    <IssuerPage
      title={t('Import {cards}', { cards: toMidSentence(program.texts.title) })}
      list={{ to: `cards/${program.slug}`, title: program.texts.title }}
      description={t('Creates a card for each row of a CSV file. The first row names the columns.')}
    >
      <Import key={program.name} program={program} />
    </IssuerPage>
  )
}

function Import({ program }: { readonly program: Program }): ReactNode {
  const current = useImport(program)
  return (
    <>
      <FileStep program={program} current={current} />
      {current.file !== undefined && <ImportSteps program={program} current={current} file={current.file} />}
    </>
  )
}
