import type { Offer } from '@mintmark/market'
import type { OfferRow } from './offers-store.ts'

export function offerOf(row: OfferRow): Offer {
  return {
    chainId: row.chain_id,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    expireTime: row.expire_time.toISOString(),
    id: row.id,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftName: row.nft_name,
    offerer: row.offerer,
    offerNo: row.offer_no,
    orderNo: row.order_no,
    payTokenAddress: row.pay_token_address,
    payTokenDecimals: row.pay_token_decimals,
    payTokenType: row.pay_token_type,
    projectId: row.project_id,
    quantity: row.quantity,
    // Past its time it is shown as what it will be: nothing waits for the job that writes it.
    status: row.status === 'ACTIVE' && row.expired ? 'EXPIRED' : row.status,
    totalPrice: row.total_price,
    updateTime: row.updated_at.toISOString(),
  }
}
