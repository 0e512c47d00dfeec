import { Listing, type SaleCollection } from '@mintmark/market'
import { type Reader, toReference } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import { toCoupon } from '../coupons/coupon-records.ts'
import { type Coupons, findCoupons } from '../coupons/coupons-store.ts'
import type { ContractRow, TokenStatistics } from './collections-store.ts'
import type { ListingRow } from './listings-store.ts'

/** Returns the record of one listing, with its coupon. */
export async function toListingWithCoupon(tenant: Tenant, row: ListingRow, reader: Reader): Promise<Listing> {
  return toListing(row, await findCoupons(tenant, [row]), reader)
}

/** @param coupons The coupons of the listings, by their ids. */
export function toListing(row: ListingRow, coupons: Coupons, reader: Reader): Listing {
  const isOpen = row.status === 'ON' || row.status === 'INACTIVE'
  const coupon = coupons.get(row.coupon_id ?? 0)
  return toRecord(Listing, row, {
    coupon: coupon === undefined ? {} : toCoupon(coupon, reader),
    reference: toReference(row, reader),
    // A listing that has ended is EXPIRED before the job writes it.
    status: isOpen && row.ended ? 'EXPIRED' : row.status,
  })
}

/** @param statistics By pay token, the one with most listings first. */
export function toSaleCollection(row: ContractRow, statistics: readonly TokenStatistics[]): SaleCollection {
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
