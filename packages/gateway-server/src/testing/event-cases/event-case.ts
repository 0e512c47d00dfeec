import { auctions, couponSales, type Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { createAuction } from '../auctions.ts'
import { createOwnedToken } from '../create-listing.ts'
import { newAddress, type SampleProject } from '../samples/sample.ts'

/** Creates what some work needs, and returns the work. */
export type Prepare<Result = unknown> = (project: SampleProject) => Promise<() => Promise<Result>>

/** Work whose events depend on what it finds. */
export interface EventCase {
  /** The operation, the job or the command. */
  readonly source: string
  /** What the work finds or does. */
  readonly title: string
  /** The types of its events. */
  readonly types: readonly string[]
  readonly prepare: Prepare
}

/** The input for a card that can be used once. */
export const newCard = () => ({
  name: 'Opening night',
  nftAddress: newAddress(),
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T00:00:00Z',
  totalIssued: 1,
})

/** Lists four units of a token with a coupon. */
export async function createCouponListing({ client, gateway, projectId }: SampleProject): Promise<Listing> {
  const token = await createOwnedToken(gateway, projectId)
  const coupon = { couponType: 1, value: '1000' } as const
  return await couponSales.putOnShelf(client, { ...token, quantity: 4, payPrice: '1000', coupon })
}

/** Creates an auction and returns the bid that wins it by its buyout. */
export const prepareBuyout: Prepare<Order> = async (project) => {
  const { client } = project
  const { id } = await createAuction(project, { buyoutBidAmount: '5000' })
  return async () => {
    await auctions.bid(client, { auctionId: id, bidder: newAddress(), amount: '5000' })
    const { orderNo } = await auctions.get(client, { id })
    return await orders.get(client, { orderNo })
  }
}
