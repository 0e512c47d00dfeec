import { randomUUID } from 'node:crypto'
import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../context.ts'
import * as listings from '../market/listings-store.ts'
import { whyClosed } from '../market/sale-rules.ts'
import { facesOf, NO_FACE } from '../wallet/wallet-info-store.ts'
import { advance } from './advance.ts'
import type { OrderSettings } from './order-settings.ts'
import * as store from './orders-store.ts'
import * as stock from './stock-store.ts'

/** What is ordered. */
export interface Asked {
  readonly project: number
  readonly listing: number
  readonly quantity: number
  readonly recipient: string
  /** The chain's newest block, read before. */
  readonly block: number
}

/** Why nothing was ordered. */
export type NotPlaced = 'not_open' | 'out_of_stock' | 'too_many_open'

class Unplaced extends Error {
  readonly why: NotPlaced

  constructor(why: NotPlaced) {
    super(why)
    this.why = why
  }
}

/**
 * Reserves and makes an order. What fails for want of stock, or of room in the wallet's limit, first ends the listing's orders that wait past
 * their time, and is tried once more.
 */
export async function placeOrder(
  trx: Db,
  asked: Asked,
  settings: OrderSettings,
): Promise<store.OrderRow | NotPlaced> {
  for (let last = false; ; last = true) {
    try {
      // A part of its own: what it locked is let go before others' orders are ended.
      return await transaction(trx, (part) => reserveAndAdd(part, asked, settings))
    } catch (error) {
      if (!(error instanceof Unplaced)) throw error
      const hopeless = last || error.why === 'not_open'
      if (hopeless || (await expireOrders(trx, asked)) === 0) return error.why
    }
  }
}

async function expireOrders(trx: Db, { project, listing }: Asked): Promise<number> {
  const waiting = await store.lockExpired(trx, project, listing)
  for (const order of waiting) {
    await advance(trx, order, 'expired')
    await store.lookAgain(trx, order, undefined)
  }
  return waiting.length
}

async function reserveAndAdd(trx: Db, asked: Asked, settings: OrderSettings): Promise<store.OrderRow> {
  const { project, quantity, recipient } = asked
  const of = { project, listing: asked.listing, quantity }
  const listing = await stock.reserveNew(trx, of)
  if (listing === undefined) {
    const found = await listings.find(trx, project, asked.listing)
    throw new Unplaced(found === undefined ? 'not_open' : whyClosed(found, quantity, new Date()))
  }
  if (!(await stock.countOpen(trx, of, recipient, settings.openOrders))) throw new Unplaced('too_many_open')
  const faces = await facesOf(trx, project, [listing.seller, recipient])
  const [seller, buyer] = [faces.get(listing.seller) ?? NO_FACE, faces.get(recipient) ?? NO_FACE]
  const amount = (BigInt(listing.pay_price) * BigInt(quantity)).toString()
  const orderNo = randomUUID().replaceAll('-', '')
  return await store.add(
    trx,
    {
      project_id: project,
      order_no: orderNo,
      serial_no: orderNo.slice(0, 12),
      market_type: listing.market_type,
      name: listing.nft_name,
      chain_id: listing.chain_id,
      nft_address: listing.nft_address,
      nft_id: listing.nft_id,
      nft_type: listing.nft_type,
      nft_name: listing.nft_name,
      nft_img: listing.nft_img,
      quantity,
      sender: listing.seller,
      sender_name: seller.name,
      sender_photo: seller.photo,
      recipient,
      recipient_name: buyer.name,
      recipient_photo: buyer.photo,
      order_amount: amount,
      pay_amount: amount,
      pay_token_address: listing.pay_token_address,
      pay_token_type: listing.pay_token_type,
      pay_token_decimals: listing.pay_token_decimals,
      listing_id: listing.id,
      stock: 'held',
      placed_at_block: asked.block,
      search_key: listing.nft_name.toLowerCase(),
    },
    settings.expirySeconds,
  )
}
