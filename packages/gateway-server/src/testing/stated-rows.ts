import { type Insertable, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { TestGateway } from './gateway.ts'
import { CREATOR, NFT_ADDRESS, ORDER_NO, WALLET } from './stated-operations.ts'

/** An order that waits for its payment. */
export function buildOrderRow(
  project: number,
  more: Partial<Insertable<Tables['gateway.orders']>> = {},
): Insertable<Tables['gateway.orders']> {
  return {
    project_id: project,
    order_no: ORDER_NO,
    serial_no: 'S-1',
    market_type: 1,
    chain_id: '84532',
    nft_address: NFT_ADDRESS,
    sender: CREATOR,
    recipient: WALLET,
    order_amount: '1500000',
    pay_amount: '1250000',
    pay_token_address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    pay_token_type: 'ERC20',
    pay_token_decimals: 6,
    expires_at: new Date('2099-01-01T00:00:00Z'),
    ...more,
  }
}

/** A commemorative card of CREATOR. */
export function buildCommemorativeCardRow(
  project: number,
  more: Partial<Insertable<Tables['gateway.cards']>> = {},
): Insertable<Tables['gateway.cards']> {
  return {
    project_id: project,
    program: 'commemorative',
    name: 'Anniversary',
    creator: CREATOR,
    nft_address: NFT_ADDRESS,
    start_time: new Date('2026-01-01T00:00:00Z'),
    end_time: new Date('2030-01-01T00:00:00Z'),
    validity_period: new Date('2030-01-01T00:00:00Z'),
    total_issued: 5,
    amount: '12.5',
    qr_code: crypto.randomUUID(),
    ...more,
  }
}

/**
 * Inserts the rows that the `valid` input of each stated operation needs. Returns the id of the promo code
 * card.
 */
export async function insertStatedRows(
  gateway: TestGateway,
  project: number,
): Promise<{ promoCodeCard: number }> {
  const db = gateway.owner.system
  await db.insertInto('gateway.wallet_info').values({ project_id: project, address: WALLET }).execute()
  await db
    .insertInto('gateway.contracts')
    .values({
      project_id: project,
      chain_id: '84532',
      nft_address: NFT_ADDRESS,
      name: 'Prints',
      nft_type: 'ERC721',
      owner: CREATOR,
    })
    .execute()
  await db.insertInto('gateway.orders').values(buildOrderRow(project)).execute()
  await db.insertInto('gateway.cards').values(buildCommemorativeCardRow(project)).execute()
  const card = await db
    .insertInto('gateway.cards')
    .values(buildCommemorativeCardRow(project, { program: 'promo_code' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { promoCodeCard: card.id }
}

/**
 * The tables that hold a project's rows, by the catalog: those that row-level security guards and that name
 * their project.
 */
export async function tenantTables(gateway: TestGateway): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'gateway'::regnamespace and relkind in ('r', 'p') and not relispartition and relrowsecurity
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'project_id')
    order by 1`.execute(gateway.owner.system)
  return rows.map(({ name }) => name)
}

/** How many rows each tenant table holds, of all projects. */
export async function rowCounts(gateway: TestGateway): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tenantTables(gateway)) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`gateway.${table}`)}`.execute(gateway.owner.system)
    counts[table] = rows[0]?.count ?? -1
  }
  return counts
}
