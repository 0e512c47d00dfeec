import { NotFoundError } from '@mintmark/envelope'
import { couponCodes, couponSales, type Listing, limitedTimeCoupons } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, type PreparedHandler, refusal, withPreparation } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { NEW_COUPON_CODE, POSITIVE_AMOUNT } from '../../../http/field-limits.ts'
import { toCoupon } from '../coupons/coupon-records.ts'
import { checkTerms } from '../coupons/coupon-rules.ts'
import * as store from '../coupons/coupons-store.ts'
import { createCoupon } from '../coupons/create-coupon.ts'
import { COUPON_CODE, COUPON_SALE, LIMITED_TIME_COUPON } from '../listing-rules.ts'
import type { MarketPorts } from '../market-ports.ts'
import { type CreateListingContext, createListing, listingLimits, prepareListing } from './create-listing.ts'
import { listingHandlers } from './listing-handlers.ts'
import { toListing } from './listing-records.ts'
import { listOpenWithCoupon } from './listings-store.ts'

const couponLimits: FieldLimits = {
  ...listingLimits,
  code: NEW_COUPON_CODE,
  value: POSITIVE_AMOUNT,
}
const implementCoupons = implementWithLimits<MarketPorts>(couponLimits)

type CouponSaleInput = InputOf<typeof couponSales.putOnShelf>

/** Creates a handler that creates a listing together with its coupon. */
function createListingWithCoupon(
  marketType: number,
): PreparedHandler<CouponSaleInput, CreateListingContext, Promise<Listing>> {
  return withPreparation(
    (input, context) => {
      checkTerms(input.coupon, new Date(context.now()), 'coupon.', context.invalid)
      return prepareListing(input, context)
    },
    (input, context, prepared) => {
      const terms = { marketType, terms: input.coupon, count: 1, wallet: context.caller.wallet }
      const coupon = async (trx: Tenant) => (await createCoupon(trx, terms)).coupon.id
      return createListing(input, { marketType, coupon }, context, prepared)
    },
  )
}

export const couponSaleRoutes = implementCoupons(couponSales, {
  ...listingHandlers(COUPON_SALE),
  putOnShelf: createListingWithCoupon(COUPON_SALE),
  putOnShelfLimited: createListingWithCoupon(LIMITED_TIME_COUPON),
})

export const limitedTimeCouponRoutes = implementCoupons(limitedTimeCoupons, {
  ...listingHandlers(LIMITED_TIME_COUPON),
  putOnShelf: createListingWithCoupon(LIMITED_TIME_COUPON),

  async getByCode({ couponCode }, context) {
    const { tenant } = context
    const coupon = ensureFound(await store.findByCode(tenant, couponCode), 'No coupon has this code')
    const rows = await listOpenWithCoupon(tenant, coupon.id)
    const coupons = new Map([[coupon.id, coupon]])
    return { ...toCoupon(coupon, context), listings: rows.map((row) => toListing(row, coupons, context)) }
  },
})

export const couponCodeRoutes = implementCoupons(couponCodes, {
  ...listingHandlers(COUPON_CODE),

  putOnShelf: withPreparation(prepareListing, (input, context, prepared) => {
    const coupon = async (trx: Tenant) => {
      const row = await store.find(trx, input.couponId)
      // A coupon that was created with a listing belongs to that listing only.
      if (row?.market_type !== COUPON_CODE) throw refusal(NotFoundError, 'No coupon has this id')
      return row.id
    }
    return createListing(input, { marketType: COUPON_CODE, coupon }, context, prepared)
  }),

  async create({ count, ...terms }, context) {
    const { tenant, invalid, caller } = context
    checkTerms(terms, new Date(context.now()), '', invalid)
    if (terms.code !== undefined && count !== undefined) invalid('count', 'Expected either code or count')
    const request = { marketType: COUPON_CODE, terms, count: count ?? 1, wallet: caller.wallet }
    const { coupon, codes } = await createCoupon(tenant, request)
    return { coupon: toCoupon(coupon, context), codes }
  },
})
