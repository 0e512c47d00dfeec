import type { Auction } from '@mintmark/market'
import { type ReactNode, useCallback, useMemo } from 'react'
import { Chart } from '../../../components/chart.tsx'
import { toApproximateNumber } from '../../../format/amount.ts'
import { formatPayToken } from '../../../format/pay-token.ts'
import { formatTimeOfDay } from '../../../format/time.ts'
import { LOCALE } from '../../../language/locale.ts'
import { t } from '../../../language/translate.ts'

const figures = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 6 })

/** Shows the bids of an auction, oldest first. The values are rounded; the list of bids is exact. */
export function BidChart({ auction }: { readonly auction: Auction }): ReactNode {
  const { bids, bidCount, payTokenDecimals: decimals, payTokenAddress: address, chainId } = auction
  const { labels, series } = useMemo(() => {
    const oldestFirst = bids.toReversed()
    const first = bidCount - oldestFirst.length + 1
    const unit = formatPayToken(chainId, address)
    return {
      labels: oldestFirst.map(({ createTime }, index) => `${first + index} · ${formatTimeOfDay(createTime)}`),
      series: [
        {
          label: t('Bid in {unit}', { unit }),
          values: oldestFirst.map(({ amount }) => toApproximateNumber({ baseUnits: amount, decimals })),
        },
      ],
    }
  }, [bids, bidCount, chainId, address, decimals])
  const formatValue = useCallback((value: number) => figures.format(value), [])
  return (
    <Chart
      label={t('Bids over time')}
      labels={labels}
      axis={t('Bid')}
      series={series}
      formatValue={formatValue}
      height={200}
      hasPoints
    />
  )
}
