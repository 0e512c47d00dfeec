import { commonSales } from '@mintmark/market'
import { implement } from '../../../context.ts'
import { putOnShelf } from './create-listing.ts'
import { shelfHandlers } from './listing-handlers.ts'
import { COMMON_SALE } from './listing-rules.ts'

export const commonSaleRoutes = implement(commonSales, {
  ...shelfHandlers(COMMON_SALE),
  putOnShelf: (input, context) => putOnShelf(input, { marketType: COMMON_SALE }, context),
})
