import { type ReactNode, useId, useRef } from 'react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { formatCsvRecord } from '../../../format/csv.ts'
import { t } from '../../../language/translate.ts'
import { importTexts } from '../../../texts/card-import.ts'
import { TECHNICAL_FIELDS } from '../card-fields.ts'
import type { Program } from '../programs.ts'
import type { CurrentImport, FileProblem } from './use-import.ts'

const texts = importTexts.file

interface FileStepProps {
  readonly program: Program
  readonly current: CurrentImport
}

/** Chooses the file of an import. */
export function FileStep({ program, current }: FileStepProps): ReactNode {
  const { file, fields, problem, isReading, state, open } = current
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const saveTemplate = () => {
    const names = fields.map(({ name }) => name).filter((name) => !TECHNICAL_FIELDS.has(name))
    const content = formatCsvRecord(names)
    saveFile(`${program.slug}-cards-template.csv`, 'text/csv;charset=utf-8', content)
  }
  return (
    <section className="panel stack-small import-file" aria-label={t('File')}>
      <label className="visually-hidden" htmlFor={id}>
        {t('CSV file')}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,text/csv"
        tabIndex={-1}
        className="visually-hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          // The same file can be chosen again.
          target.value = ''
          if (chosen !== undefined) open(chosen)
        }}
      />
      {file !== undefined && (
        <p>
          <strong className="break">{file.name}</strong>{' '}
          <span className="muted">{texts.rows(file.records.length)}</span>
        </p>
      )}
      <div className="row">
        <Button
          kind={file === undefined ? 'primary' : 'secondary'}
          isPending={isReading}
          disabled={state === 'running'}
          onClick={() => input.current?.click()}
        >
          {isReading
            ? t('Reading the file')
            : file === undefined
              ? t('Choose a file')
              : t('Choose another file')}
        </Button>
        {file === undefined && <Button onClick={saveTemplate}>{t('Download a template')}</Button>}
      </div>
      {file === undefined && (
        <p className="muted">
          {t('From a spreadsheet: save it as CSV (UTF-8). At most 20 MB and 50,000 rows.')}
        </p>
      )}
      {problem !== undefined && (
        <div role="alert">
          <Notice tone="danger" {...describeProblem(problem)} />
        </div>
      )}
    </section>
  )
}

function describeProblem(problem: FileProblem): { readonly title: string; readonly advice: string } {
  const { fileProblems } = importTexts
  return 'line' in problem ? fileProblems[problem.kind](problem.line) : fileProblems[problem.kind]
}
