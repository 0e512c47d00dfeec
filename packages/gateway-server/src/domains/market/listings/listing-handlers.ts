import { NotFoundError, type Page } from '@mintmark/envelope'
import { type commonSales, LISTING_CLOSED, type Listing, type SaleCollection } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type Refuse, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { toReferenceFilter } from '../../../database/references.ts'
import type { GatewayContext } from '../../../http/context.ts'
import { findCoupons } from '../coupons/coupons-store.ts'
import { COLLECTION_ORDERS, listCollections, listTokenStatistics } from './collections-store.ts'
import { toListing, toListingWithCoupon, toSaleCollection } from './listing-records.ts'
import * as listings from './listings-store.ts'

const NO_LISTING = 'No listing has this id'

type Input<Name extends keyof typeof commonSales> = InputOf<(typeof commonSales)[Name]>
type Context = GatewayContext & Refuse

/** The handlers that all market types of listings have. */
export function listingHandlers(marketType: number) {
  return {
    async collections(
      input: Input<'collections'>,
      { tenant, invalid }: Context,
    ): Promise<Page<SaleCollection>> {
      const query = readPageQuery(input, COLLECTION_ORDERS, invalid)
      const page = await listCollections(tenant, marketType, input.chainId, query)
      const addresses = page.rows.map((row) => row.nft_address)
      const statistics =
        addresses.length === 0 ? [] : await listTokenStatistics(tenant, marketType, addresses)
      return toPage(query, page, (row) => toSaleCollection(row, statistics))
    },

    async get({ id }: Input<'get'>, context: Context): Promise<Listing> {
      const { tenant } = context
      const row = await listings.find(tenant, id)
      if (row?.market_type !== marketType) throw refusal(NotFoundError, NO_LISTING)
      return await toListingWithCoupon(tenant, row, context)
    },

    async list(input: Input<'list'>, context: Context): Promise<Page<Listing>> {
      const { tenant, invalid } = context
      const query = readPageQuery(input, listings.LISTING_ORDERS, invalid)
      const references = toReferenceFilter(input.reference, context)
      const page = await listings.listOpen(tenant, marketType, { ...input, references }, query)
      const coupons = await findCoupons(tenant, page.rows)
      return toPage(query, page, (row) => toListing(row, coupons, context))
    },

    async takeOffShelf({ id }: Input<'takeOffShelf'>, context: Context): Promise<Listing> {
      const { tenant } = context
      return await tenant.transaction(async (trx) => {
        const listing = await listings.find(trx, id)
        if (listing?.market_type !== marketType) throw refusal(NotFoundError, NO_LISTING)
        const closed = await listings.close(trx, id, 'OFF')
        if (closed !== undefined) return await toListingWithCoupon(trx, closed, context)
        const row = await listings.find(trx, id)
        // Idempotent: repeating the call returns the same listing.
        if (row?.status !== 'OFF') throw refusal(LISTING_CLOSED)
        return await toListingWithCoupon(trx, row, context)
      })
    },
  }
}
