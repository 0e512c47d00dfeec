import { NotFoundError } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import { Listing, SaleCollection } from './listing.ts'
import { CHAIN_UNREADABLE, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
import { collectionsQuery, listingId, putOnShelfFields, shelfQuery } from './sale-fields.ts'

/** List of ordinary sales contracts: the collections that have something on the shelf. */
export const collections = pagedGatewayOperation({
  id: 'commonSales.collections',
  method: 'GET',
  path: '/api/v1/market/common/collections',
  source: 'name',
  scope: 'market:read',
  query: collectionsQuery,
  item: SaleCollection,
})

/** Info on listed NFTs: one listing, whatever became of it. */
export const get = gatewayOperation({
  id: 'commonSales.get',
  method: 'GET',
  path: '/api/v1/market/common/info',
  source: 'name',
  scope: 'market:read',
  query: listingId,
  data: Listing,
  errors: [NotFoundError],
})

/** List of NFTs on the shelf: what can be ordered now, newest first unless `orderBy` says `payPrice` or `endTime`. */
export const list = pagedGatewayOperation({
  id: 'commonSales.list',
  method: 'GET',
  path: '/api/v1/market/common/list',
  source: 'name',
  scope: 'market:read',
  query: shelfQuery,
  item: Listing,
})

/** Put on the shelf for sale: promises so many of a token, which its owner can then not promise to anybody else. */
export const putOnShelf = gatewayOperation({
  id: 'commonSales.putOnShelf',
  method: 'POST',
  path: '/api/v1/market/common/putOnShelf',
  source: 'name',
  scope: 'market:write',
  body: putOnShelfFields,
  data: Listing,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})

/** Takes a listing off the shelf. Orders that are open keep what they reserved; again is the same answer. */
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
