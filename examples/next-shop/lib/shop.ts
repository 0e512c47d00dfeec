import 'server-only'
import { NotFoundError } from '@mintmark/envelope'
import { commonSales, type Listing } from '@mintmark/market'
import { getGateway } from './gateway.ts'
import { readSetting } from './settings.ts'

const PAGE_SIZE = 12

/** Lists what this shop sells: the open listings of its seller. */
export async function listListings(): Promise<readonly Listing[]> {
  const seller = readSetting('SHOP_SELLER')
  const { list } = await commonSales.list(getGateway(), { seller, pageSize: PAGE_SIZE })
  return list
}

/** Returns a listing of this shop. NotFoundError also for those of other sellers. */
export async function findListing(id: number): Promise<Listing> {
  const listing = await commonSales.get(getGateway(), { id })
  if (listing.seller === readSetting('SHOP_SELLER').toLowerCase()) return listing
  throw new NotFoundError('The listing belongs to another seller', { operation: 'commonSales.get' })
}
