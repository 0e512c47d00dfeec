import { Previews } from '@mintmark/minting'
import { defineEvents, type EventDataOf } from '@mintmark/operation'
import { Auction, Bid } from './auctions.ts'
import { Coupon } from './coupon.ts'
import { Listing } from './listing.ts'
import { Offer } from './offers.ts'
import { ProductNft, TokenDataChange } from './product-card-records.ts'

/**
 * The events about sales. Subjects: `listing/`, `auction/`, `offer/`, `coupon/`, `product_collection/` or
 * `product_nft/` and the id.
 */
export const marketEvents = defineEvents({
  'listing.created': { description: 'Something was listed for sale.', data: Listing },
  'listing.updated': { description: 'The stock or another field of a listing changed.', data: Listing },
  'listing.started': { description: 'A listing has begun by time.', data: Listing },
  'listing.sold_out': { description: 'The last token of a listing was sold.', data: Listing },
  'listing.closed': { description: 'The seller closed a listing.', data: Listing },
  'listing.expired': { description: 'A listing has ended by time.', data: Listing },
  'auction.created': { description: 'An auction was created.', data: Auction },
  'auction.updated': {
    description: 'The end, the highest bid or the status of an auction changed.',
    data: Auction,
  },
  'auction.started': { description: 'An auction has begun by time.', data: Auction },
  'auction.won': { description: 'An auction ended with a winner, who can pay now.', data: Auction },
  'auction.sold': { description: 'The winner of an auction has paid.', data: Auction },
  'auction.unsold': { description: 'An auction ended without a sale.', data: Auction },
  'auction.unpaid': { description: 'The winner of an auction did not pay in time.', data: Auction },
  'auction.cancelled': { description: 'An auction was cancelled.', data: Auction },
  'bid.placed': {
    description: 'A bid is the highest of its auction. The subject is the auction.',
    data: Bid,
  },
  'offer.created': { description: 'An offer was made.', data: Offer },
  'offer.updated': { description: 'A field of an offer changed.', data: Offer },
  'offer.accepted': { description: 'An owner accepted an offer.', data: Offer },
  'offer.rejected': { description: 'An owner rejected an offer.', data: Offer },
  'offer.cancelled': { description: 'An offer was cancelled by its maker.', data: Offer },
  'offer.expired': { description: 'An offer was not accepted in time.', data: Offer },
  'coupon.created': { description: 'A coupon was created.', data: Coupon },
  'coupon.updated': { description: 'A coupon was used, redeemed or changed.', data: Coupon },
  'coupon.started': { description: 'A coupon is valid from now on, by time.', data: Coupon },
  'coupon.expired': { description: 'A coupon has expired by time.', data: Coupon },
  'product_collection.updated': {
    description: 'The preview images and other media of a product card changed.',
    data: Previews,
  },
  'product_nft.created': { description: 'An NFT was added to a product card.', data: ProductNft },
  'product_nft.updated': { description: 'A field of an NFT of a product card changed.', data: ProductNft },
  'product_nft.removed': { description: 'An NFT of a product card was removed.', data: ProductNft },
  'product_nft.token_data_changed': {
    description: 'The data of a token was written.',
    data: TokenDataChange,
  },
})
export type MarketEvents = EventDataOf<typeof marketEvents>
