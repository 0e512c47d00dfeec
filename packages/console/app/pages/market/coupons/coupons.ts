import { type Coupon, CouponType, type Listing } from '@mintmark/market'
import { useFeedRecords } from '../../../api/feed-records.ts'
import type { Option } from '../../../components/field.tsx'
import { formatTokenAmount } from '../../../components/token-amount.tsx'
import { formatAmount } from '../../../format/amount.ts'
import { t } from '../../../language/translate.ts'
import { couponsTexts } from '../../../texts/market.ts'

/** The coupons whose codes buyers enter, as opposed to those of a single listing. */
const WITH_CODES = 4

/** The coupons of a project. */
interface Coupons {
  /** The coupons with codes that have not ended, for a field that selects one. */
  readonly options: readonly Option[]
  readonly isLoaded: boolean
  /** Returns how the amounts of a coupon are formatted. */
  readonly getFormat: (coupon: Coupon) => FormatToken
}

/** Formats an amount of a coupon, in base units, as people read it. */
export type FormatToken = (baseUnits: string) => string

/** Reads the coupons of the project from their events: the gateway has no list of coupons. */
export function useCoupons(): Coupons {
  const query = useFeedRecords({ group: 'couponCodes', types: 'coupon.*' })
  const sales = useFeedRecords({ group: 'couponSales', types: 'listing.*' })
  const listings = groupByCoupon((sales.data?.list ?? []).map(({ data }) => data as Listing))
  const getFormat = ({ id }: Coupon) => createFormat(listings.get(id) ?? [])
  // The types are those of events whose data is a coupon, and above a listing.
  const list = (query.data?.list ?? []).map(({ data }) => data as Coupon)
  const now = Date.now()
  const selectable = list.filter(
    (coupon) => coupon.marketType === WITH_CODES && getCouponState(coupon, now) !== 'ended',
  )
  const options = selectable.map((coupon) => ({
    value: String(coupon.id),
    label: `${couponsTexts.couponNo(coupon.id)}: ${formatDiscount(coupon, getFormat(coupon))}`,
  }))
  return { options, isLoaded: query.data !== undefined, getFormat }
}

/** Groups listings by the coupon that they accept. */
function groupByCoupon(listings: readonly Listing[]): ReadonlyMap<number, readonly Listing[]> {
  const groups = new Map<number, Listing[]>()
  for (const listing of listings) {
    const { id } = listing.coupon
    if (id === undefined) continue
    groups.set(id, [...(groups.get(id) ?? []), listing])
  }
  return groups
}

/**
 * Creates the format of a coupon's amounts: in the token of the listings that accept the coupon. Without a
 * listing, or with listings in different tokens, the amounts are in base units.
 */
export function createFormat(
  listings: readonly Pick<Listing, 'chainId' | 'payTokenAddress' | 'payTokenDecimals'>[],
): FormatToken {
  const tokens = new Map(
    listings.map((listing) => [`${listing.chainId} ${listing.payTokenAddress.toLowerCase()}`, listing]),
  )
  const [token] = tokens.values()
  if (token === undefined || tokens.size > 1) return formatBaseUnits
  const { chainId, payTokenAddress, payTokenDecimals: decimals } = token
  return (baseUnits) => formatTokenAmount({ chainId, payTokenAddress, decimals, baseUnits })
}

export type CouponState = 'upcoming' | 'valid' | 'ended' | 'usedUp'

/**
 * Returns whether a coupon can be used.
 *
 * @param now Milliseconds since the epoch.
 */
export function getCouponState(coupon: Coupon, now: number): CouponState {
  const { startTime, endTime, maxRedemptions, used } = coupon
  if (new Date(startTime).getTime() > now) return 'upcoming'
  if (endTime !== '' && new Date(endTime).getTime() <= now) return 'ended'
  return maxRedemptions > 0 && used >= maxRedemptions ? 'usedUp' : 'valid'
}

/** Formats an amount of a token that is not known. */
function formatBaseUnits(baseUnits: string): string {
  return t('{value} base units of the listing’s token', { value: formatAmount({ baseUnits, decimals: 0 }) })
}

/** Formats what a coupon does. */
export function formatDiscount(
  { couponType, value }: Pick<Coupon, 'couponType' | 'value'>,
  formatToken: FormatToken = formatBaseUnits,
): string {
  switch (couponType) {
    case CouponType.PERCENT:
      return t('{value}% off', { value: formatAmount({ baseUnits: value, decimals: 2 }) })
    case CouponType.AMOUNT_OFF:
      return t('{value} off an order', { value: formatToken(value) })
    case CouponType.FIXED_PRICE:
      return t('{value} for one unit', { value: formatToken(value) })
    default:
      return value
  }
}
