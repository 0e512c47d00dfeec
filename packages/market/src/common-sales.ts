import { NotFoundError } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, listingQuery, newListingFields } from './sale-fields.ts'

/**
 * Lists the collections with listings, with their floor price and volume in base units. `orderBy` accepts id,
 * createTime and name.
 *
 * @example
 * for await (const { contract, floorPrice } of commonSales.collections.items(gateway)) console.log(contract.name, floorPrice)
 */
export const collections = pagedGatewayOperation({
  id: 'commonSales.collections',
  method: 'GET',
  path: '/api/v1/market/common/collections',
  source: 'name',
  scope: 'market:read',
  publishable: true,
  query: collectionsQuery,
  orders: ['id', 'createTime', 'name'],
  item: SaleCollection,
})
export type ListCommonSaleCollectionsInput = InputOf<typeof collections>

/**
 * Returns one listing in any status. NotFoundError if it does not exist.
 *
 * @example
 * const listing = await commonSales.get(gateway, { id: 7 })
 * console.log(listing.status, listing.remaining)
 */
export const get = gatewayOperation({
  id: 'commonSales.get',
  method: 'GET',
  path: '/api/v1/market/common/info',
  source: 'name',
  scope: 'market:read',
  publishable: true,
  query: listingId,
  data: Listing,
  errors: [NotFoundError],
})
export type GetCommonSaleInput = InputOf<typeof get>

/**
 * Lists listings that can be ordered now. Newest first by default; `orderBy` accepts id, createTime, payPrice
 * and endTime.
 *
 * @example
 * for await (const listing of commonSales.list.items(gateway, { orderBy: 'payPrice' }))
 *   console.log(listing.nftName, listing.payPrice)
 */
export const list = pagedGatewayOperation({
  id: 'commonSales.list',
  method: 'GET',
  path: '/api/v1/market/common/list',
  source: 'name',
  scope: 'market:read',
  publishable: true,
  query: listingQuery,
  orders: ['id', 'createTime', 'payPrice', 'endTime'],
  item: Listing,
})
export type ListCommonSalesInput = InputOf<typeof list>

/**
 * Lists units of a token at a price in base units, and reserves them for the listing. NotFoundError if the
 * contract is not registered. `NOT_ENOUGH_OWNED` if the seller has fewer available units.
 *
 * @example
 * const listing = await commonSales.putOnShelf(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   payPrice: '1000000000000000',
 * })
 */
export const putOnShelf = gatewayOperation({
  id: 'commonSales.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/common/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: newListingFields,
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})
export type PutCommonSaleOnShelfInput = InputOf<typeof putOnShelf>

/**
 * Closes a listing. Open orders keep their reservations. Idempotent: repeating the call returns the same
 * listing. NotFoundError if the listing does not exist. `LISTING_CLOSED` if it was sold or has expired.
 *
 * @example
 * await commonSales.takeOffShelf(gateway, { id: listing.id })
 */
export const takeOffShelf = gatewayOperation({
  id: 'commonSales.takeOffShelf',
  method: 'POST',
  path: '/api/v1/market/common/takeOffShelf',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: listingId,
  data: Listing,
  errors: [NotFoundError, LISTING_CLOSED],
})
export type TakeCommonSaleOffShelfInput = InputOf<typeof takeOffShelf>
