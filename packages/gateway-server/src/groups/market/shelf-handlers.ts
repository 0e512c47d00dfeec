import { NotFoundError, type Page } from '@mintmark/envelope'
import { type commonSales, LISTING_CLOSED, type Listing, type SaleCollection } from '@mintmark/market'
import type { DeclaredError, InputOf } from '@mintmark/operation'
import { pageOf, type Refuse, readPageQuery, transaction } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { COLLECTION_ORDERS, figuresOf, pageOfCollections } from './collections-store.ts'
import { couponsOf } from './coupons-store.ts'
import { collectionOf, listingOf, shownListing } from './listing-records.ts'
import * as listings from './listings-store.ts'

const NO_LISTING = 'There is no listing with this id'

type Input<Name extends keyof typeof commonSales> = InputOf<(typeof commonSales)[Name]>
type Context<Errors extends DeclaredError = never> = GatewayContext & Refuse<Errors>

/** What every kind of sale does with its listings; they differ by their market type alone. */
export function shelfHandlers(marketType: number) {
  return {
    async collections(
      input: Input<'collections'>,
      { db, project, invalid }: Context,
    ): Promise<Page<SaleCollection>> {
      const query = readPageQuery(input, COLLECTION_ORDERS, invalid)
      const found = await pageOfCollections(db, project, marketType, input.chainId, query)
      const addresses = found.rows.map((row) => row.nft_address)
      const figures = addresses.length === 0 ? [] : await figuresOf(db, project, marketType, addresses)
      return pageOf(query, found, (row) => collectionOf(row, figures))
    },

    async get(
      { id }: Input<'get'>,
      { db, project, refuse }: Context<typeof NotFoundError>,
    ): Promise<Listing> {
      const row = await listings.find(db, project, id)
      if (row?.market_type !== marketType) return refuse(NotFoundError, NO_LISTING)
      return await shownListing(db, row)
    },

    async list(input: Input<'list'>, { db, project, invalid }: Context): Promise<Page<Listing>> {
      const query = readPageQuery(input, listings.LISTING_ORDERS, invalid)
      const filter = {
        ...input,
        nftAddress: input.nftAddress?.toLowerCase(),
        seller: input.seller?.toLowerCase(),
        payTokenAddress: input.payTokenAddress?.toLowerCase(),
      }
      const found = await listings.pageOfShelf(db, project, marketType, filter, query)
      const coupons = await couponsOf(db, project, found.rows)
      return pageOf(query, found, (row) => listingOf(row, coupons))
    },

    async takeOffShelf(
      { id }: Input<'takeOffShelf'>,
      { db, project, refuse }: Context<typeof NotFoundError | typeof LISTING_CLOSED>,
    ): Promise<Listing> {
      return await transaction(db, async (trx) => {
        const known = await listings.find(trx, project, id)
        if (known?.market_type !== marketType) return refuse(NotFoundError, NO_LISTING)
        const closed = await listings.close(trx, project, id, 'OFF')
        if (closed !== undefined) return await shownListing(trx, closed)
        const row = await listings.find(trx, project, id)
        // Again is the same answer.
        return row?.status === 'OFF' ? await shownListing(trx, row) : refuse(LISTING_CLOSED)
      })
    },
  }
}
