export { NftType, PayTokenType } from '@mintmark/envelope'
export {
  type Eligibility,
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_NOT_PAID,
  MINT_UNDECIDED,
  type Mint,
  type MintCounts,
  type MintSignature,
  MintStatus,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  OUT_OF_STOCK,
  type Presale,
  type PresalePhase,
  type Previews,
  PricedBy,
  type WhitelistCount,
  type WhitelistEntry,
  WhitelistMode,
} from '@mintmark/minting'
export type {
  Auction,
  AuctionStatus,
  Bid,
  CancelAuctionInput,
  CreateAuctionInput,
  CreateBidInput,
  CreatedTokens,
  GetAuctionInput,
  ListOwnedTokensInput,
} from './auctions.ts'
export * as auctions from './auctions.ts'
export type {
  GetCommonSaleInput,
  ListCommonSaleCollectionsInput,
  ListCommonSalesInput,
  PutCommonSaleOnShelfInput,
  TakeCommonSaleOffShelfInput,
} from './common-sales.ts'
export * as commonSales from './common-sales.ts'
export { Coupon, CouponType, MadeCoupon } from './coupon.ts'
export type {
  CreateCouponInput,
  GetCouponCodeSaleInput,
  ListCouponCodeSaleCollectionsInput,
  ListCouponCodeSalesInput,
  PutCouponCodeSaleOnShelfInput,
  TakeCouponCodeSaleOffShelfInput,
} from './coupon-codes.ts'
export * as couponCodes from './coupon-codes.ts'
export type {
  GetCouponSaleInput,
  ListCouponSaleCollectionsInput,
  ListCouponSalesInput,
  PutCouponSaleOnShelfInput,
  PutLimitedCouponSaleOnShelfInput,
  TakeCouponSaleOffShelfInput,
} from './coupon-sales.ts'
export * as couponSales from './coupon-sales.ts'
export { type MarketEvents, marketEvents } from './events.ts'
export type {
  CouponOnShelf,
  GetCouponByCodeInput,
  GetLimitedTimeCouponSaleInput,
  ListLimitedTimeCouponSaleCollectionsInput,
  ListLimitedTimeCouponSalesInput,
  PutLimitedTimeCouponOnShelfInput,
  TakeLimitedTimeCouponOffShelfInput,
} from './limited-time-coupons.ts'
export * as limitedTimeCoupons from './limited-time-coupons.ts'
export { Listing, type ListingStatus, SaleCollection } from './listing.ts'
export type {
  AcceptedOrder,
  AcceptOfferInput,
  CancelOfferInput,
  CreateOfferInput,
  GetMaxOffersByTokenTypeInput,
  ListHighestOffersByCollectionInput,
  ListHighestOffersByOwnerInput,
  ListOffersForNftInput,
  ListOffersMineInput,
  ListReceivedOffersInput,
  Offer,
  OfferOfToken,
  OfferStatus,
  RejectOfferInput,
} from './offers.ts'
export * as offers from './offers.ts'
export type {
  AddToProductWhitelistInput,
  CheckProductWhitelistInput,
  GetProductPresaleInput,
  GetProductPreviewsInput,
  ListProductMintsInput,
  ListProductWhitelistInput,
  RemoveFromProductWhitelistInput,
  SignProductMintInput,
  UpdateProductPresaleInput,
  UpdateProductPreviewsInput,
} from './product-card-minting.ts'
export {
  ProductCard,
  ProductNft,
  type ProductNftStatus,
  TokenData,
  TokenDataChange,
} from './product-card-records.ts'
export type {
  AddProductNftInfoInput,
  GetProductCardInput,
  GetTokenDataInput,
  ListTokenDataLogInput,
  RemoveProductNftInfoInput,
  UpdateProductNftInfoInput,
  WriteTokenDataInput,
} from './product-cards.ts'
export * as productCards from './product-cards.ts'
export * from './rules.ts'
export type {
  GetSpecifiedSaleInput,
  ListSpecifiedSaleCollectionsInput,
  ListSpecifiedSalesInput,
  PutSpecifiedSaleOnShelfInput,
  TakeSpecifiedSaleOffShelfInput,
} from './specified-sales.ts'
export * as specifiedSales from './specified-sales.ts'
