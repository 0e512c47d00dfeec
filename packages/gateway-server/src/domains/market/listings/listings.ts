import { commonSales, specifiedSales } from '@mintmark/market'
import { withPreparation } from '@mintmark/server-kit'
import { implementWithLimits } from '../../../http/context.ts'
import { COMMON_SALE, SPECIFIED_SALE } from '../listing-rules.ts'
import type { MarketPorts } from '../market-ports.ts'
import { createListing, listingLimits, prepareListing } from './create-listing.ts'
import { listingHandlers } from './listing-handlers.ts'

const implementListings = implementWithLimits<MarketPorts>(listingLimits)

export const commonSaleRoutes = implementListings(commonSales, {
  ...listingHandlers(COMMON_SALE),
  putOnShelf: withPreparation(prepareListing, (input, context, prepared) =>
    createListing(input, { marketType: COMMON_SALE }, context, prepared),
  ),
})

export const specifiedSaleRoutes = implementListings(specifiedSales, {
  ...listingHandlers(SPECIFIED_SALE),
  putOnShelf: withPreparation(
    (input, context) => {
      if (input.reservedFor.includes(input.seller))
        context.invalid('reservedFor', 'Expected other wallets than the seller')
      return prepareListing(input, context)
    },
    (input, context, prepared) => {
      const kind = { marketType: SPECIFIED_SALE, reservedFor: [...new Set(input.reservedFor)] }
      return createListing(input, kind, context, prepared)
    },
  ),
})
