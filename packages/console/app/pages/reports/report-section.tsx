import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionButtons } from '../../components/actions.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Empty, type EmptyTexts } from '../../components/empty.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { saveFile } from '../../components/save-file.ts'
import { formatCsvRecord } from '../../format/csv.ts'
import { formatDate, getTimeZone } from '../../format/time.ts'
import { useProject } from '../../session/project-context.tsx'
import '../../styles/receipt.css'
import type { Days } from './report-periods.ts'

/** Reports are read when they are opened: events do not read them again, because they read many rows. */
export const READ = { staleTime: 0 } as const

/** What a report adds up, and when. */
export interface ReportChoice<By extends string> {
  readonly by: By
  readonly days: Days
  /** The period with which it is compared. */
  readonly before: Days
}

interface ReportSectionProps<Row> {
  /** `Sales by day`. */
  readonly title: string
  readonly days: Days
  readonly before: Days
  readonly query: UseQueryResult<readonly Row[]>
  /** The report of the period before. */
  readonly earlier: UseQueryResult<readonly Row[]>
  /** The records of the file, the names of its columns first. */
  readonly toRecords: (rows: readonly Row[]) => readonly (readonly string[])[]
  readonly empty: EmptyTexts
  readonly children: (rows: readonly Row[], earlier: readonly Row[]) => ReactNode
}

/** A report with its period, which can be printed and saved as a file. */
export function ReportSection<Row>(props: ReportSectionProps<Row>): ReactNode {
  const { title, days, before, query, earlier, toRecords, empty, children } = props
  const { projectName } = useProject()
  const rows = query.data ?? []
  const save = () => {
    const name = `${title.toLowerCase().replaceAll(' ', '-')}-${days.from}-${days.to}.csv`
    saveFile(name, 'text/csv;charset=utf-8', toRecords(rows).map(formatCsvRecord).join(''))
  }
  const actions = rows.length > 0 && (
    <div className="row screen-only">
      <ActionButtons
        actions={[
          { label: 'Print', onSelect: () => print(), isForReaders: true },
          { label: 'Download CSV', onSelect: save, isForReaders: true },
        ]}
      />
    </div>
  )
  return (
    <div className="report">
      <p className="print-only report-owner">{projectName}</p>
      <Section title={title} actions={actions}>
        <p className="muted">
          {formatDays(days)}, compared with {formatDays(before)}. Time zone: {getTimeZone()}.
        </p>
        {query.error === null && <ErrorNotice error={earlier.error} />}
        <QueryView query={query}>
          {(read) => (read.length === 0 ? <Empty {...empty} /> : children(read, earlier.data ?? []))}
        </QueryView>
      </Section>
    </div>
  )
}

// A day is at noon the same in each time zone of its place.
const formatDays = ({ from, to }: Days) =>
  [...new Set([from, to])].map((day) => formatDate(`${day}T12:00:00`)).join(' – ')
