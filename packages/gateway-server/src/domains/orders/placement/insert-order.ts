import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import { EMPTY_PROFILE, findDisplayProfiles } from '../../wallet/profile-store.ts'
import * as store from '../orders-store.ts'

type OrderTable = Insertable<Tables['gateway.orders']>

/** What is sold and how it is paid, in the columns that listings, auctions and offers share. */
export type Sold = Pick<
  OrderTable,
  'project_id' | 'chain_id' | 'nft_address' | 'nft_id' | 'nft_type' | 'nft_img' | 'pay_token_decimals'
> & { readonly nft_name: string; readonly pay_token_address: string; readonly pay_token_type: string }

/** What an order is beside that; `sender` sells, `recipient` buys. */
export type Sale = Pick<
  OrderTable,
  'market_type' | 'quantity' | 'sender' | 'recipient' | 'order_amount' | 'pay_amount' | 'placed_at_block'
> &
  Partial<
    Pick<OrderTable, 'coupon_code' | 'coupon_type' | 'listing_id' | 'auction_id' | 'offer_id' | 'phase_id'>
  >

/** Makes an order that waits for its payment. What it is of is reserved by the same transaction. */
export async function addOrder(
  trx: Db,
  sold: Sold,
  sale: Sale,
  expirySeconds: number,
): Promise<store.OrderRow> {
  const { project_id, chain_id, nft_address, nft_id, nft_type, nft_name, nft_img } = sold
  const { pay_token_address, pay_token_type, pay_token_decimals } = sold
  const faces = await findDisplayProfiles(trx, project_id, [sale.sender, sale.recipient])
  const [seller, buyer] = [
    faces.get(sale.sender) ?? EMPTY_PROFILE,
    faces.get(sale.recipient) ?? EMPTY_PROFILE,
  ]
  const orderNo = randomUUID().replaceAll('-', '')
  return await store.add(
    trx,
    {
      ...{ project_id, order_no: orderNo, serial_no: orderNo.slice(0, 12), name: nft_name },
      ...{ chain_id, nft_address, nft_id, nft_type, nft_name, nft_img },
      ...{ pay_token_address, pay_token_type, pay_token_decimals },
      sender_name: seller.name,
      sender_photo: seller.photo,
      recipient_name: buyer.name,
      recipient_photo: buyer.photo,
      stock: 'held',
      search_key: nft_name.toLowerCase(),
      ...sale,
    },
    expirySeconds,
  )
}
