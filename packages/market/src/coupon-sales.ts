import { NotFoundError } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import { withCoupon, withLimitedCoupon } from './coupon.ts'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, COUPON_CODE_TAKEN, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, putOnShelfFields, shelfQuery } from './sale-fields.ts'

/** List of collections that have something with a coupon on the shelf. */
export const collections = pagedGatewayOperation({
  id: 'couponSales.collections',
  method: 'GET',
  path: '/api/v1/market/coupon/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  item: SaleCollection,
})

/** Get information: one listing, whatever became of it. */
export const get = gatewayOperation({
  id: 'couponSales.get',
  method: 'GET',
  path: '/api/v1/market/coupon/info',
  source: 'name',
  scope: 'market:read',
  query: listingId,
  data: Listing,
  errors: [NotFoundError],
})

/** List of NFTs on the shelf: what can be ordered now, newest first unless `orderBy` says `payPrice` or `endTime`. */
export const list = pagedGatewayOperation({
  id: 'couponSales.list',
  method: 'GET',
  path: '/api/v1/market/coupon/list',
  source: 'name',
  scope: 'market:read',
  query: shelfQuery,
  item: Listing,
})

/** Put on the shelf with preferential treatment: every order is cheaper by the coupon, as long as it is good. */
export const putOnShelf = gatewayOperation({
  id: 'couponSales.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/coupon/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: { ...putOnShelfFields, ...withCoupon },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE, COUPON_CODE_TAKEN],
})

/** Put on the shelf with a limited-time coupon: a listing of `limitedTimeCoupons`, as its `putOnShelf` makes it. */
export const putOnShelfLimited = gatewayOperation({
  id: 'couponSales.putOnShelfLimited',
  method: 'POST',
  path: '/api/v1/market/coupon/putOnShelfLimited',
  source: 'name',
  scope: 'market:write',
  body: { ...putOnShelfFields, ...withLimitedCoupon },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE, COUPON_CODE_TAKEN],
})

/** Takes a listing off the shelf. Orders that are open keep what they reserved; again is the same answer. */
export const takeOffShelf = gatewayOperation({
  id: 'couponSales.takeOffShelf',
  method: 'POST',
  path: '/api/v1/market/coupon/takeOffShelf',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: listingId,
  data: Listing,
  errors: [NotFoundError, LISTING_CLOSED],
})
