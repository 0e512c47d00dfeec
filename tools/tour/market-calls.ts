import { auctions, CouponType, couponCodes, offers } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { type CallResult, withResponse } from '@mintmark/transport/operation'
import { devAccount } from '../devchain/accounts.ts'
import type { Credentials } from '../start/credentials.ts'
import type { Stop } from './calls.ts'
import type { DemoPayments } from './payments.ts'
import { sold } from './sold.ts'

/** What an order has that waits to be paid. */
interface ToPay {
  orderNo: string
  sender: string
  payAmount: string
}

/** Prints are sold by a coupon code, by an auction whose end moves on, and by an offer that is accepted. */
export function marketCalls(
  credentials: Credentials,
  gateway: GatewayClient,
  payments: DemoPayments,
): Stop[] {
  const { demo, chain } = credentials
  const print = { nftAddress: demo.nftAddress, nftId: '1', quantity: 1, payTokenAddress: chain.token }
  const other = devAccount(5).address
  let [code, couponId, listingId, auctionId, offerId] = ['', 0, 0, 0, 0]
  let end = 0
  let order: ToPay | undefined

  /** Pays the order made last on the chain, and waits until the gateway has seen it. */
  async function paid(): Promise<CallResult> {
    if (order === undefined) throw new Error('the order was not made')
    const { orderNo, sender, payAmount } = order
    const hash = await payments.payOrder(orderNo, sender, BigInt(payAmount))
    await orders.payOrder(gateway, { orderNo, hash, recipient: demo.wallet })
    return await sold(gateway, orderNo)
  }
  const bid = (bidder: string, amount: string) =>
    withResponse(auctions.bid, gateway, { auctionId, bidder, amount })

  return [
    {
      title: 'A coupon takes a quarter off for who has its code',
      operation: couponCodes.create,
      async call() {
        const terms = { couponType: CouponType.PERCENT, value: '2500', maxRedemptions: 1 }
        const result = await withResponse(couponCodes.create, gateway, terms)
        couponId = result.data.coupon.id
        code = result.data.codes[0] ?? ''
        return result
      },
    },
    {
      title: 'A print on the shelf that takes it',
      operation: couponCodes.putOnShelf,
      async call() {
        const sale = { ...print, seller: demo.creator, payPrice: '8000000', couponId }
        const result = await withResponse(couponCodes.putOnShelf, gateway, sale)
        listingId = result.data.id
        return result
      },
    },
    {
      title: 'A buyer orders it with the code: 6 instead of 8',
      operation: orders.preOrder,
      async call() {
        const asked = { marketType: 4, listingId, quantity: 1, recipient: demo.wallet, couponCode: code }
        const result = await withResponse(orders.preOrder, gateway, asked)
        order = result.data
        return result
      },
    },
    { title: 'pays it, and has it', operation: orders.get, call: paid },
    {
      title: 'A print is put up for auction, for a minute',
      operation: auctions.create,
      async call() {
        const now = Date.now()
        const result = await withResponse(auctions.create, gateway, {
          ...print,
          seller: demo.creator,
          minimumBidAmount: '5000000',
          buyoutBidAmount: '9000000',
          startTime: new Date(now - 60_000).toISOString(),
          endTime: new Date(now + 60_000).toISOString(),
          timeBufferInSeconds: 120,
        })
        auctionId = result.data.id
        end = Date.parse(result.data.endTime)
        return result
      },
    },
    { title: 'One wallet bids 5', operation: auctions.bid, call: () => bid(other, '5000000') },
    { title: 'another one 6', operation: auctions.bid, call: () => bid(demo.wallet, '6000000') },
    {
      title: 'The first bid came in the last two minutes: the end has moved on by as many',
      operation: auctions.get,
      async call() {
        const result = await withResponse(auctions.get, gateway, { id: auctionId })
        const moved = Date.parse(result.data.endTime) - end
        if (moved !== 120_000) throw new Error(`the end has moved on by ${moved} ms`)
        return result
      },
    },
    { title: 'The second wallet buys out', operation: auctions.bid, call: () => bid(demo.wallet, '9000000') },
    {
      title: 'The auction is won: its order waits for the winner',
      operation: auctions.get,
      async call() {
        const result = await withResponse(auctions.get, gateway, { id: auctionId })
        order = await orders.get(gateway, { orderNo: result.data.orderNo })
        return result
      },
    },
    { title: 'who pays it', operation: orders.get, call: paid },
    {
      title: 'A wallet offers 4 for a print',
      operation: offers.create,
      async call() {
        const expireTime = new Date(Date.now() + 3_600_000).toISOString()
        const offer = { ...print, offerer: demo.wallet, totalPrice: '4000000', expireTime }
        const result = await withResponse(offers.create, gateway, offer)
        offerId = result.data.id
        return result
      },
    },
    {
      title: 'The creator accepts: the order waits for the one who offered',
      operation: offers.accept,
      async call() {
        const result = await withResponse(offers.accept, gateway, { id: offerId, owner: demo.creator })
        order = result.data
        return result
      },
    },
    { title: 'who pays it, too', operation: orders.get, call: paid },
  ]
}
