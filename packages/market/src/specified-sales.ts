import { NotFoundError, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, listingQuery, newListingFields } from './sale-fields.ts'

/**
 * Lists the collections with listings for specified wallets, with their floor price and volume in base units.
 * `orderBy` accepts id, createTime and name.
 *
 * @example
 * for await (const { contract, floorPrice } of specifiedSales.collections.items(gateway)) console.log(contract.name, floorPrice)
 */
export const collections = pagedGatewayOperation({
  id: 'specifiedSales.collections',
  method: 'GET',
  path: '/api/v1/market/specified/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  orders: ['id', 'createTime', 'name'],
  item: SaleCollection,
})
export type ListSpecifiedSaleCollectionsInput = InputOf<typeof collections>

/**
 * Returns one listing in any status. NotFoundError if it does not exist.
 *
 * @example
 * const listing = await specifiedSales.get(gateway, { id: 7 })
 * console.log(listing.status, listing.remaining)
 */
export const get = gatewayOperation({
  id: 'specifiedSales.get',
  method: 'GET',
  path: '/api/v1/market/specified/info',
  source: 'name',
  scope: 'market:read',
  query: listingId,
  data: Listing,
  errors: [NotFoundError],
})
export type GetSpecifiedSaleInput = InputOf<typeof get>

/**
 * Lists listings for specified wallets that can be ordered now. Newest first by default; `orderBy` accepts
 * id, createTime, payPrice and endTime.
 *
 * @example
 * for await (const listing of specifiedSales.list.items(gateway, { orderBy: 'payPrice' }))
 *   console.log(listing.nftName, listing.payPrice)
 */
export const list = pagedGatewayOperation({
  id: 'specifiedSales.list',
  method: 'GET',
  path: '/api/v1/market/specified/list',
  source: 'name',
  scope: 'market:read',
  query: listingQuery,
  orders: ['id', 'createTime', 'payPrice', 'endTime'],
  item: Listing,
})
export type ListSpecifiedSalesInput = InputOf<typeof list>

/**
 * Lists units of a token for specified wallets, which are the only ones that can buy. NotFoundError if the
 * contract is not registered. `NOT_ENOUGH_OWNED` if the seller has fewer available units.
 *
 * @example
 * const listing = await specifiedSales.putOnShelf(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   payPrice: '1000000000000000',
 *   reservedFor: ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
 * })
 */
export const putOnShelf = gatewayOperation({
  id: 'specifiedSales.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/specified/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: {
    ...newListingFields,
    /** The wallets that can buy, 1 to 1,000. */
    reservedFor: v.pipe(
      v.array(Text),
      v.check((wallets) => wallets.length > 0 && wallets.length <= 1000, 'Expected 1 to 1000 wallets'),
    ),
  },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})
export type PutSpecifiedSaleOnShelfInput = InputOf<typeof putOnShelf>

/**
 * Closes a listing. Open orders keep their reservations. Idempotent: repeating the call returns the same
 * listing. NotFoundError if the listing does not exist. `LISTING_CLOSED` if it was sold or has expired.
 *
 * @example
 * await specifiedSales.takeOffShelf(gateway, { id: listing.id })
 */
export const takeOffShelf = gatewayOperation({
  id: 'specifiedSales.takeOffShelf',
  method: 'POST',
  path: '/api/v1/market/specified/takeOffShelf',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: listingId,
  data: Listing,
  errors: [NotFoundError, LISTING_CLOSED],
})
export type TakeSpecifiedSaleOffShelfInput = InputOf<typeof takeOffShelf>
