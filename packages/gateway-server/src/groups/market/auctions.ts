import { NotFoundError } from '@mintmark/envelope'
import {
  AUCTION_CLOSED,
  AUCTION_HAS_BIDS,
  auctions,
  BID_TOO_HIGH,
  BID_TOO_LOW,
  NOT_ENOUGH_OWNED,
} from '@mintmark/market'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { askChain } from '../../chain/ask-chain.ts'
import { implement } from '../../context.ts'
import { findAsset, letGo, lockHeld } from './assets-store.ts'
import { awardTo } from './auction-closing.ts'
import { readTerms } from './auction-input.ts'
import { auctionOf, bidOf } from './auction-records.ts'
import { isRunning, leastBid, whyRefused } from './auction-rules.ts'
import * as store from './auctions-store.ts'
import { CREATOR_ORDERS, pageOfCreators } from './created-tokens-store.ts'
import { promise } from './promising.ts'
import { faceOf, readSale, walletOf } from './sale-input.ts'

const NO_AUCTION = 'There is no auction with this id'

export const auctionRoutes = implement(auctions, {
  async create(input, context) {
    const { db, project, refuse, invalid } = context
    const seller = walletOf('seller', input.seller, invalid)
    const terms = readTerms(input, new Date(), invalid)
    const { contract, payToken } = await readSale(input, context)
    const { chainId, nftAddress } = contract
    return await transaction(db, async (trx) => {
      const token = { chainId, nftAddress, nftId: input.nftId, owner: seller }
      const asset = await findAsset(trx, project, token)
      if (asset === undefined) return refuse(NOT_ENOUGH_OWNED)
      const row = await store.add(trx, {
        project_id: project,
        asset_id: asset.id,
        chain_id: chainId,
        nft_address: nftAddress,
        nft_id: input.nftId,
        nft_type: asset.nft_type,
        ...faceOf(contract, input.nftId),
        seller,
        quantity: input.quantity,
        ...payToken,
        ...terms,
      })
      const { quantity } = input
      if (!(await promise(trx, project, asset.id, { kind: 'auction', id: row.id, quantity })))
        refuse(NOT_ENOUGH_OWNED)
      return auctionOf(row, [])
    })
  },

  async cancel({ id }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      await lockHeld(trx, project, { kind: 'auction', id })
      const cancelled = await store.cancel(trx, project, id)
      if (cancelled !== undefined) {
        await letGo(trx, project, { kind: 'auction', id })
        return auctionOf(cancelled, [])
      }
      const row = await store.find(trx, project, id)
      if (row === undefined) return refuse(NotFoundError, NO_AUCTION)
      // Again is the same answer.
      if (row.status === 'CANCELLED') return auctionOf(row, [])
      return refuse(isRunning(row) && !row.ended ? AUCTION_HAS_BIDS : AUCTION_CLOSED)
    })
  },

  async bid(input, context) {
    const { db, project, chains, orderSettings: settings, refuse, invalid } = context
    const { auctionId: id, amount } = input
    const bidder = walletOf('bidder', input.bidder, invalid)
    const known = await store.find(db, project, id)
    if (known === undefined) return refuse(NotFoundError, NO_AUCTION)
    if (known.seller === bidder) invalid('bidder', 'Expected another wallet than the seller')
    // A bid that wins makes an order, whose payment comes after the chain's newest block.
    const wins = known.buyout_bid_amount !== '0' && known.buyout_bid_amount === amount
    const block = wins ? await askChain(context, 'newestBlock', () => chains.newestBlock(known.chain_id)) : 0
    return await transaction(db, async (trx) => {
      const auction = await store.placeBid(trx, project, id, { bidder, amount })
      if (auction === undefined) {
        const row = (await store.find(trx, project, id)) ?? known
        const why = whyRefused(row, BigInt(amount))
        if (why === 'closed')
          return row.status === 'INACTIVE' && !row.ended
            ? refuse(AUCTION_CLOSED, 'The seller does not own the token just now')
            : refuse(AUCTION_CLOSED)
        return why === 'too_high'
          ? refuse(BID_TOO_HIGH)
          : refuse(BID_TOO_LOW, `Expected a bid of at least ${leastBid(row)}`)
      }
      if (auction.status === 'WON') await awardTo(trx, auction, { block, settings })
      return bidOf(await store.addBid(trx, project, id, { bidder, amount }))
    })
  },

  async get({ id }, { db, project, refuse }) {
    const row = await store.find(db, project, id)
    if (row === undefined) return refuse(NotFoundError, NO_AUCTION)
    return auctionOf(row, await store.bidsOf(db, project, id))
  },

  async ownedTokens(input, { db, project, invalid }) {
    // By creator unless told.
    const query = readPageQuery({ ...input, orderBy: input.orderBy || 'creator' }, CREATOR_ORDERS, invalid)
    const found = await pageOfCreators(db, project, input.owner.toLowerCase(), query)
    return pageOf({ ...query, orderBy: input.orderBy ?? '' }, found, (row) => ({
      creator: row.creator,
      tokenCount: row.token_count,
      tokens: row.tokens,
    }))
  },
})
