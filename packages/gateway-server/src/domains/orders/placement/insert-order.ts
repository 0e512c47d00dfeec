import { randomUUID } from 'node:crypto'
import type { Tenant } from '../../../database/tenant.ts'
import type { OrderTerms, SoldItem } from '../../inventory/order-port.ts'
import { EMPTY_PROFILE, findDisplayProfiles } from '../../wallet/profile-store.ts'
import * as store from '../orders-store.ts'

/** Creates an order that waits for its payment. The same transaction reserves what it sells. */
export async function insertOrder(
  trx: Tenant,
  item: SoldItem,
  terms: OrderTerms,
  expirySeconds: number,
): Promise<store.OrderRow> {
  const profiles = await findDisplayProfiles(trx, [terms.sender, terms.recipient])
  const seller = profiles.get(terms.sender) ?? EMPTY_PROFILE
  const buyer = profiles.get(terms.recipient) ?? EMPTY_PROFILE
  const orderNo = randomUUID().replaceAll('-', '')
  const order = {
    project_id: item.project_id,
    order_no: orderNo,
    serial_no: orderNo.slice(0, 12),
    name: item.nft_name,
    chain_id: item.chain_id,
    nft_address: item.nft_address,
    nft_id: item.nft_id,
    nft_type: item.nft_type,
    nft_name: item.nft_name,
    nft_img: item.nft_img,
    pay_token_address: item.pay_token_address,
    pay_token_type: item.pay_token_type,
    pay_token_decimals: item.pay_token_decimals,
    sender_name: seller.name,
    sender_photo: seller.photo,
    recipient_name: buyer.name,
    recipient_photo: buyer.photo,
    stock: 'reserved',
    search_key: item.nft_name.toLowerCase(),
    ...terms,
  } as const
  return await store.add(trx, order, expirySeconds)
}
