import { devAccount } from '@mintmark/devkit/chain/accounts'
import { auctions, CouponType, couponCodes, offers } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { withResponse } from '@mintmark/transport'
import { payOrder } from './orders.ts'
import type { Tour } from './tour.ts'

const TIME_BUFFER_SECONDS = 120

const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

/** Prints are sold by a coupon code, by an auction whose end is extended, and by an accepted offer. */
export async function tourMarket(tour: Tour): Promise<void> {
  const { demo, chain } = tour.credentials
  const print = { nftAddress: demo.nftAddress, nftId: '1', quantity: 1, payTokenAddress: chain.token }
  await sellWithCoupon(tour, print)
  await sellByAuction(tour, print)
  await sellByOffer(tour, print)
}

interface Print {
  readonly nftAddress: string
  readonly nftId: string
  readonly quantity: number
  readonly payTokenAddress: string
}

async function sellWithCoupon(tour: Tour, print: Print): Promise<void> {
  const { creator, wallet } = tour.credentials.demo
  const { coupon, codes } = await tour.call('Create a coupon for a quarter off', couponCodes.create, {
    couponType: CouponType.PERCENT,
    value: '2500',
    maxRedemptions: 1,
  })
  const listing = await tour.call(
    'Put a print on the shelf that accepts the coupon',
    couponCodes.putOnShelf,
    { ...print, seller: creator, payPrice: '8000000', couponId: coupon.id },
  )
  const order = await tour.call('Order it with the code: 6 instead of 8', orders.preOrder, {
    marketType: 4,
    listingId: listing.id,
    quantity: 1,
    recipient: wallet,
    couponCode: codes[0] ?? '',
  })
  await payOrder(tour, 'Pay the order and wait until it succeeds', order)
}

async function sellByAuction(tour: Tour, print: Print): Promise<void> {
  const { creator, wallet } = tour.credentials.demo
  const { id, endTime } = await tour.call('Auction a print for a minute', auctions.create, {
    ...print,
    seller: creator,
    minimumBidAmount: '5000000',
    buyoutBidAmount: '9000000',
    startTime: fromNow(-60_000),
    endTime: fromNow(60_000),
    timeBufferInSeconds: TIME_BUFFER_SECONDS,
  })
  const bid = (title: string, bidder: string, amount: string) =>
    tour.call(title, auctions.bid, { auctionId: id, bidder, amount })
  await bid('Bid 5', devAccount(5).address, '5000000')
  await bid('Bid 6 from another wallet', wallet, '6000000')
  await tour.step('See the end extended by the bid in the last two minutes', auctions.get, async () => {
    const result = await withResponse(auctions.get, tour.gateway, { id })
    const extension = Date.parse(result.data.endTime) - Date.parse(endTime)
    if (extension !== TIME_BUFFER_SECONDS * 1000) throw new Error(`The end was extended by ${extension} ms`)
    return result
  })
  await bid('Buy out', wallet, '9000000')
  const { orderNo } = await tour.call('Read the auction with the order of its winner', auctions.get, { id })
  await payOrder(tour, 'Pay the order of the auction', await orders.get(tour.gateway, { orderNo }))
}

async function sellByOffer(tour: Tour, print: Print): Promise<void> {
  const { creator, wallet } = tour.credentials.demo
  const terms = { offerer: wallet, totalPrice: '4000000', expireTime: fromNow(3_600_000) }
  const { id } = await tour.call('Offer 4 for a print', offers.create, { ...print, ...terms })
  const order = await tour.call('Accept the offer', offers.accept, { id, owner: creator })
  await payOrder(tour, 'Pay the order of the offer', order)
}
