import { NotFoundError, Text } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, putOnShelfFields, shelfQuery } from './sale-fields.ts'

/** List of collections that have something on the shelf for named wallets. */
export const collections = pagedGatewayOperation({
  id: 'specifiedSales.collections',
  method: 'GET',
  path: '/api/v1/market/specified/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  item: SaleCollection,
})

/** Get information: one listing, whatever became of it. */
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

/** List of NFTs on the shelf: what can be ordered now, newest first unless `orderBy` says `payPrice` or `endTime`. */
export const list = pagedGatewayOperation({
  id: 'specifiedSales.list',
  method: 'GET',
  path: '/api/v1/market/specified/list',
  source: 'name',
  scope: 'market:read',
  query: shelfQuery,
  item: Listing,
})

/** Put specified NFTs on the shelf for sale: only the wallets that are named may buy. */
export const putOnShelf = gatewayOperation({
  id: 'specifiedSales.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/specified/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: {
    ...putOnShelfFields,
    /** The wallets that may buy, 1 to 1,000. */
    reservedFor: v.pipe(
      v.array(Text),
      v.check((wallets) => wallets.length > 0 && wallets.length <= 1000, 'Expected 1 to 1000 wallets'),
    ),
  },
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})

/** Takes a listing off the shelf. Orders that are open keep what they reserved; again is the same answer. */
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
