import {
  AUCTION_CLOSED,
  AUCTION_HAS_BIDS,
  auctions,
  BID_TOO_HIGH,
  BID_TOO_LOW,
  NOT_ENOUGH_OWNED,
} from '@mintmark/market'
import { type HttpError, readPageQuery, refusal, toPage, withPreparation } from '@mintmark/server-kit'
import { readNewestBlock } from '../../../chain/read-chain.ts'
import { toReferenceColumns } from '../../../database/references.ts'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { toOpeningTimes } from '../../../http/opening-times.ts'
import { findAsset } from '../../inventory/assets-store.ts'
import { lockReservation, release } from '../../inventory/reservations-store.ts'
import { CREATOR_ORDERS, listCreators } from '../listings/created-tokens-store.ts'
import { findSaleTarget, toDisplayColumns } from '../listings/listing-input.ts'
import type { MarketPorts } from '../market-ports.ts'
import { reserveAsset } from '../reserve-asset.ts'
import { auctionLimits, toAuction, toAuctionColumns, toBid } from './auction-records.ts'
import { calculateMinimumBid, isOpen, isRunning } from './auction-rules.ts'
import * as store from './auctions-store.ts'
import { awardTo } from './close-auction.ts'

const NO_AUCTION = 'No auction has this id'

export const auctionRoutes = implementWithLimits<MarketPorts>(auctionLimits)(auctions, {
  create: withPreparation(
    async (input, context) => {
      const columns = toAuctionColumns(input)
      checkTerms(columns, context.invalid)
      return { columns, ...(await findSaleTarget(input, context)) }
    },
    async (input, context, { columns, contract, payToken }) => {
      const { tenant } = context
      const { chainId, nftAddress } = contract
      const { nftId, quantity, seller } = input
      return await tenant.transaction(async (trx) => {
        const asset = await findAsset(trx, { chainId, nftAddress, nftId, owner: seller })
        if (asset === undefined) throw refusal(NOT_ENOUGH_OWNED)
        const row = await store.add(trx, {
          ...columns,
          ...toReferenceColumns(input.reference, context.caller.wallet),
          ...payToken,
          ...toDisplayColumns(contract, nftId),
          asset_id: asset.id,
          chain_id: chainId,
          nft_type: asset.nft_type,
        })
        const isReserved = await reserveAsset(trx, asset.id, { kind: 'auction', id: row.id }, quantity)
        if (!isReserved) throw refusal(NOT_ENOUGH_OWNED)
        return toAuction(row, [], context)
      })
    },
  ),

  async cancel({ id }, context) {
    const { tenant } = context
    return await tenant.transaction(async (trx) => {
      await lockReservation(trx, { kind: 'auction', id })
      const cancelledRow = await store.cancel(trx, id)
      if (cancelledRow !== undefined) {
        await release(trx, { kind: 'auction', id })
        return toAuction(cancelledRow, [], context)
      }
      const row = ensureFound(await store.find(trx, id), NO_AUCTION)
      // Idempotent: repeating the call returns the same auction.
      if (row.status === 'CANCELLED') return toAuction(row, [], context)
      throw isRunning(row) && !row.ended ? refusal(AUCTION_HAS_BIDS) : createClosedRefusal(row)
    })
  },

  bid: withPreparation(
    async ({ auctionId, bidder, amount }, context) => {
      const { tenant, invalid } = context
      const auction = ensureFound(await store.find(tenant, auctionId), NO_AUCTION)
      if (auction.seller === bidder) invalid('bidder', 'Expected another wallet than the seller')
      // A bid that wins creates an order, whose payment must be in a later block than the newest one.
      const wins = auction.buyout_bid_amount !== '0' && auction.buyout_bid_amount === amount
      const block = wins ? await readNewestBlock(context, 'auctionId', auction.chain_id) : 0
      return { auction, block }
    },
    async (input, context, { auction, block }) => {
      const { tenant, orders, orderSettings: settings } = context
      const { auctionId, bidder, amount } = input
      return await tenant.transaction(async (trx) => {
        const row = await store.placeBid(trx, auctionId, { bidder, amount })
        if (row === undefined) {
          const present = await store.find(trx, auctionId)
          throw createBidRefusal(present ?? auction, amount)
        }
        if (row.status === 'WON') await awardTo(trx, row, { block, orders, settings })
        return toBid(await store.addBid(trx, input))
      })
    },
  ),

  async get({ id }, context) {
    const { tenant, caller } = context
    const row = ensureFound(await store.find(tenant, id), NO_AUCTION)
    const auction = toAuction(row, await store.listBids(tenant, id), context)
    // The number of an order is for its buyer and its seller.
    return caller.isPublic ? { ...auction, orderNo: '' } : auction
  },

  async ownedTokens(input, { tenant, invalid }) {
    const orderBy = input.orderBy || 'creator'
    const query = readPageQuery({ ...input, orderBy }, CREATOR_ORDERS, invalid)
    const page = await listCreators(tenant, input.owner, query)
    return toPage({ ...query, orderBy: input.orderBy ?? '' }, page, (row) => ({
      creator: row.creator,
      tokenCount: row.token_count,
      tokens: row.tokens,
    }))
  },
})

type Invalid = (field: string, message: string) => never

/** Refuses terms that contradict each other. */
function checkTerms(terms: ReturnType<typeof toAuctionColumns>, invalid: Invalid): void {
  const buyout = BigInt(terms.buyout_bid_amount)
  const isBelow = (amount: string) => buyout < BigInt(amount)
  if (buyout !== 0n && (isBelow(terms.minimum_bid_amount) || isBelow(terms.reserve_price)))
    invalid('buyoutBidAmount', 'Expected 0, or at least minimumBidAmount and reservePrice')
  if (terms.end_time <= terms.start_time) invalid('endTime', 'Expected a time after startTime')
}

/** Creates the refusal of what an auction does not accept while it is not open. */
function createClosedRefusal(auction: store.AuctionRow): HttpError {
  const isUnowned = auction.status === 'INACTIVE' && !auction.ended
  const message = isUnowned ? 'The seller does not own the token at present' : undefined
  return refusal(AUCTION_CLOSED, toOpeningTimes(auction), message)
}

/** Creates the refusal of a bid that was not accepted, by the auction's present state. */
function createBidRefusal(auction: store.AuctionRow, amount: string): HttpError {
  if (!isOpen(auction)) return createClosedRefusal(auction)
  const minimum = calculateMinimumBid(auction)
  if (BigInt(amount) >= minimum) return refusal(BID_TOO_HIGH)
  return refusal(BID_TOO_LOW, { minimum: minimum.toString() }, `Expected a bid of at least ${minimum}`)
}
