import type { ReactNode } from 'react'
import { ActionButtons } from '../../components/actions.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Empty } from '../../components/empty.tsx'
import { Figure } from '../../components/figure.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { saveFile } from '../../components/save-file.ts'
import { formatCsvRecord } from '../../format/csv.ts'
import { formatChange } from '../../format/number.ts'
import { formatDate, getTimeZone } from '../../format/time.ts'
import { t, toMidSentence } from '../../language/translate.ts'
import { useProject } from '../../session/project-context.tsx'
import '../../styles/receipt.css'
import {
  BY,
  type By,
  type Group,
  listGroupColumns,
  type Report,
  type ReportColumn,
} from './report-definition.ts'
import type { Days } from './report-periods.ts'

interface ReportSectionProps<Row extends Group> {
  readonly report: Report<Row>
  readonly by: By
  readonly days: Days
  /** The period with which it is compared. */
  readonly before: Days
}

/** A report with its period, which can be printed and saved as a file. */
export function ReportSection<Row extends Group>({
  report,
  by,
  days,
  before,
}: ReportSectionProps<Row>): ReactNode {
  const { projectName } = useProject()
  const query = report.useRows(by, days)
  const earlier = report.useRows(by, before)
  const rows = query.data ?? []
  const columns = [...listGroupColumns(by), ...report.columns]
  const save = () => {
    const records = [
      columns.map(({ label }) => label),
      ...rows.map((row) => columns.map(({ value }) => value(row))),
    ]
    const name = `${report.title.toLowerCase()}-by-${by}-${days.from}-${days.to}.csv`
    saveFile(name, 'text/csv;charset=utf-8', records.map(formatCsvRecord).join(''))
  }
  const actions = rows.length > 0 && (
    <div className="row screen-only">
      <ActionButtons
        actions={[
          { label: t('Print'), onSelect: () => print(), isForReaders: true },
          { label: t('Download CSV'), onSelect: save, isForReaders: true },
        ]}
      />
    </div>
  )
  // A row of each part.
  const parts = [...new Map(rows.map((row) => [report.getPart(row), row])).values()]
  return (
    <div className="report printed">
      <p className="print-only report-owner">{projectName}</p>
      <Section
        title={t('{title} by {by}', { title: report.title, by: toMidSentence(BY[by]) })}
        actions={actions}
      >
        <p className="muted">
          {t('{days}, compared with {before}. Time zone: {timeZone}.', {
            days: formatDays(days),
            before: formatDays(before),
            timeZone: getTimeZone(),
          })}
        </p>
        {query.error === null && <ErrorNotice error={earlier.error} />}
        <QueryView query={query}>
          {() =>
            rows.length === 0 ? (
              <Empty {...report.empty} />
            ) : (
              parts.map((part) => (
                <ReportPart
                  key={report.getPart(part)}
                  title={report.namePart(part)}
                  columns={columns}
                  rows={rows.filter(isPartOf(report, part))}
                  total={report.addUp(rows.filter(isPartOf(report, part)), part)}
                  before={report.addUp((earlier.data ?? []).filter(isPartOf(report, part)), part)}
                />
              ))
            )
          }
        </QueryView>
      </Section>
    </div>
  )
}

const isPartOf =
  <Row extends Group>({ getPart }: Report<Row>, part: Row) =>
  (row: Row): boolean =>
    getPart(row) === getPart(part)

/** A row of the table. */
interface Line {
  readonly key: string
  readonly cells: readonly string[]
}

interface ReportPartProps<Row> {
  /** `''` if there are no other parts. */
  readonly title: string
  readonly columns: readonly ReportColumn<Row>[]
  readonly rows: readonly Row[]
  readonly total: Row
  /** The total of the period before. */
  readonly before: Row
}

/** Rows that are added up, with the figures of their total. */
function ReportPart<Row extends Group>({
  title,
  columns,
  rows,
  total,
  before,
}: ReportPartProps<Row>): ReactNode {
  const shown = columns.flatMap(({ label, value, show = value, figure, isText = false }) =>
    show === false ? [] : [{ label, cell: show, figure, isText }],
  )
  const tableColumns = Object.fromEntries(
    shown.map(({ label, isText }, index) => [
      `_${label}`,
      { label, align: isText ? 'start' : 'end', cell: ({ cells }: Line) => cells[index] },
    ]),
  ) satisfies Columns<Line>
  const toLine = (row: Row): Line => ({
    key: `${row.group} ${row.name}`,
    cells: shown.map(({ cell }) => cell(row)),
  })
  return (
    <div className="section">
      {title !== '' && <h3>{title}</h3>}
      <dl className="figures">
        {shown.map(
          ({ label, cell, figure }) =>
            figure && (
              <Figure
                key={label}
                label={label}
                value={cell(total)}
                change={formatChange(figure(total), figure(before))}
              />
            ),
        )}
      </dl>
      <DataTable
        label={title === '' ? t('Report') : title}
        columns={tableColumns}
        rows={rows.map(toLine)}
        getKey={({ key }) => key}
        total={toLine(total)}
      />
    </div>
  )
}

// A day is at noon the same in each time zone of its place.
const formatDays = ({ from, to }: Days) =>
  [...new Set([from, to])].map((day) => formatDate(`${day}T12:00:00`)).join(' – ')
