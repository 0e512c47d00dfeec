import { devAccount } from '@mintmark/devkit/chain/accounts'
import { auctions, CouponType, couponCodes, offers } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import type { Credentials } from '../start/credentials.ts'
import { lastOrder } from './order-calls.ts'
import type { DemoPayments } from './payments.ts'
import { type Stop, stopsOf } from './stops.ts'

const TIME_BUFFER_SECONDS = 120

const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

/** Prints are sold by a coupon code, by an auction whose end is extended, and by an accepted offer. */
export function marketCalls(
  credentials: Credentials,
  gateway: GatewayClient,
  payments: DemoPayments,
): Stop[] {
  const { demo, chain } = credentials
  const stop = stopsOf(gateway)
  const order = lastOrder(credentials, gateway, payments)
  const print = { nftAddress: demo.nftAddress, nftId: '1', quantity: 1, payTokenAddress: chain.token }
  let [couponCode, couponId, listingId, auctionId, offerId, endTime] = ['', 0, 0, 0, 0, '']
  const bid = (title: string, bidder: string, amount: string) =>
    stop(title, auctions.bid, () => ({ auctionId, bidder, amount }))

  return [
    stop(
      'Create a coupon for a quarter off',
      couponCodes.create,
      () => ({ couponType: CouponType.PERCENT, value: '2500', maxRedemptions: 1 }),
      ({ coupon, codes }) => {
        couponId = coupon.id
        couponCode = codes[0] ?? ''
      },
    ),
    stop(
      'Put a print on the shelf that accepts the coupon',
      couponCodes.putOnShelf,
      () => ({ ...print, seller: demo.creator, payPrice: '8000000', couponId }),
      ({ id }) => {
        listingId = id
      },
    ),
    stop(
      'Order it with the code: 6 instead of 8',
      orders.preOrder,
      () => ({ marketType: 4, listingId, quantity: 1, recipient: demo.wallet, couponCode }),
      order.keep,
    ),
    order.paid('Pay the order and wait until it succeeds'),
    stop(
      'Auction a print for a minute',
      auctions.create,
      () => ({
        ...print,
        seller: demo.creator,
        minimumBidAmount: '5000000',
        buyoutBidAmount: '9000000',
        startTime: fromNow(-60_000),
        endTime: fromNow(60_000),
        timeBufferInSeconds: TIME_BUFFER_SECONDS,
      }),
      (auction) => {
        auctionId = auction.id
        endTime = auction.endTime
      },
    ),
    bid('Bid 5', devAccount(5).address, '5000000'),
    bid('Bid 6 from another wallet', demo.wallet, '6000000'),
    stop(
      'See the end extended by the bid in the last two minutes',
      auctions.get,
      () => ({ id: auctionId }),
      (auction) => {
        const extension = Date.parse(auction.endTime) - Date.parse(endTime)
        if (extension !== TIME_BUFFER_SECONDS * 1000)
          throw new Error(`The end was extended by ${extension} ms`)
      },
    ),
    bid('Buy out', demo.wallet, '9000000'),
    stop(
      'Read the auction with the order of its winner',
      auctions.get,
      () => ({ id: auctionId }),
      async ({ orderNo }) => order.keep(await orders.get(gateway, { orderNo })),
    ),
    order.paid('Pay the order of the auction'),
    stop(
      'Offer 4 for a print',
      offers.create,
      () => ({ ...print, offerer: demo.wallet, totalPrice: '4000000', expireTime: fromNow(3_600_000) }),
      ({ id }) => {
        offerId = id
      },
    ),
    stop('Accept the offer', offers.accept, () => ({ id: offerId, owner: demo.creator }), order.keep),
    order.paid('Pay the order of the offer'),
  ]
}
