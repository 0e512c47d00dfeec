import { commonSales } from '@mintmark/market'
import { implement } from '../../context.ts'
import { putOnShelf } from './put-on-shelf.ts'
import { COMMON_SALE } from './sale-rules.ts'
import { shelfHandlers } from './shelf-handlers.ts'

export const commonSaleRoutes = implement(commonSales, {
  ...shelfHandlers(COMMON_SALE),
  putOnShelf: (input, context) => putOnShelf(input, { marketType: COMMON_SALE }, context),
})
