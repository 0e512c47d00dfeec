import { NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { couponFields, limitedCouponField } from './coupon.ts'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, COUPON_CODE_TAKEN, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, listingQuery, newListingFields } from './sale-fields.ts'

const couponOnShelf = record({
  ...couponFields,
  /** The open listings that accept the coupon, newest first; at most 100. */
  listings: v.array(Listing),
})
/** A coupon with the open listings that accept it. */
export interface CouponOnShelf extends v.InferOutput<typeof couponOnShelf> {}
export const CouponOnShelf: Schema<CouponOnShelf> = couponOnShelf

/**
 * Lists the collections with listings with a limited-time coupon, with their floor price and volume in base
 * units. `orderBy` accepts id, createTime and name.
 *
 * @example
 * for await (const { contract, floorPrice } of limitedTimeCoupons.collections.items(gateway)) console.log(contract.name, floorPrice)
 */
export const collections = pagedGatewayOperation({
  id: 'limitedTimeCoupons.collections',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  orders: ['id', 'createTime', 'name'],
  item: SaleCollection,
})
export type ListLimitedTimeCouponSaleCollectionsInput = InputOf<typeof collections>

/**
 * Returns one listing in any status. NotFoundError if it does not exist.
 *
 * @example
 * const listing = await limitedTimeCoupons.get(gateway, { id: 7 })
 * console.log(listing.status, listing.remaining)
 */
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
export type GetLimitedTimeCouponSaleInput = InputOf<typeof get>

/**
 * Lists listings with a limited-time coupon that can be ordered now. Newest first by default; `orderBy`
 * accepts id, createTime, payPrice and endTime.
 *
 * @example
 * for await (const listing of limitedTimeCoupons.list.items(gateway, { orderBy: 'payPrice' }))
 *   console.log(listing.nftName, listing.payPrice)
 */
export const list = pagedGatewayOperation({
  id: 'limitedTimeCoupons.list',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/list',
  source: 'name',
  scope: 'market:read',
  query: listingQuery,
  orders: ['id', 'createTime', 'payPrice', 'endTime'],
  item: Listing,
})
export type ListLimitedTimeCouponSalesInput = InputOf<typeof list>

/**
 * Lists units of a token with a coupon that lowers the price of every order until its end.
 * `COUPON_CODE_TAKEN` if another coupon has its code. NotFoundError if the contract is not registered.
 * `NOT_ENOUGH_OWNED` if the seller has fewer available units.
 *
 * @example
 * const listing = await limitedTimeCoupons.putOnShelf(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   payPrice: '1000000000000000',
 *   coupon: { couponType: CouponType.PERCENT, value: '1000', endTime: '2026-12-31T23:59:59Z' },
 * })
 */
export const putOnShelf = gatewayOperation({
  id: 'limitedTimeCoupons.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/limitedTimeCoupon/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: { ...newListingFields, ...limitedCouponField },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE, COUPON_CODE_TAKEN],
})
export type PutLimitedTimeCouponOnShelfInput = InputOf<typeof putOnShelf>

/**
 * Returns the coupon that has a code, and the open listings that accept it. Finds codes of `couponCodes` too.
 * NotFoundError if no coupon has this code.
 *
 * @example
 * const coupon = await limitedTimeCoupons.getByCode(gateway, { couponCode: 'SPRING-2026' })
 * console.log(coupon.value, coupon.listings.length)
 */
export const getByCode = gatewayOperation({
  id: 'limitedTimeCoupons.getByCode',
  method: 'GET',
  path: '/api/v1/market/limitedTimeCoupon/code',
  source: 'name',
  scope: 'market:read',
  query: {
    /** The coupon's code; case does not matter. */
    couponCode: Text,
  },
  data: CouponOnShelf,
  errors: [NotFoundError],
})
export type GetCouponByCodeInput = InputOf<typeof getByCode>

/**
 * Closes a listing. Open orders keep their reservations. Idempotent: repeating the call returns the same
 * listing. NotFoundError if the listing does not exist. `LISTING_CLOSED` if it was sold or has expired.
 *
 * @example
 * await limitedTimeCoupons.takeOffShelf(gateway, { id: listing.id })
 */
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
export type TakeLimitedTimeCouponOffShelfInput = InputOf<typeof takeOffShelf>
