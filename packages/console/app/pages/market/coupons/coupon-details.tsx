import type { Coupon } from '@mintmark/market'
import type { ReactNode } from 'react'
import { DetailList } from '../../../components/detail-list.tsx'
import { StatusBadge, type Statuses } from '../../../components/status-badge.tsx'
import { Time, useNow } from '../../../components/time.tsx'
import { formatCount } from '../../../format/number.ts'
import { couponsTexts } from '../../../texts/market.ts'
import { type CouponState, type FormatToken, formatDiscount, getCouponState } from './coupons.ts'

const { columns: headers } = couponsTexts

const states: Statuses<CouponState> = {
  upcoming: ['Upcoming', 'info'],
  valid: ['Valid', 'success'],
  ended: ['Ended', 'neutral'],
  usedUp: ['Used up', 'neutral'],
}

interface CouponProps {
  readonly coupon: Coupon
}

/** Shows whether a coupon can be used. */
export function CouponStatus({ coupon }: CouponProps): ReactNode {
  return <StatusBadge status={getCouponState(coupon, useNow())} statuses={states} />
}

/** Shows when a coupon ends. */
export function CouponEnd({ coupon: { endTime } }: CouponProps): ReactNode {
  return endTime === '' ? 'Never' : <Time value={endTime} />
}

/** Formats how often a coupon was used, and how often it can be. */
export function formatUses({ used, maxRedemptions }: Coupon): string {
  if (maxRedemptions === 0) return `${formatCount(used)}, no limit`
  return `${formatCount(used)} of ${formatCount(maxRedemptions)}`
}

interface CouponDetailsProps extends CouponProps {
  /** Formats the coupon's amounts. */
  readonly formatToken: FormatToken
}

/** Shows the terms and the uses of a coupon. */
export function CouponDetails({ coupon, formatToken }: CouponDetailsProps): ReactNode {
  const { code, redeemed, maxPerWallet, minimumAmount, startTime } = coupon
  return (
    <DetailList
      details={[
        { label: headers.status, value: <CouponStatus coupon={coupon} /> },
        { label: headers.discount, value: formatDiscount(coupon, formatToken) },
        { label: headers.uses, value: formatUses(coupon) },
        { label: headers.redeemed, value: formatCount(redeemed) },
        {
          label: 'Uses for each wallet',
          value: maxPerWallet === 0 ? 'No limit' : formatCount(maxPerWallet),
        },
        { label: 'Minimum of an order', value: minimumAmount === '0' ? '' : formatToken(minimumAmount) },
        { label: couponsTexts.codes, value: code === '' ? '' : <code className="break">{code}</code> },
        { label: 'Valid from', value: <Time value={startTime} /> },
        { label: headers.ends, value: <CouponEnd coupon={coupon} /> },
      ]}
    />
  )
}
