import { specifiedSales } from '@mintmark/market'
import { implement } from '../../../context.ts'
import { putOnShelf } from './create-listing.ts'
import { shelfHandlers } from './listing-handlers.ts'
import { walletOf } from './listing-input.ts'
import { SPECIFIED_SALE } from './listing-rules.ts'

export const specifiedSaleRoutes = implement(specifiedSales, {
  ...shelfHandlers(SPECIFIED_SALE),
  putOnShelf({ reservedFor: wallets, ...input }, context) {
    const reservedFor = [
      ...new Set(wallets.map((wallet, at) => walletOf(`reservedFor.${at}`, wallet, context.invalid))),
    ]
    if (reservedFor.includes(input.seller.toLowerCase()))
      context.invalid('reservedFor', 'Expected other wallets than the seller')
    return putOnShelf(input, { marketType: SPECIFIED_SALE, reservedFor }, context)
  },
})
