import { randomUUID } from 'node:crypto'
import { NotFoundError } from '@mintmark/envelope'
import { NOT_ENOUGH_OWNED, OFFER_CLOSED, OFFER_FOR_OTHERS, OFFER_NOT_YOURS, offers } from '@mintmark/market'
import { isUniqueViolation, pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { askChain } from '../../chain/ask-chain.ts'
import { implement } from '../../context.ts'
import * as contracts from '../contracts/contracts-store.ts'
import { addOrder } from '../orders/new-order.ts'
import { orderOf } from '../orders/order-records.ts'
import { findAsset } from './assets-store.ts'
import { offerOf } from './offer-records.ts'
import * as store from './offers-store.ts'
import { promise } from './promising.ts'
import { faceOf, readSale, walletOf } from './sale-input.ts'
import { OFFER } from './sale-rules.ts'

const NO_OFFER = 'There is no offer with this id'

export const offerRoutes = implement(offers, {
  async create(input, context) {
    const { db, project, invalid } = context
    const offerer = walletOf('offerer', input.offerer, invalid)
    if (BigInt(input.totalPrice) === 0n) invalid('totalPrice', 'Expected a price above 0')
    const expires = new Date(input.expireTime)
    if (expires.getTime() <= Date.now()) invalid('expireTime', 'Expected a time to come')
    const { contract, payToken } = await readSale(input, context)
    const nftId = input.nftId ?? ''
    const row = await store.add(db, {
      project_id: project,
      offer_no: randomUUID().replaceAll('-', ''),
      chain_id: contract.chainId,
      nft_address: contract.nftAddress,
      nft_id: nftId,
      nft_name: nftId === '' ? contract.name : faceOf(contract, nftId).nft_name,
      quantity: input.quantity,
      offerer,
      total_price: input.totalPrice,
      ...payToken,
      expire_time: expires,
    })
    return offerOf(row)
  },

  async forNft(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    const token = { nftAddress: input.nftAddress.toLowerCase(), nftId: input.nftId }
    return pageOf(query, await store.pageForNft(db, project, token, query), offerOf)
  },

  async highestByCollection(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    return pageOf(
      query,
      await store.pageOfHighest(db, project, input.nftAddress.toLowerCase(), query),
      offerOf,
    )
  },

  async highestByOwner(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    const owner = input.owner.toLowerCase()
    return pageOf(query, await store.pageOfHighestByOwner(db, project, owner, query), offerOf)
  },

  async maxByTokenType({ nftAddress, nftId }, { db, project }) {
    const rows = await store.maxByPayToken(db, project, { nftAddress: nftAddress.toLowerCase(), nftId })
    return rows.map((row) => ({
      offer: offerOf(row),
      payTokenAddress: row.pay_token_address,
      payTokenType: row.pay_token_type,
    }))
  },

  async received(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    const filter = { address: input.address.toLowerCase(), status: input.status }
    return pageOf(query, await store.pageOfReceived(db, project, filter, query), offerOf)
  },

  async mine(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    const filter = { address: input.address.toLowerCase(), status: input.status }
    return pageOf(query, await store.pageOfMine(db, project, filter, query), offerOf)
  },

  async accept(input, context) {
    const { db, project, chains, orderSettings: settings, refuse, invalid } = context
    const owner = walletOf('owner', input.owner, invalid)
    const offer = await store.find(db, project, input.id)
    if (offer === undefined) return refuse(NotFoundError, NO_OFFER)
    const nftId = offer.nft_id === '' ? input.nftId : offer.nft_id
    if (nftId === undefined) return invalid('nftId', 'Expected a token: the offer is for any of a collection')
    if (input.nftId !== undefined && input.nftId !== nftId)
      invalid('nftId', `Expected the offer's own: ${nftId}`)
    if (offer.offerer === owner) invalid('owner', 'Expected another wallet than the offerer')
    const block = await askChain(context, 'newestBlock', () => chains.newestBlock(offer.chain_id))
    return await transaction(db, async (trx) => {
      const { chain_id: chainId, nft_address: nftAddress, quantity, id } = offer
      const asset = await findAsset(trx, project, { chainId, nftAddress, nftId, owner })
      // An offer that is over is told first; what the statement below finds decides.
      if (offer.status !== 'ACTIVE' || offer.expired) refuse(OFFER_CLOSED)
      if (asset === undefined) return refuse(NOT_ENOUGH_OWNED)
      const held = await promise(trx, project, asset.id, { kind: 'offer', id, quantity }).catch(
        (error: unknown) => {
          // An offer is accepted once: another owner was first.
          if (isUniqueViolation(error, 'one_hold_a_holder')) return refuse(OFFER_CLOSED)
          throw error
        },
      )
      if (!held) refuse(NOT_ENOUGH_OWNED)
      const accepted = await store.answer(trx, project, id, 'ACCEPTED', owner)
      if (accepted === undefined) return refuse(OFFER_CLOSED)
      const contract = await contracts.find(trx, project, nftAddress)
      const face = faceOf({ name: contract?.name ?? '', imgUrl: contract?.imgUrl ?? '' }, nftId)
      const sold = { ...accepted, nft_id: nftId, nft_type: asset.nft_type, ...face }
      const sale = {
        market_type: OFFER,
        quantity,
        sender: owner,
        recipient: accepted.offerer,
        order_amount: accepted.total_price,
        pay_amount: accepted.total_price,
        offer_id: id,
        placed_at_block: block,
      }
      return orderOf(await addOrder(trx, sold, sale, settings.awardExpirySeconds))
    })
  },

  async reject({ id, owner: text }, { db, project, refuse }) {
    const owner = text.toLowerCase()
    return await transaction(db, async (trx) => {
      const offer = await store.find(trx, project, id)
      if (offer === undefined) return refuse(NotFoundError, NO_OFFER)
      // Again is the same answer, also when the token is somebody else's by now.
      if (offer.status === 'REJECTED' && offer.answered_by === owner) return offerOf(offer)
      const { owns, others } = await store.ownersOf(trx, project, offer, owner)
      if (!owns) refuse(OFFER_NOT_YOURS)
      if (others || offer.nft_id === '') refuse(OFFER_FOR_OTHERS)
      const rejected = await store.answer(trx, project, id, 'REJECTED', owner)
      return rejected === undefined ? refuse(OFFER_CLOSED) : offerOf(rejected)
    })
  },

  async cancel({ id, offerer }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      const offer = await store.find(trx, project, id)
      if (offer === undefined) return refuse(NotFoundError, NO_OFFER)
      if (offer.offerer !== offerer.toLowerCase()) refuse(OFFER_NOT_YOURS)
      if (offer.status === 'CANCELLED') return offerOf(offer)
      const cancelled = await store.answer(trx, project, id, 'CANCELLED')
      return cancelled === undefined ? refuse(OFFER_CLOSED) : offerOf(cancelled)
    })
  },
})
