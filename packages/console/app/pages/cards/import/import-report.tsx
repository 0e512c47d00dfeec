import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { type Columns, DataTable } from '../../../components/data-table.tsx'
import { Section } from '../../../components/detail-list.tsx'
import { Notice } from '../../../components/notice.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { formatCount } from '../../../format/number.ts'
import { t } from '../../../language/translate.ts'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { importTexts } from '../../../texts/card-import.ts'
import type { Program } from '../programs.ts'
import { type Failure, formatFailedRows, formatField } from './failed-rows.ts'
import type { ImportField } from './import-fields.ts'
import type { ImportFile } from './import-file.ts'
import type { RowProblem } from './import-rows.ts'
import type { CurrentImport } from './use-import.ts'

const texts = importTexts.report
const SHOWN_PROBLEMS = 100

interface ImportReportProps {
  readonly program: Program
  readonly current: CurrentImport
  readonly file: ImportFile
}

/**
 * Says what was created and what was not, by line and field, and saves the failed rows as a file that can be
 * corrected and imported.
 */
export function ImportReport({ program, current, file }: ImportReportProps): ReactNode {
  const results = [...current.results.values()].sort((one, other) => one.line - other.line)
  const created = results.filter(({ status }) => status === 'created').length
  const failed = results.filter(({ status }) => status === 'failed')
  const skipped = results.filter(({ status }) => status === 'skipped').length
  const unknown = results.filter(({ status }) => status === 'unknown')
  const save = () => {
    const content = formatFailedRows(file, [...failed, ...unknown], current.fields)
    saveFile(file.name.replace(/(\.csv)?$/i, '-failed.csv'), 'text/csv;charset=utf-8', content)
  }
  return (
    <Section title={t('Result')}>
      {created > 0 && (
        <Notice
          tone="success"
          title={texts.created(created)}
          action={<ProjectLink to={`cards/${program.slug}`}>{t('See the cards')}</ProjectLink>}
        />
      )}
      {skipped > 0 && <Notice tone="info" title={texts.skipped(skipped)} />}
      {unknown.length > 0 && (
        <Notice
          tone="warning"
          title={texts.unknown(unknown.length)}
          advice={t(
            'They were sent more than 23 hours ago without an answer. Look in the list of cards before you import them again.',
          )}
        />
      )}
      {failed.length > 0 && (
        <Notice
          tone="danger"
          title={texts.failed(failed.length)}
          advice={t('Download them, correct them, and import that file.')}
        />
      )}
      {failed.length + unknown.length > 0 && (
        <div>
          <Button onClick={save}>{t('Download the rows that failed')}</Button>
        </div>
      )}
      <ProblemTable fields={current.fields} failures={failed} />
    </Section>
  )
}

interface ProblemTableProps {
  readonly fields: readonly ImportField[]
  readonly failures: readonly Failure[]
}

interface ProblemLine extends RowProblem {
  readonly line: number
}

/** Lists problems by line and field. */
export function ProblemTable({ fields, failures }: ProblemTableProps): ReactNode {
  const problems = failures.flatMap(({ line, problems: each }) =>
    each.map((problem): ProblemLine => ({ line, ...problem })),
  )
  if (problems.length === 0) return null
  const columns: Columns<ProblemLine> = {
    line: { label: t('Line'), cell: ({ line }) => t('Line {line}', { line: formatCount(line) }) },
    field: { label: t('Field'), cell: ({ field }) => formatField(field, fields) },
    message: t('Problem'),
  }
  return (
    <>
      <DataTable
        label={t('Rows that were not imported')}
        columns={columns}
        rows={problems.slice(0, SHOWN_PROBLEMS)}
        getKey={({ line, field, message }) => `${line} ${field} ${message}`}
      />
      {problems.length > SHOWN_PROBLEMS && (
        <p className="muted">
          {t('{count} more problems are in the file of failed rows.', {
            count: formatCount(problems.length - SHOWN_PROBLEMS),
          })}
        </p>
      )}
    </>
  )
}
