import { Id, NotFoundError, Positive } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { couponTerms, MadeCoupon } from './coupon.ts'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, COUPON_CODE_TAKEN, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, listingQuery, newListingFields } from './sale-fields.ts'

/**
 * Lists the collections with listings that accept coupon codes, with their floor price and volume in base
 * units. `orderBy` accepts id, createTime and name.
 *
 * @example
 * for await (const { contract, floorPrice } of couponCodes.collections.items(gateway)) console.log(contract.name, floorPrice)
 */
export const collections = pagedGatewayOperation({
  id: 'couponCodes.collections',
  method: 'GET',
  path: '/api/v1/market/couponCode/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  orders: ['id', 'createTime', 'name'],
  item: SaleCollection,
})
export type ListCouponCodeSaleCollectionsInput = InputOf<typeof collections>

/**
 * Returns one listing in any status. NotFoundError if it does not exist.
 *
 * @example
 * const listing = await couponCodes.get(gateway, { id: 7 })
 * console.log(listing.status, listing.remaining)
 */
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
export type GetCouponCodeSaleInput = InputOf<typeof get>

/**
 * Lists listings that accept coupon codes that can be ordered now. Newest first by default; `orderBy` accepts
 * id, createTime, payPrice and endTime.
 *
 * @example
 * for await (const listing of couponCodes.list.items(gateway, { orderBy: 'payPrice' }))
 *   console.log(listing.nftName, listing.payPrice)
 */
export const list = pagedGatewayOperation({
  id: 'couponCodes.list',
  method: 'GET',
  path: '/api/v1/market/couponCode/list',
  source: 'name',
  scope: 'market:read',
  query: listingQuery,
  orders: ['id', 'createTime', 'payPrice', 'endTime'],
  item: Listing,
})
export type ListCouponCodeSalesInput = InputOf<typeof list>

/**
 * Lists units of a token at a price that is lower for orders with one of the coupon's codes. NotFoundError if
 * the contract is not registered. `NOT_ENOUGH_OWNED` if the seller has fewer available units.
 *
 * @example
 * const listing = await couponCodes.putOnShelf(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   payPrice: '1000000000000000',
 *   couponId: 3,
 * })
 */
export const putOnShelf = gatewayOperation({
  id: 'couponCodes.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/couponCode/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: {
    ...newListingFields,
    /** The id of a coupon that `create` returned. */
    couponId: Id,
  },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})
export type PutCouponCodeSaleOnShelfInput = InputOf<typeof putOnShelf>

/**
 * Creates a coupon with your own code, or with `count` generated codes. The coupon's limits apply to all its
 * codes together, so you can give each buyer a different code or all buyers the same one. `COUPON_CODE_TAKEN`
 * if another coupon has the code.
 *
 * @example
 * const { coupon, codes } = await couponCodes.create(gateway, { couponType: CouponType.PERCENT, value: '1000', count: 50 })
 * console.log(coupon.id, codes)
 */
export const create = gatewayOperation({
  id: 'couponCodes.create',
  method: 'POST',
  path: '/api/v1/market/couponCode/create',
  source: 'name',
  scope: 'market:write',
  body: {
    ...couponTerms,
    /** The number of generated codes, 1 to 10,000. Cannot be combined with `code`. Default: 1. */
    count: v.optional(v.pipe(Positive, v.maxValue(10_000, 'Expected an integer from 1 to 10000'))),
  },
  data: MadeCoupon,
  errors: [COUPON_CODE_TAKEN],
})
export type CreateCouponInput = InputOf<typeof create>

/**
 * Closes a listing. Open orders keep their reservations. Idempotent: repeating the call returns the same
 * listing. NotFoundError if the listing does not exist. `LISTING_CLOSED` if it was sold or has expired.
 *
 * @example
 * await couponCodes.takeOffShelf(gateway, { id: listing.id })
 */
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
export type TakeCouponCodeSaleOffShelfInput = InputOf<typeof takeOffShelf>
