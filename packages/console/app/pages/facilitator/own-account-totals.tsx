import type { AccountTotals, AssetTotal, NetworkTotal, ResourceTotal } from '@mintmark/facilitator'
import type { ReactNode } from 'react'
import { Chart } from '../../components/chart.tsx'
import { alignEnd } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Figure } from '../../components/figure.tsx'
import { Notice } from '../../components/notice.tsx'
import { defineTable } from '../../components/table-section.tsx'
import { formatAmount } from '../../format/amount.ts'
import { formatChange, formatCompactCount, formatCount, formatQuantity } from '../../format/number.ts'
import { findWellKnownToken, formatPayToken } from '../../format/pay-token.ts'
import { formatDay } from '../../format/time.ts'
import { toChainId } from './facilitator-format.ts'
import { addUp, countDaysLeft, getBefore } from './own-account-figures.ts'
import { NativeAmount, PaymentAmount } from './payment-amount.tsx'

/** Revenue of each resource. */
const Resources = defineTable<ResourceTotal>({
  title: 'Revenue by resource',
  columns: {
    resource: {
      label: 'Resource',
      cell: ({ resource }) => <span className="break">{nameResource(resource)}</span>,
    },
    settled: 'Payments',
    total: alignEnd('Revenue', ({ total, ...token }: ResourceTotal) => (
      <PaymentAmount settlement={{ ...token, amount: total }} />
    )),
    network: 'Chain',
  },
  getKey: ({ network, asset, resource }) => `${network} ${asset} ${resource}`,
})

const nameResource = (resource: string) =>
  resource === '*' ? 'All others' : resource === '' ? 'Without a URL' : resource

/** The payments of each chain. */
const Networks = defineTable<NetworkTotal>({
  title: 'Payments by chain',
  columns: {
    network: 'Chain',
    settled: 'Settled',
    failed: 'Failed',
    unresolved: 'Unresolved',
    charged: alignEnd('Charged', ({ charged }: NetworkTotal) => <NativeAmount wei={charged} />),
  },
  getKey: ({ network }) => network,
})

interface OwnAccountTotalsProps {
  readonly totals: AccountTotals
  /** Those of twice as many days. Undefined until they are read. */
  readonly withBefore: AccountTotals | undefined
}

/** The business of an account in a period. */
export function OwnAccountTotals({ totals, withBefore }: OwnAccountTotalsProps): ReactNode {
  const { days, settled, failed, assets, resources, networks } = totals
  return (
    <>
      <Section title={`Last ${days.length} days`}>
        <dl className="figures">
          <Figure
            label="Settles left"
            value={formatCount(totals.settlesLeft)}
            note={totals.settlesLeft === 0 ? '' : formatDaysLeft(countDaysLeft(totals))}
          />
          <Figure
            label="Payments"
            value={formatCount(addUp(settled))}
            change={formatChange(addUp(settled), addUp(getBefore(withBefore?.settled ?? [])))}
          />
          {assets.slice(0, 2).map((asset) => (
            <RevenueFigure key={`${asset.network} ${asset.asset}`} asset={asset} withBefore={withBefore} />
          ))}
          <Figure label="Unresolved" value={formatCount(addUp(totals.unresolved))} />
        </dl>
        {addUp([...settled, ...failed]) > 0 && (
          <article className="panel stack-small">
            <h3>Payments</h3>
            <Chart
              label="Payments"
              // A day is at noon the same in each time zone of its place.
              labels={days.map((day) => formatDay(`${day}T12:00:00`))}
              series={[
                { label: 'Settled', values: settled, color: '--success' },
                { label: 'Failed', values: failed, color: '--danger', isDashed: true },
              ]}
              formatValue={formatCompactCount}
            />
          </article>
        )}
      </Section>
      <Resources rows={resources} />
      <Networks rows={networks} />
    </>
  )
}

interface RevenueFigureProps {
  readonly asset: AssetTotal
  readonly withBefore: AccountTotals | undefined
}

/** What was paid in an asset, and what refunds gave back of it. */
function RevenueFigure({
  asset: { network, asset, total, refunded },
  withBefore,
}: RevenueFigureProps): ReactNode {
  const chainId = toChainId(network)
  const decimals = findWellKnownToken(chainId, asset)?.decimals
  const same = withBefore?.assets.find((each) => each.network === network && each.asset === asset)
  const format = (amount: string) =>
    decimals === undefined ? amount : formatAmount({ baseUnits: amount, decimals })
  const notes = [
    decimals === undefined && 'base units of the token',
    refunded !== '0' && `${format(refunded)} refunded`,
  ]
  return (
    <Figure
      label={`Revenue in ${formatPayToken(chainId, asset)}`}
      note={notes.filter((note) => note !== false).join(', ')}
      value={format(total)}
      change={formatChange(Number(total), addUp(getBefore(same?.amounts ?? []).map(Number)))}
    />
  )
}

/** Says why nothing can be settled, or will soon not be. Nothing while all is well. */
export function BalanceNotice({ totals }: { readonly totals: AccountTotals }): ReactNode {
  const daysLeft = countDaysLeft(totals) ?? Number.POSITIVE_INFINITY
  const isUsedUp = totals.settlesLeft === 0
  if (!isUsedUp && daysLeft > ENOUGH_DAYS) return null
  return (
    <div className="section">
      <Notice
        tone={isUsedUp ? 'danger' : 'warning'}
        title={
          isUsedUp ? 'Nothing can be settled' : `Only ${formatCount(totals.settlesLeft)} settles are left`
        }
        advice={findAdvice(totals)}
      />
    </div>
  )
}

/** A balance for more days is no news. */
const ENOUGH_DAYS = 7

/** Says what limits the settles that are left. */
function findAdvice({ isFrozen, balance, quotaRemaining, settlePrice }: AccountTotals): string {
  if (isFrozen) return 'The account is frozen. Ask the operator of the facilitator why.'
  if (BigInt(balance) < BigInt(settlePrice)) return 'The balance is used up. Top up, as below.'
  if (quotaRemaining === undefined)
    return 'Sign a quota with your wallet (payerQuotas.register): without one nothing is charged.'
  if (BigInt(quotaRemaining) < BigInt(balance))
    return 'Sign a larger quota with your wallet (payerQuotas.register). The balance pays for more.'
  return 'Top up, as below, before your callers are refused.'
}

function formatDaysLeft(days: number | undefined): string {
  if (days === undefined) return ''
  const time = days === 0 ? 'less than a day' : formatQuantity(days, { one: 'day', other: 'days' })
  return `${time} at the rate of the last week`
}
