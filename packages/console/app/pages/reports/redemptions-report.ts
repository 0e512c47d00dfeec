import { type RedemptionsReportInput, type RedemptionsRow, reports } from '@mintmark/admin'
import { useOperation } from '../../api/operations.ts'
import { formatCount } from '../../format/number.ts'
import { getTimeZone } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { verificationTexts } from '../../texts/cards.ts'
import { createCount, type Report } from './report-definition.ts'

const reasonTexts: Readonly<Record<string, string>> = verificationTexts.reasons
const nameReason = (reason: string) => reasonTexts[reason] ?? reason
const countReason = ({ refused }: RedemptionsRow, name: string) =>
  refused.find(({ reason }) => reason === name)?.count ?? 0

/** Scans of cards: accepted, undone and refused. */
export const redemptionsReport: Report<RedemptionsRow> = {
  title: t('Redemptions'),
  description: t('Scans of cards by the day on which they were made. An undone scan counts with its scan.'),
  useRows: (by, days) => {
    // The page offers only what the operation knows.
    const input = { ...days, timeZone: getTimeZone(), by: by as RedemptionsReportInput['by'] }
    return useOperation(reports.redemptions, input, { staleTime: 0 })
  },
  columns: [
    createCount(t('Accepted'), ({ accepted }) => accepted, false),
    createCount(t('Undone'), ({ undone }) => undone),
    createCount(t('Redeemed'), ({ accepted, undone }) => accepted - undone),
    createCount(t('Refused'), ({ refused }) => refused.reduce((sum, { count }) => sum + count, 0)),
    {
      label: t('Why refused'),
      isText: true,
      value: ({ refused }) =>
        refused.map(({ reason, count }) => `${nameReason(reason)}: ${formatCount(count)}`).join(', '),
    },
  ],
  getPart: () => '',
  namePart: () => '',
  addUp: (rows, part) => ({
    ...part,
    accepted: rows.reduce((sum, { accepted }) => sum + accepted, 0),
    undone: rows.reduce((sum, { undone }) => sum + undone, 0),
    refused: listReasons(rows).map((reason) => ({
      reason,
      count: rows.reduce((sum, row) => sum + countReason(row, reason), 0),
    })),
  }),
  empty: {
    icon: 'scanner',
    title: t('No cards were scanned in this period'),
    advice: t('Choose other days, or see what was sold.'),
    action: { label: t('Show sales'), to: 'reports', search: { report: 'sales' }, isForReaders: true },
  },
}

const listReasons = (rows: readonly RedemptionsRow[]) =>
  [...new Set(rows.flatMap(({ refused }) => refused.map(({ reason }) => reason)))].toSorted()
