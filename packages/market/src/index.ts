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
  CloseCommonSaleInput,
  CreateCommonSaleInput,
  GetCommonSaleInput,
  ListCommonSaleCollectionsInput,
  ListCommonSalesInput,
} from './common-sales.ts'
export * as commonSales from './common-sales.ts'
export { Coupon, CouponType, MadeCoupon } from './coupon.ts'
export type {
  CloseCouponCodeSaleInput,
  CreateCouponCodeSaleInput,
  CreateCouponInput,
  GetCouponCodeSaleInput,
  ListCouponCodeSaleCollectionsInput,
  ListCouponCodeSalesInput,
} from './coupon-codes.ts'
export * as couponCodes from './coupon-codes.ts'
export type {
  CloseCouponSaleInput,
  CreateCouponSaleInput,
  CreateLimitedCouponSaleInput,
  GetCouponSaleInput,
  ListCouponSaleCollectionsInput,
  ListCouponSalesInput,
} from './coupon-sales.ts'
export * as couponSales from './coupon-sales.ts'
export { type MarketEvents, marketEvents } from './events.ts'
export type {
  CloseLimitedTimeCouponSaleInput,
  CouponOnShelf,
  CreateLimitedTimeCouponSaleInput,
  GetCouponByCodeInput,
  GetLimitedTimeCouponSaleInput,
  ListLimitedTimeCouponSaleCollectionsInput,
  ListLimitedTimeCouponSalesInput,
} from './limited-time-coupons.ts'
export * as limitedTimeCoupons from './limited-time-coupons.ts'
export { Listing, type ListingStatus, SaleCollection } from './listing.ts'
export type {
  AcceptedOrder,
  AcceptOfferInput,
  CancelOfferInput,
  CreateOfferInput,
  GetHighestNftOffersInput,
  ListHighestCollectionOffersInput,
  ListHighestOwnerOffersInput,
  ListNftOffersInput,
  ListOwnOffersInput,
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
  AddProductNftInput,
  GetProductCardInput,
  GetTokenDataInput,
  ListTokenDataChangesInput,
  RemoveProductNftInput,
  UpdateProductNftInput,
  WriteTokenDataInput,
} from './product-cards.ts'
export * as productCards from './product-cards.ts'
export * from './rules.ts'
export type {
  CloseSpecifiedSaleInput,
  CreateSpecifiedSaleInput,
  GetSpecifiedSaleInput,
  ListSpecifiedSaleCollectionsInput,
  ListSpecifiedSalesInput,
} from './specified-sales.ts'
export * as specifiedSales from './specified-sales.ts'
