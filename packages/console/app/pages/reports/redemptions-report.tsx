import { type RedemptionsReportInput, type RedemptionsRow, reports } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Figure } from '../../components/figure.tsx'
import { formatChange, formatCount } from '../../format/number.ts'
import { getTimeZone } from '../../format/time.ts'
import { verificationTexts } from '../../texts/cards.ts'
import { reportTexts } from '../../texts/reports.ts'
import { formatGroup, getGroupKey, isComparable, toGroupCells, toGroupLabels } from './report-group.ts'
import { READ, type ReportChoice, ReportSection } from './report-section.tsx'

type By = RedemptionsReportInput['by']
const { redemptions: texts } = reportTexts
const reasonTexts: Readonly<Record<string, string>> = verificationTexts.reasons

/** Scans of cards in a period: accepted, undone and refused. */
export function RedemptionsReport({ by, days, before }: ReportChoice<By>): ReactNode {
  const timeZone = getTimeZone()
  return (
    <ReportSection
      title={`Redemptions by ${by}`}
      days={days}
      before={before}
      query={useOperation(reports.redemptions, { ...days, timeZone, by }, READ)}
      earlier={useOperation(reports.redemptions, { ...before, timeZone, by }, READ)}
      toRecords={(rows) => toRecords(by, rows)}
      empty={{
        icon: 'scanner',
        title: 'No cards were scanned in this period',
        advice: 'Choose other days, or see what was sold.',
        action: { label: 'Show sales', to: 'reports', search: { report: 'sales' }, isForReaders: true },
      }}
    >
      {(rows, earlier) => <Redemptions by={by} rows={rows} earlier={earlier} />}
    </ReportSection>
  )
}

/** What was accepted and not undone. */
const countRedeemed = ({ accepted, undone }: RedemptionsRow) => accepted - undone
const countRefused = ({ refused }: RedemptionsRow) => refused.reduce((sum, { count }) => sum + count, 0)
const countUndone = ({ undone }: RedemptionsRow) => undone

const figures = [
  [texts.redeemed, countRedeemed],
  [texts.undone, countUndone],
  [texts.refused, countRefused],
] as const

interface RedemptionsProps {
  readonly by: By
  readonly rows: readonly RedemptionsRow[]
  /** The rows of the period before. */
  readonly earlier: readonly RedemptionsRow[]
}

function Redemptions({ by, rows, earlier }: RedemptionsProps): ReactNode {
  const [total, before] = [addUp(rows), addUp(earlier)]
  return (
    <div className="report-part">
      <dl className="figures">
        {figures.map(([label, count]) => (
          <Figure
            key={label}
            label={label}
            value={formatCount(count(total))}
            change={formatChange(count(total), count(before))}
          />
        ))}
      </dl>
      <DataTable
        label="Redemptions"
        columns={listColumns(by, earlier)}
        rows={rows}
        getKey={getGroupKey}
        total={total}
      />
    </div>
  )
}

function addUp(rows: readonly RedemptionsRow[]): RedemptionsRow {
  const refused = new Map<string, number>()
  for (const { reason, count } of rows.flatMap((row) => row.refused))
    refused.set(reason, (refused.get(reason) ?? 0) + count)
  return {
    group: '',
    name: '',
    accepted: rows.reduce((sum, { accepted }) => sum + accepted, 0),
    undone: rows.reduce((sum, { undone }) => sum + undone, 0),
    refused: [...refused]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count),
  }
}

const nameReason = (reason: string) => reasonTexts[reason] ?? reason

function listColumns(by: By, earlier: readonly RedemptionsRow[]): Columns<RedemptionsRow> {
  const before = new Map(earlier.map((row) => [getGroupKey(row), countRedeemed(row)]))
  const count = (label: string, read: (row: RedemptionsRow) => number) =>
    ({ label, align: 'end', cell: (row: RedemptionsRow) => formatCount(read(row)) }) as const
  return {
    group: { label: reportTexts.by[by], cell: (row) => formatGroup(by, row) },
    accepted: texts.accepted,
    undone: texts.undone,
    _redeemed: count(texts.redeemed, countRedeemed),
    ...(isComparable(by) && {
      _change: {
        label: reportTexts.change,
        align: 'end',
        cell: (row) => formatChange(countRedeemed(row), before.get(getGroupKey(row)) ?? 0),
      },
    }),
    _refused: count(texts.refused, countRefused),
    refused: {
      label: texts.reasons,
      cell: ({ refused }) =>
        refused.map(({ reason, count: times }) => `${nameReason(reason)}: ${formatCount(times)}`).join(', '),
    },
  }
}

/** Lists the records of the file, with a column for each reason of the report. */
function toRecords(by: By, rows: readonly RedemptionsRow[]): readonly (readonly string[])[] {
  const reasons = addUp(rows).refused.map(({ reason }) => reason)
  const labels = reasons.map((reason) => `${texts.refused}: ${nameReason(reason)}`)
  return [
    [...toGroupLabels(by), texts.accepted, texts.undone, texts.redeemed, texts.refused, ...labels],
    ...rows.map((row) => [
      ...toGroupCells(by, row),
      ...[row.accepted, row.undone, countRedeemed(row), countRefused(row)].map(String),
      ...reasons.map((reason) => String(row.refused.find((each) => each.reason === reason)?.count ?? 0)),
    ]),
  ]
}
