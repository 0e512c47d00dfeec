import { reports, type SalesReportInput, type SalesRow } from '@mintmark/admin'
import { useOperation } from '../../api/operations.ts'
import { formatAmount, toApproximateNumber, toPlainAmount } from '../../format/amount.ts'
import { formatPayToken, formatTokenWithChain } from '../../format/pay-token.ts'
import { getTimeZone } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { createCount, type Report, type ReportColumn } from './report-definition.ts'

type AmountField = 'paid' | 'refunded' | 'kept'

/** Paid orders with what was refunded of them, each token by itself. */
export const salesReport: Report<SalesRow> = {
  title: t('Sales'),
  description: t('Paid orders by the day on which they were placed. A refund counts with its order.'),
  useRows: (by, days) => {
    // The page offers only what the operation knows.
    const input = { ...days, timeZone: getTimeZone(), by: by as SalesReportInput['by'] }
    return useOperation(reports.sales, input, { staleTime: 0 })
  },
  columns: [
    { label: t('Chain'), value: ({ chainId }) => chainId, show: false },
    {
      label: t('Token'),
      value: ({ chainId, payTokenAddress }) => formatPayToken(chainId, payTokenAddress),
      show: false,
    },
    { label: t('Token address'), value: ({ payTokenAddress }) => payTokenAddress, show: false },
    createCount(t('Orders'), ({ orders }) => orders),
    createCount(t('Items sold'), ({ quantity }) => quantity, false),
    createAmount(t('Paid'), 'paid'),
    createAmount(t('Refunded'), 'refunded'),
    createAmount(t('Kept'), 'kept'),
  ],
  getPart: ({ chainId, payTokenAddress }) => `${chainId} ${payTokenAddress}`,
  namePart: ({ chainId, payTokenAddress }) => formatTokenWithChain(chainId, payTokenAddress),
  addUp: (rows, part) => {
    const sumOf = (field: AmountField) => String(rows.reduce((sum, row) => sum + BigInt(row[field]), 0n))
    return {
      ...part,
      orders: rows.reduce((sum, { orders }) => sum + orders, 0),
      quantity: rows.reduce((sum, { quantity }) => sum + quantity, 0),
      paid: sumOf('paid'),
      refunded: sumOf('refunded'),
      kept: sumOf('kept'),
    }
  },
  empty: {
    icon: 'orders',
    title: t('Nothing was sold in this period'),
    advice: t('Choose other days, or see what was redeemed.'),
    action: {
      label: t('Show redemptions'),
      to: 'reports',
      search: { report: 'redemptions' },
      isForReaders: true,
    },
  },
}

/** Creates a column of exact amounts in whole tokens. What was kept may be less than nothing. */
function createAmount(label: string, field: AmountField): ReportColumn<SalesRow> {
  const split = ({ payTokenDecimals: decimals, [field]: amount }: SalesRow) =>
    ({
      sign: amount.startsWith('-') ? '-' : '',
      digits: { baseUnits: amount.replace('-', ''), decimals },
    }) as const
  return {
    label,
    value: (row) => split(row).sign + toPlainAmount(split(row).digits),
    show: (row) => split(row).sign + formatAmount(split(row).digits),
    figure: (row) => (split(row).sign === '-' ? 0 : toApproximateNumber(split(row).digits)),
  }
}
