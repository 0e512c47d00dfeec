export * as commonSales from './common-sales.ts'
export type { Listing, SaleCollection } from './listing.ts'
export * as productCards from './product-cards.ts'
export { CHAIN_UNREADABLE, LISTING_CLOSED, NOT_ENOUGH_OWNED } from './rules.ts'
