import type { Database } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { openTenant, type Tenant } from '../database/tenant.ts'
import { drawQrCode } from '../domains/cards/programs/card-rules.ts'
import * as cards from '../domains/cards/programs/cards-store.ts'
import { seedOrder } from './seed-order.ts'

/** The parameters of the demo. Addresses may be in any case. */
export interface DemoSeed {
  project: number
  /** A wallet with a profile, which is also the buyer of the order. */
  wallet: string
  /** The creator of the commemorative cards, who is also the seller of the order. */
  creator: string
  nftAddress: string
  chainId: string
  /** The ERC-20 token of the order's price, with its decimals. */
  payToken: { address: string; decimals: number }
}

/**
 * Creates sample rows in a project: two profiles, a contract, an edition that the creator owns, three
 * commemorative cards and an unpaid order. Idempotent, except that it creates a new order when the previous
 * one has been paid.
 */
export async function seedDemo(database: Database<Tables>, seed: DemoSeed): Promise<{ orderNo: string }> {
  const { project, chainId } = seed
  const wallet = seed.wallet.toLowerCase()
  const creator = seed.creator.toLowerCase()
  const nftAddress = seed.nftAddress.toLowerCase()
  return await openTenant(database, project).transaction(async (tenant) => {
    await seedProfiles(tenant, wallet, creator)
    await seedContract(tenant, { chainId, nftAddress, creator })
    await seedCards(tenant, { chainId, nftAddress, creator })
    const sale = { chainId, nftAddress, payToken: seed.payToken, seller: creator, buyer: wallet }
    return { orderNo: await seedOrder(tenant, sale) }
  })
}

interface Collection {
  readonly chainId: string
  readonly nftAddress: string
  readonly creator: string
}

async function seedProfiles(tenant: Tenant, wallet: string, creator: string): Promise<void> {
  await tenant
    .insertInto('gateway.wallet_info')
    .values([
      {
        address: wallet,
        name: 'Ada Collector',
        email: 'ada@example.com',
        description: 'Collects prints of the early web.',
        background: 'https://example.com/backgrounds/ada.png',
        profile_photo: 'https://example.com/photos/ada.png',
        showcase_background: 'https://example.com/showcases/ada.png',
      },
      { address: creator, name: 'Print Studio', description: 'Makes prints.' },
    ])
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
    .execute()
}

async function seedContract(tenant: Tenant, { chainId, nftAddress, creator }: Collection): Promise<void> {
  await tenant
    .insertInto('gateway.contracts')
    .values({
      chain_id: chainId,
      nft_address: nftAddress,
      name: 'Early Web Prints',
      symbol: 'PRINT',
      nft_type: 'ERC1155',
      contract_type: 'collection',
      owner: creator,
      description: 'Prints of pages that everybody remembers.',
      img_url: 'https://example.com/prints.png',
      channel: 'demo',
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'nft_address', 'chain_id'])
        // A literal: with a parameter, a generic plan could not select the partial index.
        .where('deleted', '=', sql.lit(false))
        .doNothing(),
    )
    .execute()
}

async function seedCards(tenant: Tenant, { chainId, nftAddress, creator }: Collection): Promise<void> {
  const existing = await tenant
    .selectFrom('gateway.cards')
    .select('id')
    .where('program', '=', 'commemorative')
    .where('creator', '=', creator)
    .limit(1)
    .executeTakeFirst()
  if (existing !== undefined) return
  const end = new Date('2030-12-31T23:59:59Z')
  const demoCards = [
    { name: 'Opening night', amount: '10' },
    { name: 'First hundred', amount: '25.5' },
    { name: 'Anniversary', amount: '50' },
  ].map((card) => ({
    ...card,
    program: 'commemorative' as const,
    creator,
    chain_id: chainId,
    nft_address: nftAddress,
    nft_id: '1',
    nft_type: 'ERC1155',
    start_time: new Date('2026-01-01T00:00:00Z'),
    end_time: end,
    validity_period: end,
    total_issued: 100,
    image_url: 'https://example.com/cards/opening.png',
    qr_code: drawQrCode(),
    usage_instructions: 'Show it at the door.',
  }))
  await cards.addAll(tenant, demoCards)
}
