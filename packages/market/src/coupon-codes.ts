import { Id, NotFoundError, Positive } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { couponTerms, MadeCoupon } from './coupon.ts'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, COUPON_CODE_TAKEN, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, putOnShelfFields, shelfQuery } from './sale-fields.ts'

/** List of collections that have something on the shelf that takes coupon codes. */
export const collections = pagedGatewayOperation({
  id: 'couponCodes.collections',
  method: 'GET',
  path: '/api/v1/market/couponCode/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  item: SaleCollection,
})

/** Get information: one listing, whatever became of it. */
export const get = gatewayOperation({
  id: 'couponCodes.get',
  method: 'GET',
  path: '/api/v1/market/couponCode/info',
  source: 'name',
  scope: 'market:read',
  query: listingId,
  data: Listing,
  errors: [NotFoundError],
})

/** List of NFTs on the shelf: what can be ordered now, newest first unless `orderBy` says `payPrice` or `endTime`. */
export const list = pagedGatewayOperation({
  id: 'couponCodes.list',
  method: 'GET',
  path: '/api/v1/market/couponCode/list',
  source: 'name',
  scope: 'market:read',
  query: shelfQuery,
  item: Listing,
})

/** Put on the shelf with preferential treatment: an order that names one of the coupon's codes is cheaper by it. */
export const putOnShelf = gatewayOperation({
  id: 'couponCodes.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/couponCode/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: {
    ...putOnShelfFields,
    /** The coupon's id, as `create` answered it. */
    couponId: Id,
  },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})

/**
 * Create a coupon with a code of your own, or with so many drawn ones. Whatever code is used, the coupon's limits count: give one code
 * to each buyer, or one to all.
 */
export const create = gatewayOperation({
  id: 'couponCodes.create',
  method: 'POST',
  path: '/api/v1/market/couponCode/create',
  source: 'name',
  scope: 'market:write',
  body: {
    ...couponTerms,
    /** How many codes are drawn, 1 to 10,000; default 1. Not together with `code`. */
    count: v.optional(v.pipe(Positive, v.maxValue(10_000, 'Expected an integer from 1 to 10000'))),
  },
  data: MadeCoupon,
  errors: [COUPON_CODE_TAKEN],
})

/** Takes a listing off the shelf. Orders that are open keep what they reserved; again is the same answer. */
export const takeOffShelf = gatewayOperation({
  id: 'couponCodes.takeOffShelf',
  method: 'POST',
  path: '/api/v1/market/couponCode/takeOffShelf',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: listingId,
  data: Listing,
  errors: [NotFoundError, LISTING_CLOSED],
})
