import { type EventSource, eventSource, isPassing } from '../../database/event-source.ts'
import { NOBODY } from '../../database/references.ts'
import { toAuction, toBid } from './auctions/auction-records.ts'
import * as auctions from './auctions/auctions-store.ts'
import { toCoupon } from './coupons/coupon-records.ts'
import * as coupons from './coupons/coupons-store.ts'
import { toListingWithCoupon } from './listings/listing-records.ts'
import { toOffer } from './offers/offer-records.ts'
import * as offers from './offers/offers-store.ts'

const LISTING_EVENTS = {
  created: 'listing.created',
  updated: 'listing.updated',
  ON: 'listing.updated',
  INACTIVE: 'listing.updated',
  SOLD: 'listing.sold_out',
  OFF: 'listing.closed',
  EXPIRED: 'listing.expired',
} as const
const AUCTION_EVENTS = {
  created: 'auction.created',
  updated: 'auction.updated',
  OPEN: 'auction.updated',
  INACTIVE: 'auction.updated',
  WON: 'auction.won',
  SOLD: 'auction.sold',
  UNSOLD: 'auction.unsold',
  UNPAID: 'auction.unpaid',
  CANCELLED: 'auction.cancelled',
} as const
const OFFER_EVENTS = {
  created: 'offer.created',
  updated: 'offer.updated',
  ACTIVE: 'offer.updated',
  ACCEPTED: 'offer.accepted',
  REJECTED: 'offer.rejected',
  CANCELLED: 'offer.cancelled',
  EXPIRED: 'offer.expired',
} as const

/**
 * Returns the type of an event: `created`, `updated` for a change within a status, otherwise that of the new
 * status.
 */
function chooseType<Status extends string, Type extends string>(
  before: { status: Status } | undefined,
  after: { status: Status },
  types: Readonly<Record<'created' | 'updated' | Status, Type>>,
): Type {
  if (before === undefined) return types.created
  return before.status === after.status ? types.updated : types[after.status]
}

/**
 * The events about sales. All readers of the feed see them, so that they contain no reference. Their data has
 * the stored status: a job writes that time has ended a sale, and that is an event of its own.
 */
export const marketEventSources: readonly EventSource[] = [
  eventSource('gateway.listings', async ({ before, after }, { tenant }) => {
    if (after === undefined) return []
    const data = await toListingWithCoupon(tenant, { ...after, ended: false }, NOBODY)
    if (isPassing(before, after, after.start_time)) {
      const isListed = after.status === 'ON' || after.status === 'INACTIVE'
      return isListed ? [{ type: 'listing.started', subject: `listing/${after.id}`, data }] : []
    }
    return [{ type: chooseType(before, after, LISTING_EVENTS), subject: `listing/${after.id}`, data }]
  }),
  eventSource('gateway.auctions', async ({ before, after }, { tenant }) => {
    if (after === undefined) return []
    const current = await auctions.find(tenant, after.id)
    const row = { ...after, started: true, ended: false, order_no: current?.order_no ?? '' }
    const data = toAuction(row, await auctions.listBids(tenant, after.id), NOBODY)
    if (isPassing(before, after, after.start_time)) {
      const isOpen = after.status === 'OPEN' || after.status === 'INACTIVE'
      return isOpen ? [{ type: 'auction.started', subject: `auction/${after.id}`, data }] : []
    }
    return [{ type: chooseType(before, after, AUCTION_EVENTS), subject: `auction/${after.id}`, data }]
  }),
  eventSource('gateway.bids', ({ before, after }) => {
    if (before !== undefined || after === undefined) return []
    return [{ type: 'bid.placed', subject: `auction/${after.auction_id}`, data: toBid(after) }]
  }),
  eventSource('gateway.offers', async ({ before, after }, { tenant }) => {
    if (after === undefined) return []
    const current = await offers.find(tenant, after.id)
    const data = toOffer({ ...after, expired: false, order_no: current?.order_no ?? '' }, NOBODY)
    return [{ type: chooseType(before, after, OFFER_EVENTS), subject: `offer/${after.id}`, data }]
  }),
  eventSource('gateway.coupons', async ({ before, after }, { tenant }) => {
    if (after === undefined) return []
    const current = await coupons.find(tenant, after.id)
    const data = toCoupon({ ...after, code: current?.code ?? '' }, NOBODY)
    const subject = `coupon/${after.id}`
    if (before === undefined) return [{ type: 'coupon.created', subject, data }]
    if (isPassing(before, after, after.start_time)) return [{ type: 'coupon.started', subject, data }]
    if (isPassing(before, after, after.end_time)) return [{ type: 'coupon.expired', subject, data }]
    return [{ type: 'coupon.updated', subject, data }]
  }),
]
