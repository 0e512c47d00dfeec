import type { NotFoundError } from '@mintmark/envelope'
import {
  type AcceptedOrder,
  type Auction,
  type AuctionStatus,
  type auctions,
  type Bid,
  type Coupon,
  CouponType,
  type CreateBidInput,
  commonSales,
  couponSales,
  LISTING_CLOSED,
  type Listing,
  type ListingStatus,
  type ListOffersMineInput,
  limitedTimeCoupons,
  type Offer,
  type OfferOfToken,
  type OfferStatus,
  offers,
  productCards,
  type SaleCollection,
  specifiedSales,
} from '@mintmark/market'
import * as commonSalesGroup from '@mintmark/market/common-sales'
import type { DataOf, ErrorsOf, InputOf } from '@mintmark/operation'
import { createFacilitator, createGateway, reroute } from '@mintmark/transport'
import { expectTypeOf } from 'vitest'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* Prices are decimal texts in base units, ids are numbers. */
expectTypeOf<Pick<Offer, 'id' | 'totalPrice' | 'quantity'>>().toEqualTypeOf<{
  id: number
  totalPrice: string
  quantity: number
}>()
expectTypeOf<InputOf<typeof commonSales.get>>().toEqualTypeOf<{ id: number }>()
const sale = { seller: '0x', nftAddress: '0x', nftId: '7', quantity: 1, payPrice: '1000' }
expectTypeOf(commonSales.putOnShelf(gateway, sale)).resolves.toEqualTypeOf<Listing>()
// @ts-expect-error a price as a number, which cannot hold every amount
commonSales.putOnShelf(gateway, { ...sale, payPrice: 1000 })
// @ts-expect-error a price as a bigint, which JSON does not have
commonSales.putOnShelf(gateway, { ...sale, payPrice: 1000n })
// @ts-expect-error a field that a common sale does not have
commonSales.putOnShelf(gateway, { ...sale, reservedFor: ['0x'] })
// @ts-expect-error a specified sale requires the wallets that can buy
specifiedSales.putOnShelf(gateway, sale)

/* The terms of a coupon are one object in the input. */
const coupon = { couponType: CouponType.PERCENT, value: '1000' }
couponSales.putOnShelf(gateway, { ...sale, coupon })
// @ts-expect-error a type that coupons do not have
couponSales.putOnShelf(gateway, { ...sale, coupon: { ...coupon, couponType: 4 } })
// @ts-expect-error a field that coupons do not have
couponSales.putOnShelf(gateway, { ...sale, coupon: { ...coupon, discount: 10 } })
// @ts-expect-error a limited-time coupon requires its end
limitedTimeCoupons.putOnShelf(gateway, { ...sale, coupon })

/* Lists yield their item's record. An input without required fields can be omitted. */
commonSales.list(gateway)
for await (const listing of commonSales.list.items(gateway, { maxPrice: '5' }))
  expectTypeOf(listing).toEqualTypeOf<Listing>()
for await (const page of commonSales.collections.pages(gateway))
  expectTypeOf(page.list).toEqualTypeOf<SaleCollection[]>()
for await (const offer of offers.received.items(gateway, { address: '0x', status: 'ACTIVE' }))
  expectTypeOf(offer).toEqualTypeOf<Offer>()
// @ts-expect-error a status that offers do not have
offers.received(gateway, { address: '0x', status: 'OPEN' })
// A list that one response contains completely has no pages.
expectTypeOf<DataOf<typeof offers.maxByTokenType>>().toEqualTypeOf<OfferOfToken[]>()
// @ts-expect-error no pages
offers.maxByTokenType.items
expectTypeOf<DataOf<typeof offers.accept>>().toEqualTypeOf<AcceptedOrder>()

/* Auctions contain their bids. Values of records are open, those of inputs are closed. */
expectTypeOf<Auction['status']>().toEqualTypeOf<AuctionStatus | (string & {})>()
expectTypeOf<Listing['status']>().toEqualTypeOf<ListingStatus | (string & {})>()
expectTypeOf<Coupon['couponType']>().toEqualTypeOf<CouponType | (number & {})>()
expectTypeOf<ListOffersMineInput['status']>().toEqualTypeOf<OfferStatus | undefined>()
expectTypeOf<Auction['bids']>().toEqualTypeOf<Bid[]>()
expectTypeOf<CreateBidInput>().toEqualTypeOf<{
  auctionId: number
  bidder: string
  amount: string
}>()

/* Operations declare their errors. */
expectTypeOf<ErrorsOf<typeof commonSales.takeOffShelf>>().toEqualTypeOf<
  typeof NotFoundError | typeof LISTING_CLOSED
>()
expectTypeOf<ErrorsOf<typeof commonSales.list>>().toEqualTypeOf<never>()

/* A list can be ordered by its own fields. */
commonSales.list(gateway, { orderBy: 'payPrice desc' })
offers.mine(gateway, { address: '0x', orderBy: 'totalPrice' })
expectTypeOf<NonNullable<InputOf<typeof auctions.ownedTokens>['orderBy']>>().toEqualTypeOf<
  '' | 'creator' | 'creator asc' | 'creator desc'
>()
// @ts-expect-error a field of listings, but not an order
commonSales.list(gateway, { orderBy: 'remaining' })
// @ts-expect-error no direction
offers.mine(gateway, { address: '0x', orderBy: 'totalPrice up' })

/* Operations accept only the gateway's client. */
// @ts-expect-error the facilitator's client
commonSales.list(facilitator)
// @ts-expect-error the facilitator's client
productCards.preview(facilitator, { nftAddress: '0x' })
reroute(commonSales.list, { path: '/api/v1/listings' })

/* The group's own entry is the same group. */
expectTypeOf(commonSalesGroup).toEqualTypeOf(commonSales)

export { LISTING_CLOSED }
