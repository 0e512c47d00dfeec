import type { Listing, SaleCollection } from '@mintmark/market'
import type { Db } from '../../../context.ts'
import { couponOf } from '../coupons/coupon-records.ts'
import { type Coupons, couponsOf } from '../coupons/coupons-store.ts'
import type { ContractRow, TokenFigures } from './collections-store.ts'
import type { ListingRow } from './listings-store.ts'

/** One listing with its coupon. */
export async function shownListing(db: Db, row: ListingRow): Promise<Listing> {
  return listingOf(row, await couponsOf(db, row.project_id, [row]))
}

/** @param coupons Those of the listings that are told, by their ids. */
export function listingOf(row: ListingRow, coupons: Coupons): Listing {
  const open = row.status === 'ON' || row.status === 'INACTIVE'
  const coupon = coupons.get(row.coupon_id ?? 0)
  return {
    chainId: row.chain_id,
    coupon: coupon === undefined ? {} : couponOf(coupon),
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    endTime: row.end_time.toISOString(),
    id: row.id,
    marketType: row.market_type,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftImg: row.nft_img,
    nftName: row.nft_name,
    nftType: row.nft_type,
    payPrice: row.pay_price,
    payTokenAddress: row.pay_token_address,
    payTokenDecimals: row.pay_token_decimals,
    payTokenType: row.pay_token_type,
    projectId: row.project_id,
    quantity: row.quantity,
    remaining: row.remaining,
    reservedFor: row.reserved_for,
    seller: row.seller,
    sold: row.sold,
    startTime: row.start_time.toISOString(),
    // Past its end it is shown as what it will be: nothing waits for the job that writes it.
    status: open && row.ended ? 'EXPIRED' : row.status,
    updateTime: row.updated_at.toISOString(),
  }
}

/** @param figures Of all its pay tokens, the one most listings ask for first. */
export function collectionOf(row: ContractRow, figures: readonly TokenFigures[]): SaleCollection {
  const own = figures.filter(
    ({ chainId, nftAddress }) => chainId === row.chain_id && nftAddress === row.nft_address,
  )
  return {
    contract: {
      chainId: row.chain_id,
      id: row.id,
      imgUrl: row.img_url,
      name: row.name,
      nftAddress: row.nft_address,
      nftType: row.nft_type,
      owner: row.owner,
      symbol: row.symbol,
    },
    listed: own.reduce((sum, { listed }) => sum + listed, 0),
    floorPrice: own[0]?.floorPrice ?? '0',
    volume: own[0]?.volume ?? '0',
    payTokenAddress: own[0]?.token ?? '',
  }
}
