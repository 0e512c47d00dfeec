export {
  type Eligibility,
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_NOT_PAID,
  MINT_UNDECIDED,
  MINTED_OUT,
  type Mint,
  type MintCounts,
  type MintSignature,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  type Presale,
  type PresalePhase,
  type Previews,
  type WhitelistEntry,
} from '@mintmark/minting'
export type { Auction, Bid, CreatedTokens } from './auctions.ts'
export * as auctions from './auctions.ts'
export * as commonSales from './common-sales.ts'
export { type Coupon, type CouponOnShelf, CouponType, type MadeCoupon } from './coupon.ts'
export * as couponCodes from './coupon-codes.ts'
export * as couponSales from './coupon-sales.ts'
export * as limitedTimeCoupons from './limited-time-coupons.ts'
export type { Listing, SaleCollection } from './listing.ts'
export type { AcceptedOrder, Offer, OfferOfToken } from './offers.ts'
export * as offers from './offers.ts'
export type { ProductCard, ProductNft, TokenData, TokenDataChange } from './product-card-records.ts'
export * as productCards from './product-cards.ts'
export * from './rules.ts'
export * as specifiedSales from './specified-sales.ts'
