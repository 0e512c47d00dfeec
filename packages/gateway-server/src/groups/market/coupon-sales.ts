import { NotFoundError } from '@mintmark/envelope'
import { type COUPON_CODE_TAKEN, couponCodes, couponSales, limitedTimeCoupons } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import type { Refuse } from '@mintmark/server-kit'
import { type Db, implement } from '../../context.ts'
import { makeCoupon } from './coupon-making.ts'
import { couponOf } from './coupon-records.ts'
import { codeOf, refuseTerms } from './coupon-rules.ts'
import * as store from './coupons-store.ts'
import { listingOf } from './listing-records.ts'
import { shelfOfCoupon } from './listings-store.ts'
import { type PutContext, putOnShelf } from './put-on-shelf.ts'
import { COUPON_CODE, COUPON_SALE, LIMITED_TIME_COUPON } from './sale-rules.ts'
import { shelfHandlers } from './shelf-handlers.ts'

const NO_COUPON = 'There is no coupon with this code'

/** Puts on the shelf with a coupon of the listing's own. */
function withOwnCoupon(marketType: number) {
  return (
    { coupon: terms, ...input }: InputOf<typeof couponSales.putOnShelf>,
    context: PutContext & Refuse<typeof COUPON_CODE_TAKEN>,
  ) => {
    refuseTerms(terms, new Date(), 'coupon.', context.invalid)
    const coupon = async (trx: Db) =>
      (await makeCoupon(trx, { project: context.project, marketType, terms, count: 1 }, context)).coupon.id
    return putOnShelf(input, { marketType, coupon }, context)
  }
}

export const couponSaleRoutes = implement(couponSales, {
  ...shelfHandlers(COUPON_SALE),
  putOnShelf: withOwnCoupon(COUPON_SALE),
  putOnShelfLimited: withOwnCoupon(LIMITED_TIME_COUPON),
})

export const limitedTimeCouponRoutes = implement(limitedTimeCoupons, {
  ...shelfHandlers(LIMITED_TIME_COUPON),
  putOnShelf: withOwnCoupon(LIMITED_TIME_COUPON),

  async getByCode({ couponCode }, { db, project, refuse }) {
    const coupon = await store.findByCode(db, project, codeOf(couponCode))
    if (coupon === undefined) return refuse(NotFoundError, NO_COUPON)
    const rows = await shelfOfCoupon(db, project, coupon.id)
    const coupons = new Map([[coupon.id, coupon]])
    return { ...couponOf(coupon), listings: rows.map((row) => listingOf(row, coupons)) }
  },
})

export const couponCodeRoutes = implement(couponCodes, {
  ...shelfHandlers(COUPON_CODE),

  putOnShelf({ couponId, ...input }, context) {
    const coupon = async (trx: Db) => {
      const found = await store.find(trx, context.project, couponId)
      // A listing's own coupon is that listing's alone.
      if (found?.market_type !== COUPON_CODE)
        return context.refuse(NotFoundError, 'There is no coupon with this id')
      return found.id
    }
    return putOnShelf(input, { marketType: COUPON_CODE, coupon }, context)
  },

  async create({ count, ...terms }, context) {
    const { db, project, invalid } = context
    refuseTerms(terms, new Date(), '', invalid)
    if (terms.code !== undefined && count !== undefined) invalid('count', 'Expected either code or count')
    const asked = { project, marketType: COUPON_CODE, terms, count: count ?? 1 }
    const { coupon, codes } = await makeCoupon(db, asked, context)
    return { coupon: couponOf(coupon), codes }
  },
})
