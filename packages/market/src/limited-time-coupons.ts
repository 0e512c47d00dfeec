import { NotFoundError, Text } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import { CouponOnShelf, withLimitedCoupon } from './coupon.ts'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, COUPON_CODE_TAKEN, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, putOnShelfFields, shelfQuery } from './sale-fields.ts'

/** List of collections that have something with a limited-time coupon on the shelf. */
export const collections = pagedGatewayOperation({
  id: 'limitedTimeCoupons.collections',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  item: SaleCollection,
})

/** Get information: one listing, whatever became of it. */
export const get = gatewayOperation({
  id: 'limitedTimeCoupons.get',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/info',
  source: 'name',
  scope: 'market:read',
  query: listingId,
  data: Listing,
  errors: [NotFoundError],
})

/** List of NFTs on the shelf: what can be ordered now, newest first unless `orderBy` says `payPrice` or `endTime`. */
export const list = pagedGatewayOperation({
  id: 'limitedTimeCoupons.list',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/list',
  source: 'name',
  scope: 'market:read',
  query: shelfQuery,
  item: Listing,
})

/** Put on the shelf with a coupon that has an end: until then every order is cheaper by it. */
export const putOnShelf = gatewayOperation({
  id: 'limitedTimeCoupons.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/limitedTimeCoupon/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: { ...putOnShelfFields, ...withLimitedCoupon },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE, COUPON_CODE_TAKEN],
})

/** Get by coupon code: what a code is good for. Codes of `couponCodes` are found as well. */
export const getByCode = gatewayOperation({
  id: 'limitedTimeCoupons.getByCode',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/code',
  source: 'name',
  scope: 'market:read',
  query: {
    /** Case does not matter. */
    couponCode: Text,
  },
  data: CouponOnShelf,
  errors: [NotFoundError],
})

/** Takes a listing off the shelf. Orders that are open keep what they reserved; again is the same answer. */
export const takeOffShelf = gatewayOperation({
  id: 'limitedTimeCoupons.takeOffShelf',
  method: 'POST',
  path: '/api/v1/market/limitedTimeCoupon/takeOffShelf',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: listingId,
  data: Listing,
  errors: [NotFoundError, LISTING_CLOSED],
})
