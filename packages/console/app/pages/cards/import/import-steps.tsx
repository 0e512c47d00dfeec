import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Section } from '../../../components/detail-list.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNotice, Notice } from '../../../components/notice.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatTime } from '../../../format/time.ts'
import { t } from '../../../language/translate.ts'
import { importTexts } from '../../../texts/card-import.ts'
import type { Program } from '../programs.ts'
import type { ImportFile } from './import-file.ts'
import { ImportReport, ProblemTable } from './import-report.tsx'
import { MappingTable } from './mapping-table.tsx'
import type { CurrentImport } from './use-import.ts'

/** A question names so many lines. */
const SHOWN_LINES = 20

interface ImportStepsProps {
  readonly program: Program
  readonly current: CurrentImport
  readonly file: ImportFile
}

/** What follows the choice of a file: the columns, the check of the rows, the import and its report. */
export function ImportSteps({ program, current, file }: ImportStepsProps): ReactNode {
  const { earlier, state, repeat } = current
  if (earlier !== undefined && earlier.finishedAt > 0 && state === 'ready') {
    return (
      <Notice
        tone="warning"
        title={t('This file was imported on {finishedAt}', { finishedAt: formatTime(earlier.finishedAt) })}
        advice={t('Importing it once more creates its cards a second time.')}
        action={<Button onClick={repeat}>{t('Import it once more')}</Button>}
      />
    )
  }
  const isContinued = earlier !== undefined && earlier.round === 0 && state === 'ready'
  return (
    <>
      {isContinued && (
        <Notice
          tone="info"
          title={t('This file was begun before')}
          advice={t('The import continues: rows that are imported are not imported again.')}
        />
      )}
      {state === 'ready' && (
        <>
          <MappingTable current={current} file={file} />
          <CheckStep current={current} />
        </>
      )}
      {state !== 'ready' && <Progress current={current} />}
      {(state === 'finished' || state === 'stopped') && (
        <ImportReport program={program} current={current} file={file} />
      )}
    </>
  )
}

/** Says how many rows can be imported, and what is wrong with the others. */
function CheckStep({ current }: { readonly current: CurrentImport }): ReactNode {
  const { rows, fields, start, sentBefore } = current
  const texts = importTexts.check
  const bad = rows.filter(({ problems }) => problems.length > 0)
  const good = rows.length - bad.length
  return (
    <Section title={t('Check')}>
      {good > 0 ? (
        <Notice tone="success" title={texts.ready(good)} />
      ) : (
        <Notice
          tone="warning"
          title={t('No row can be imported. Assign the columns, or correct the file.')}
        />
      )}
      {bad.length > 0 && (
        <>
          <Notice
            tone="warning"
            title={texts.bad(bad.length)}
            advice={t(
              'They are left out. You can download them after the import, correct them, and import that file.',
            )}
          />
          <ProblemTable fields={fields} failures={bad} />
        </>
      )}
      <div>
        <Button kind="primary" disabled={good === 0} onClick={start}>
          {importTexts.start(good)}
        </Button>
      </div>
      {sentBefore !== undefined && <SentBeforeDialog current={current} lines={sentBefore} good={good} />}
    </Section>
  )
}

interface SentBeforeDialogProps {
  readonly current: CurrentImport
  readonly lines: readonly number[]
  /** How many rows can be imported, these included. */
  readonly good: number
}

/** Lets a person decide about rows that equal rows which were imported from other files. */
function SentBeforeDialog({ current, lines, good }: SentBeforeDialogProps): ReactNode {
  const texts = importTexts.sentBefore
  const shown = lines.slice(0, SHOWN_LINES).map(formatCount).join(', ')
  const others = lines.length - SHOWN_LINES
  return (
    <Dialog title={texts.title(lines.length)} onClose={current.cancelStart}>
      <p>
        {t(
          'In this browser, equal rows of another file were imported, or sent without an answer. A corrected file usually contains them again.',
        )}
      </p>
      <p className="muted">
        {others > 0
          ? t('Lines {shown} and {others} more', { shown, others: formatCount(others) })
          : t('Lines {shown}', { shown })}
      </p>
      <div className="dialog-actions">
        <Button onClick={() => current.decide('repeat')}>
          {t('Import all {good}', { good: formatCount(good) })}
        </Button>
        <Button kind="primary" onClick={() => current.decide('skip')}>
          {lines.length === good
            ? t('Import nothing')
            : t('Import the other {good}', { good: formatCount(good - lines.length) })}
        </Button>
      </div>
    </Dialog>
  )
}

function Progress({ current }: { readonly current: CurrentImport }): ReactNode {
  const { rows, results, state, error, start, stop } = current
  return (
    <section className="section" aria-label={importTexts.progressLabel}>
      <progress
        className="import-progress"
        aria-label={importTexts.progressLabel}
        value={results.size}
        max={rows.length}
      />
      <div className="row">
        <p role="status" className="grow">
          {t('{done} of {count} rows done', {
            done: formatCount(results.size),
            count: formatCount(rows.length),
          })}
        </p>
        {state === 'running' && <Button onClick={stop}>{t('Stop')}</Button>}
      </div>
      {state === 'stopped' && (
        <>
          <ErrorNotice error={error} />
          <Notice
            tone="warning"
            title={t('The import has stopped')}
            advice={t(
              'Continue it here, or later with the same file. Rows that are imported are not imported again.',
            )}
            action={
              <Button kind="primary" onClick={start}>
                {t('Continue||import')}
              </Button>
            }
          />
        </>
      )}
    </section>
  )
}
