import type { Listing, SaleCollection } from '@mintmark/market'
import { type Reader, toReference } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { AllFields } from '../../../http/record-mapping.ts'
import { toCoupon } from '../coupons/coupon-records.ts'
import { type Coupons, findCoupons } from '../coupons/coupons-store.ts'
import type { ContractRow, TokenStatistics } from './collections-store.ts'
import type { ListingRow } from './listings-store.ts'

/** Returns the record of one listing, with its coupon. */
export async function toListingWithCoupon(tenant: Tenant, row: ListingRow, reader: Reader): Promise<Listing> {
  return toListing(row, await findCoupons(tenant, [row]), reader)
}

/** @param coupons The coupons of the listings, by their ids. */
export function toListing(row: ListingRow, coupons: Coupons, reader: Reader): AllFields<Listing> {
  const isOpen = row.status === 'ON' || row.status === 'INACTIVE'
  const coupon = coupons.get(row.coupon_id ?? 0)
  return {
    chainId: row.chain_id,
    coupon: coupon === undefined ? {} : toCoupon(coupon, reader),
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
    reference: toReference(row, reader),
    remaining: row.remaining,
    reservedFor: row.reserved_for,
    seller: row.seller,
    sold: row.sold,
    startTime: row.start_time.toISOString(),
    // A listing that has ended is EXPIRED before the job writes it.
    status: isOpen && row.ended ? 'EXPIRED' : row.status,
    updateTime: row.updated_at.toISOString(),
  }
}

/** @param statistics By pay token, the one with most listings first. */
export function toSaleCollection(
  row: ContractRow,
  statistics: readonly TokenStatistics[],
): AllFields<SaleCollection> {
  const ofContract = statistics.filter(
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
    listed: ofContract.reduce((sum, { listed }) => sum + listed, 0),
    floorPrice: ofContract[0]?.floorPrice ?? '0',
    volume: ofContract[0]?.volume ?? '0',
    payTokenAddress: ofContract[0]?.token ?? '',
  }
}
