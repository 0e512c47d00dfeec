import { randomUUID } from 'node:crypto'
import { NOT_ENOUGH_OWNED, OFFER_CLOSED, OFFER_FOR_OTHERS, OFFER_NOT_YOURS, offers } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import {
  isUniqueViolation,
  type Refuse,
  readPageQuery,
  refusal,
  toPage,
  withPreparation,
} from '@mintmark/server-kit'
import { readNewestBlock } from '../../../chain/read-chain.ts'
import { type Reader, toReferenceFilter } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { findAsset } from '../../inventory/assets-store.ts'
import { OFFER } from '../listing-rules.ts'
import { findSaleTarget, toDisplayColumns } from '../listings/listing-input.ts'
import type { MarketPorts } from '../market-ports.ts'
import { reserveAsset } from '../reserve-asset.ts'
import { offerLimits, toOffer, toOfferColumns } from './offer-records.ts'
import * as store from './offers-store.ts'

const NO_OFFER = 'No offer has this id'

const toOfferFor = (reader: Reader) => (row: store.OfferRow) => toOffer(row, reader)

export const offerRoutes = implementWithLimits<MarketPorts>(offerLimits)(offers, {
  create: withPreparation(findSaleTarget, async (input, context, { contract, payToken }) => {
    const { tenant } = context
    const { nftId } = input
    const row = await store.add(tenant, {
      ...toOfferColumns(input, context),
      ...payToken,
      offer_no: randomUUID().replaceAll('-', ''),
      chain_id: contract.chainId,
      nft_name: nftId === undefined ? contract.name : toDisplayColumns(contract, nftId).nft_name,
    })
    return toOffer(row, context)
  }),

  async forNft(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    return toPage(query, await store.listForNft(tenant, input, query), toOfferFor(context))
  },

  async highestByCollection(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    return toPage(query, await store.listHighest(tenant, input.nftAddress, query), toOfferFor(context))
  },

  async highestByOwner(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    return toPage(query, await store.listHighestByOwner(tenant, input.owner, query), toOfferFor(context))
  },

  async maxByTokenType(input, context) {
    const rows = await store.listHighestByPayToken(context.tenant, input)
    return rows.map((row) => ({
      offer: toOffer(row, context),
      payTokenAddress: row.pay_token_address,
      payTokenType: row.pay_token_type,
    }))
  },

  async received(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    return toPage(query, await store.listReceived(tenant, input, query), toOfferFor(context))
  },

  async mine(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.OFFER_ORDERS, invalid)
    const references = toReferenceFilter(input.reference, context)
    return toPage(query, await store.listMade(tenant, { ...input, references }, query), toOfferFor(context))
  },

  accept: withPreparation(
    async (input, context) => {
      const { tenant, invalid } = context
      const offer = ensureFound(await store.find(tenant, input.id), NO_OFFER)
      const nftId = readToken(offer, input, invalid)
      if (offer.offerer === input.owner) invalid('owner', 'Expected another wallet than the offerer')
      return { offer, nftId, block: await readNewestBlock(context, 'id', offer.chain_id) }
    },
    async ({ owner }, context, { offer, nftId, block }) => {
      const { tenant, orders, orderSettings: settings } = context
      return await tenant.transaction(async (trx) => {
        const { chain_id: chainId, nft_address: nftAddress, quantity, id } = offer
        const asset = await findAsset(trx, { chainId, nftAddress, nftId, owner })
        // A closed offer is reported first. The guarded update below decides.
        if (offer.status !== 'ACTIVE' || offer.expired) throw refusal(OFFER_CLOSED)
        if (asset === undefined) throw refusal(NOT_ENOUGH_OWNED)
        await reserveForOffer(trx, asset.id, offer)
        const accepted = await store.close(trx, id, 'ACCEPTED', owner)
        if (accepted === undefined) throw refusal(OFFER_CLOSED)
        const contract = await contracts.find(trx, nftAddress)
        const display = toDisplayColumns(
          { name: contract?.name ?? '', imgUrl: contract?.imgUrl ?? '' },
          nftId,
        )
        const token = { ...accepted, nft_id: nftId, nft_type: asset.nft_type, ...display }
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
        return await orders.create(trx, token, sale, { expirySeconds: settings.awardExpirySeconds })
      })
    },
  ),

  async reject({ id, owner }, context) {
    const { tenant } = context
    return await tenant.transaction(async (trx) => {
      const offer = ensureFound(await store.find(trx, id), NO_OFFER)
      // Idempotent: repeating the call returns the same offer, even if the token has another owner since.
      if (offer.status === 'REJECTED' && offer.answered_by === owner) return toOffer(offer, context)
      const { owns, others } = await store.findOwnership(trx, offer, owner)
      if (!owns) throw refusal(OFFER_NOT_YOURS)
      if (others || offer.nft_id === '') throw refusal(OFFER_FOR_OTHERS)
      const row = await store.close(trx, id, 'REJECTED', owner)
      if (row === undefined) throw refusal(OFFER_CLOSED)
      return toOffer(row, context)
    })
  },

  async cancel({ id, offerer }, context) {
    const { tenant } = context
    return await tenant.transaction(async (trx) => {
      const offer = ensureFound(await store.find(trx, id), NO_OFFER)
      if (offer.offerer !== offerer) throw refusal(OFFER_NOT_YOURS)
      if (offer.status === 'CANCELLED') return toOffer(offer, context)
      const row = await store.close(trx, id, 'CANCELLED')
      if (row === undefined) throw refusal(OFFER_CLOSED)
      return toOffer(row, context)
    })
  },
})

/**
 * Returns the token that an offer is accepted with: the offer's own, or the input's for an offer for a
 * collection.
 */
function readToken(
  offer: store.OfferRow,
  input: InputOf<typeof offers.accept>,
  invalid: Refuse['invalid'],
): string {
  const nftId = offer.nft_id === '' ? input.nftId : offer.nft_id
  if (nftId === undefined) return invalid('nftId', 'Required: the offer is for any token of a collection')
  if (input.nftId !== undefined && input.nftId !== nftId)
    invalid('nftId', `Expected the token of the offer: ${nftId}`)
  return nftId
}

/** Reserves the quantity of an offer. An offer is accepted once: refuses if another owner was first. */
async function reserveForOffer(trx: Tenant, asset: number, { id, quantity }: store.OfferRow): Promise<void> {
  const isReserved = await reserveAsset(trx, asset, { kind: 'offer', id }, quantity).catch(
    (error: unknown) => {
      if (isUniqueViolation(error, 'one_reservation_per_holder')) throw refusal(OFFER_CLOSED)
      throw error
    },
  )
  if (isReserved) return
  // A concurrent call may have accepted the offer with these units. It has ended, because this one waited for
  // the asset.
  const current = await store.find(trx, id)
  throw refusal(current?.status === 'ACTIVE' ? NOT_ENOUGH_OWNED : OFFER_CLOSED)
}
