import { reports, type SalesReportInput, type SalesRow } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Figure } from '../../components/figure.tsx'
import { formatChange, formatCount } from '../../format/number.ts'
import { formatPayToken } from '../../format/pay-token.ts'
import { getTimeZone } from '../../format/time.ts'
import { reportTexts } from '../../texts/reports.ts'
import { formatGroup, getGroupKey, isComparable, toGroupCells, toGroupLabels } from './report-group.ts'
import { READ, type ReportChoice, ReportSection } from './report-section.tsx'
import { addUp, formatSum, listTokenSales, selectToken, type TokenSales, toNumber } from './sales.ts'

type By = SalesReportInput['by']
const { sales: texts } = reportTexts

/** Paid orders of a period with what was refunded of them, each token by itself. */
export function SalesReport({ by, days, before }: ReportChoice<By>): ReactNode {
  const timeZone = getTimeZone()
  return (
    <ReportSection
      title={`Sales by ${by}`}
      days={days}
      before={before}
      query={useOperation(reports.sales, { ...days, timeZone, by }, READ)}
      earlier={useOperation(reports.sales, { ...before, timeZone, by }, READ)}
      toRecords={(rows) => toRecords(by, rows)}
      empty={{
        icon: 'orders',
        title: 'Nothing was sold in this period',
        advice: 'Choose other days, or see what was redeemed.',
        action: {
          label: 'Show redemptions',
          to: 'reports',
          search: { report: 'redemptions' },
          isForReaders: true,
        },
      }}
    >
      {(rows, earlier) =>
        listTokenSales(rows).map((sales) => (
          <TokenSalesView
            key={sales.token}
            by={by}
            sales={sales}
            earlier={selectToken(earlier, sales.total)}
          />
        ))
      }
    </ReportSection>
  )
}

interface TokenSalesProps {
  readonly by: By
  readonly sales: TokenSales
  /** The rows of the period before, in the same token. */
  readonly earlier: readonly SalesRow[]
}

function TokenSalesView({ by, sales: { token, rows, total }, earlier }: TokenSalesProps): ReactNode {
  const before = addUp(earlier, total)
  const amounts = ['paid', 'refunded', 'kept'] as const
  return (
    <article className="report-part" aria-label={`Sales in ${token}`}>
      <h3>{token}</h3>
      <dl className="figures">
        <Figure
          label={texts.orders}
          value={formatCount(total.orders)}
          change={formatChange(total.orders, before.orders)}
        />
        {amounts.map((field) => (
          <Figure
            key={field}
            label={texts[field]}
            value={formatSum(total, total[field])}
            change={formatChange(toNumber(total, total[field]), toNumber(before, before[field]))}
          />
        ))}
      </dl>
      <DataTable
        label={`Sales in ${token}`}
        columns={listColumns(by, earlier)}
        rows={rows}
        getKey={getGroupKey}
        total={total}
      />
    </article>
  )
}

function listColumns(by: By, earlier: readonly SalesRow[]): Columns<SalesRow> {
  const paidBefore = new Map(earlier.map((row) => [getGroupKey(row), toNumber(row, row.paid)]))
  const amount = (field: 'paid' | 'refunded' | 'kept') =>
    ({ label: texts[field], align: 'end', cell: (row: SalesRow) => formatSum(row, row[field]) }) as const
  return {
    group: { label: reportTexts.by[by], cell: (row) => formatGroup(by, row) },
    orders: texts.orders,
    quantity: texts.quantity,
    paid: amount('paid'),
    refunded: amount('refunded'),
    kept: amount('kept'),
    ...(isComparable(by) && {
      _change: {
        label: reportTexts.change,
        align: 'end',
        cell: (row) => formatChange(toNumber(row, row.paid), paidBefore.get(getGroupKey(row)) ?? 0),
      },
    }),
  }
}

/** Lists the records of the file. Amounts are exact, in whole tokens. */
function toRecords(by: By, rows: readonly SalesRow[]): readonly (readonly string[])[] {
  const amounts = ['paid', 'refunded', 'kept'] as const
  return [
    [
      ...toGroupLabels(by),
      'Chain',
      'Token',
      'Token address',
      texts.orders,
      texts.quantity,
      ...amounts.map((field) => texts[field]),
    ],
    ...rows.map((row) => [
      ...toGroupCells(by, row),
      row.chainId,
      formatPayToken(row.chainId, row.payTokenAddress),
      row.payTokenAddress,
      String(row.orders),
      String(row.quantity),
      ...amounts.map((field) => formatSum(row, row[field]).replaceAll(',', '')),
    ]),
  ]
}
