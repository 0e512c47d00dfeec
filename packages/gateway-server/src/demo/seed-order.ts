import { OrderStatus } from '@mintmark/orders'
import { sql } from 'kysely'
import type { Tenant } from '../database/tenant.ts'
import * as contracts from '../domains/contracts/contracts/contracts-store.ts'
import * as nfts from '../domains/contracts/nfts/nfts-store.ts'
import { findAsset, increase } from '../domains/inventory/assets-store.ts'
import { DEFAULT_ORDER_SETTINGS } from '../domains/inventory/order-settings.ts'
import { reserve } from '../domains/inventory/reservations-store.ts'
import { COMMON_SALE } from '../domains/market/listing-rules.ts'
import * as listings from '../domains/market/listings/listings-store.ts'
import { placeOrder } from '../domains/orders/placement/place-order.ts'
import { findInventory } from '../main/composition.ts'

/** The sale of the demo's order. Addresses are in lower case. */
export interface DemoSale {
  readonly chainId: string
  readonly nftAddress: string
  readonly seller: string
  readonly buyer: string
  readonly payToken: { address: string; decimals: number }
}

const EDITION = 10_000
/** The demo's order does not expire after fifteen minutes. */
const YEARS = { order: 50 * 365 * 86_400, listing: new Date('2099-01-01T00:00:00Z') }

/** Ensures that the seller owns an edition, of which it can list a part. */
async function seedEdition(tenant: Tenant, { seller, ...sale }: DemoSale) {
  const token = { chainId: sale.chainId, nftAddress: sale.nftAddress, nftId: '1', owner: seller }
  const contract = await contracts.find(tenant, sale.nftAddress)
  if (contract === undefined) throw new Error('The demo’s contract was not stored')
  const print = {
    contract_id: contract.id,
    chain_id: token.chainId,
    nft_address: token.nftAddress,
    nft_id: token.nftId,
    nft_type: 'ERC1155',
    name: 'Early Web Prints #1',
    quantity: EDITION,
    creator: seller,
    first_owner: seller,
    img_url: 'https://example.com/prints.png',
    royalty_percentage: 5,
    properties: JSON.stringify([{ trait_type: 'paper', value: 'cotton' }]),
  }
  await nfts.add(tenant, print, [{ trait_type: 'paper', value: 'cotton' }])
  if ((await findAsset(tenant, token)) === undefined)
    await increase(tenant, { ...token, nftType: 'ERC1155' }, EDITION)
  const asset = await findAsset(tenant, token)
  if (asset === undefined) throw new Error('The demo’s print was not stored')
  return asset
}

/** Returns the number of an unpaid order: an existing one, or a new one of a new listing. */
export async function seedOrder(tenant: Tenant, sale: DemoSale): Promise<string> {
  const { buyer } = sale
  const asset = await seedEdition(tenant, sale)
  const open = await tenant
    .selectFrom('gateway.orders')
    .select('order_no')
    .where('recipient', '=', buyer)
    .where('status', '=', OrderStatus.PRE)
    .where('expires_at', '>', sql<Date>`clock_timestamp() + interval '1 year'`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (open) return open.order_no
  const listing = await listings.add(tenant, {
    market_type: COMMON_SALE,
    asset_id: asset.id,
    chain_id: sale.chainId,
    nft_address: sale.nftAddress,
    nft_id: asset.nft_id,
    nft_type: asset.nft_type,
    nft_name: 'Early Web Prints #1',
    nft_img: 'https://example.com/prints.png',
    seller: sale.seller,
    quantity: 1,
    remaining: 1,
    pay_price: (25n * 10n ** BigInt(sale.payToken.decimals)).toString(),
    pay_token_address: sale.payToken.address.toLowerCase(),
    pay_token_type: 'ERC20',
    pay_token_decimals: sale.payToken.decimals,
    end_time: YEARS.listing,
  })
  if (!(await reserve(tenant, asset.id, { kind: 'listing', id: listing.id }, 1)))
    throw new Error('The demo’s edition is sold out. Remove DATA_DIR to start again')
  const request = { listing: listing.id, quantity: 1, recipient: buyer, block: 0 }
  const settings = { ...DEFAULT_ORDER_SETTINGS, expirySeconds: YEARS.order }
  return (await placeOrder(tenant, findInventory, request, settings)).order_no
}
