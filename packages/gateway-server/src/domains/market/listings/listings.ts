import { commonSales, specifiedSales } from '@mintmark/market'
import { implementWithLimits } from '../../../http/context.ts'
import { createListing, listingLimits } from './create-listing.ts'
import { listingHandlers } from './listing-handlers.ts'
import { COMMON_SALE, SPECIFIED_SALE } from './listing-rules.ts'

const implementListings = implementWithLimits(listingLimits)

export const commonSaleRoutes = implementListings(commonSales, {
  ...listingHandlers(COMMON_SALE),
  putOnShelf: (input, context) => createListing(input, { marketType: COMMON_SALE }, context),
})

export const specifiedSaleRoutes = implementListings(specifiedSales, {
  ...listingHandlers(SPECIFIED_SALE),
  putOnShelf({ reservedFor: wallets, ...input }, context) {
    const reservedFor = [...new Set(wallets)]
    if (reservedFor.includes(input.seller))
      context.invalid('reservedFor', 'Expected other wallets than the seller')
    return createListing(input, { marketType: SPECIFIED_SALE, reservedFor }, context)
  },
})
