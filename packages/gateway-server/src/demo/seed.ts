import { randomUUID } from 'node:crypto'
import { OrderStatus } from '@mintmark/orders'
import { type Database, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { newQrCode } from '../groups/cards/card-rules.ts'
import * as cards from '../groups/cards/cards-store.ts'
import type { Tables } from '../tables.ts'

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
 * Gives a project rows to look at: a wallet with info, a contract, three commemorative cards, and an order that waits for its payment. Doing it
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
        nft_type: 'ERC721',
        contract_type: 'collection',
        owner: creator,
        description: 'Prints of pages that everybody remembers.',
        img_url: 'https://example.com/prints.png',
        channel: 'demo',
      })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'nft_address', 'chain_id']).where('deleted', '=', false).doNothing(),
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
    for (const [name, amount] of known
      ? []
      : ([
          ['Opening night', 10],
          ['First hundred', 25.5],
          ['Anniversary', 50],
        ] as const)) {
      const end = new Date('2030-12-31T23:59:59Z')
      await cards.add(db, {
        project_id: project,
        program: 'commemorative',
        name,
        creator,
        chain_id: chainId,
        nft_address: nftAddress,
        nft_id: '1',
        nft_type: 'ERC721',
        start_time: new Date('2026-01-01T00:00:00Z'),
        end_time: end,
        validity_period: end,
        total_issued: 100,
        amount: String(amount),
        image_url: 'https://example.com/cards/opening.png',
        qr_code: newQrCode(),
        usage_instructions: 'Show it at the door.',
      })
    }
    const open = await db
      .selectFrom('gateway.orders')
      .select('order_no')
      .where('project_id', '=', project)
      .where('recipient', '=', wallet)
      .where('status', 'in', [OrderStatus.PRE, OrderStatus.IN_PROGRESS])
      .where('expires_at', '>', sql<Date>`clock_timestamp()`)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (open) return { orderNo: open.order_no }
    const orderNo = randomUUID().replaceAll('-', '')
    const price = (25n * 10n ** BigInt(seed.payToken.decimals)).toString()
    await db
      .insertInto('gateway.orders')
      .values({
        project_id: project,
        order_no: orderNo,
        serial_no: orderNo.slice(0, 12),
        market_type: 1,
        name: 'Early Web Prints #1',
        chain_id: chainId,
        nft_address: nftAddress,
        nft_id: '1',
        nft_type: 'ERC721',
        nft_name: 'Print 1',
        sender: creator,
        sender_name: 'Print Studio',
        recipient: wallet,
        recipient_name: 'Ada Collector',
        order_amount: price,
        pay_amount: price,
        pay_token_address: seed.payToken.address.toLowerCase(),
        pay_token_type: 'ERC20',
        pay_token_decimals: seed.payToken.decimals,
        // A demo's order waits for whoever comes by, not for fifteen minutes.
        expires_at: new Date('2099-01-01T00:00:00Z'),
      })
      .execute()
    return { orderNo }
  })
}
