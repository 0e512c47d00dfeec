import type { Coupon } from '@mintmark/market'
import type { ReactNode } from 'react'
import { StatusBadge, type Statuses } from '../../../components/badge.tsx'
import { DetailList } from '../../../components/detail-list.tsx'
import { Time, useNow } from '../../../components/time.tsx'
import { formatCount } from '../../../format/number.ts'
import { t } from '../../../language/translate.ts'
import { couponsTexts } from '../../../texts/market.ts'
import { type CouponState, type FormatToken, formatDiscount, getCouponState } from './coupons.ts'

const { columns: headers } = couponsTexts

const states: Statuses<CouponState> = {
  upcoming: [t('Upcoming'), 'info'],
  valid: [t('Valid'), 'success'],
  ended: [t('Ended'), 'neutral'],
  usedUp: [t('Used up'), 'neutral'],
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
  return endTime === '' ? t('Never') : <Time value={endTime} />
}

/** Formats how often a coupon was used, and how often it can be. */
export function formatUses({ used, maxRedemptions }: Coupon): string {
  if (maxRedemptions === 0) return t('{used}, no limit', { used: formatCount(used) })
  return t('{used} of {maxRedemptions}', {
    used: formatCount(used),
    maxRedemptions: formatCount(maxRedemptions),
  })
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
      details={{
        [headers.status]: <CouponStatus coupon={coupon} />,
        [headers.discount]: formatDiscount(coupon, formatToken),
        [headers.uses]: formatUses(coupon),
        [headers.redeemed]: formatCount(redeemed),
        [t('Uses for each wallet')]: maxPerWallet === 0 ? t('No limit') : formatCount(maxPerWallet),
        [t('Minimum of an order')]: minimumAmount === '0' ? '' : formatToken(minimumAmount),
        [couponsTexts.codes]: code === '' ? '' : <code className="break">{code}</code>,
        [t('Valid from')]: <Time value={startTime} />,
        [headers.ends]: <CouponEnd coupon={coupon} />,
      }}
    />
  )
}
