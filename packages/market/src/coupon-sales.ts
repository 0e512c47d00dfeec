import { NotFoundError } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import { couponField, limitedCouponField } from './coupon.ts'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, COUPON_CODE_TAKEN, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, listingQuery, newListingFields } from './sale-fields.ts'

/**
 * Lists the collections with listings with a coupon, with their floor price and volume in base units.
 * `orderBy` accepts id, createTime and name.
 *
 * @example
 * for await (const { contract, floorPrice } of couponSales.collections.items(gateway)) console.log(contract.name, floorPrice)
 */
export const collections = pagedGatewayOperation({
  id: 'couponSales.collections',
  method: 'GET',
  path: '/api/v1/market/coupon/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  orders: ['id', 'createTime', 'name'],
  item: SaleCollection,
})
export type ListCouponSaleCollectionsInput = InputOf<typeof collections>

/**
 * Returns one listing in any status. NotFoundError if it does not exist.
 *
 * @example
 * const listing = await couponSales.get(gateway, { id: 7 })
 * console.log(listing.status, listing.remaining)
 */
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
export type GetCouponSaleInput = InputOf<typeof get>

/**
 * Lists listings with a coupon that can be ordered now. Newest first by default; `orderBy` accepts id,
 * createTime, payPrice and endTime.
 *
 * @example
 * for await (const listing of couponSales.list.items(gateway, { orderBy: 'payPrice' }))
 *   console.log(listing.nftName, listing.payPrice)
 */
export const list = pagedGatewayOperation({
  id: 'couponSales.list',
  method: 'GET',
  path: '/api/v1/market/coupon/list',
  source: 'name',
  scope: 'market:read',
  query: listingQuery,
  orders: ['id', 'createTime', 'payPrice', 'endTime'],
  item: Listing,
})
export type ListCouponSalesInput = InputOf<typeof list>

/**
 * Lists units of a token with a coupon that lowers the price of every order while it is valid.
 * `COUPON_CODE_TAKEN` if another coupon has its code. NotFoundError if the contract is not registered.
 * `NOT_ENOUGH_OWNED` if the seller has fewer available units.
 *
 * @example
 * const listing = await couponSales.putOnShelf(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   payPrice: '1000000000000000',
 *   coupon: { couponType: CouponType.PERCENT, value: '1000' },
 * })
 */
export const putOnShelf = gatewayOperation({
  id: 'couponSales.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/coupon/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: { ...newListingFields, ...couponField },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE, COUPON_CODE_TAKEN],
})
export type PutCouponSaleOnShelfInput = InputOf<typeof putOnShelf>

/**
 * Lists units of a token with a limited-time coupon, the same way as `limitedTimeCoupons.putOnShelf`. The
 * listing belongs to `limitedTimeCoupons`.
 *
 * @example
 * const listing = await couponSales.putOnShelfLimited(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   payPrice: '1000000000000000',
 *   coupon: { couponType: CouponType.PERCENT, value: '1000', endTime: '2026-12-31T23:59:59Z' },
 * })
 */
export const putOnShelfLimited = gatewayOperation({
  id: 'couponSales.putOnShelfLimited',
  method: 'POST',
  path: '/api/v1/market/coupon/putOnShelfLimited',
  source: 'name',
  scope: 'market:write',
  body: { ...newListingFields, ...limitedCouponField },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE, COUPON_CODE_TAKEN],
})
export type PutLimitedCouponSaleOnShelfInput = InputOf<typeof putOnShelfLimited>

/**
 * Closes a listing. Open orders keep their reservations. Idempotent: repeating the call returns the same
 * listing. NotFoundError if the listing does not exist. `LISTING_CLOSED` if it was sold or has expired.
 *
 * @example
 * await couponSales.takeOffShelf(gateway, { id: listing.id })
 */
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
export type TakeCouponSaleOffShelfInput = InputOf<typeof takeOffShelf>
