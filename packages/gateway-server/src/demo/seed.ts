import { type Database, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { drawQrCode } from '../domains/cards/programs/card-rules.ts'
import * as cards from '../domains/cards/programs/cards-store.ts'
import type { Tables } from '../tables.ts'
import { seedOrder } from './seed-order.ts'

/** What the demo's rows are made of. Addresses may be in any case. */
export interface DemoSeed {
  project: number
  /** A wallet with info; also the buyer of the order. */
  wallet: string
  /** The creator of the commemorative cards; also the seller of the order. */
  creator: string
  nftAddress: string
  chainId: string
  /** The ERC-20 that the order is paid in, with its decimals. */
  payToken: { address: string; decimals: number }
}

/**
 * Gives a project rows to look at: a wallet with info, a contract, an edition of a print that the creator owns, three commemorative cards, and
 * an order that waits for its payment. Doing it
 * again changes nothing, but for a new order when the one before was paid.
 */
export async function seedDemo(database: Database<Tables>, seed: DemoSeed): Promise<{ orderNo: string }> {
  const { project, chainId } = seed
  const [wallet, creator, nftAddress] = [seed.wallet, seed.creator, seed.nftAddress].map((address) =>
    address.toLowerCase(),
  ) as [string, string, string]
  return await transaction(database.forProject(project), async (db) => {
    await db
      .insertInto('gateway.wallet_info')
      .values([
        {
          project_id: project,
          address: wallet,
          name: 'Ada Collector',
          email: 'ada@example.com',
          description: 'Collects prints of the early web.',
          background: 'https://example.com/backgrounds/ada.png',
          profile_photo: 'https://example.com/photos/ada.png',
          showcase_background: 'https://example.com/showcases/ada.png',
        },
        { project_id: project, address: creator, name: 'Print Studio', description: 'Makes prints.' },
      ])
      .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
      .execute()
    await db
      .insertInto('gateway.contracts')
      .values({
        project_id: project,
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
          // As a parameter it would not name the partial index once the statement has a generic plan.
          .where('deleted', '=', sql.lit(false))
          .doNothing(),
      )
      .execute()
    const known = await db
      .selectFrom('gateway.cards')
      .select('id')
      .where('project_id', '=', project)
      .where('program', '=', 'commemorative')
      .where('creator', '=', creator)
      .limit(1)
      .executeTakeFirst()
    const end = new Date('2030-12-31T23:59:59Z')
    const demoCards = [
      { name: 'Opening night', amount: '10' },
      { name: 'First hundred', amount: '25.5' },
      { name: 'Anniversary', amount: '50' },
    ].map((card) => ({
      ...card,
      project_id: project,
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
    if (known === undefined) await cards.addAll(db, demoCards)
    const orderNo = await seedOrder(db, {
      ...{ project, chainId, nftAddress, payToken: seed.payToken },
      ...{ seller: creator, buyer: wallet },
    })
    return { orderNo }
  })
}
