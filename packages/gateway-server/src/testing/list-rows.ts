import { sql } from 'kysely'
import type { Db } from '../database/tables.ts'

/** The contract of the NFTs that `addNfts` adds. */
export const LISTED_CONTRACT = '0x00000000000000000000000000000000000000a1'

/** The creator of these NFTs and cards, and the owner, offerer, buyer and seller of all else. */
export const LISTED_OWNER = '0x00000000000000000000000000000000000000c1'

/** Adds orders with the serial numbers after `from`, up to `to`, of which every tenth has failed. */
export async function addOrders(db: Db, project: number, from: number, to: number): Promise<void> {
  await sql`
    insert into gateway.orders (project_id, order_no, serial_no, status, market_type, chain_id, nft_address, sender, recipient,
      order_amount, pay_amount, expires_at)
    select ${project}, md5(n::text), n::text, case when n % 10 = 0 then 3 else 2 end, 1, '1', ${LISTED_CONTRACT}, ${LISTED_OWNER}, ${LISTED_OWNER}, 1, 1, now()
    from generate_series(${from + 1}::int, ${to}::int) n`.execute(db)
}

/** Adds promo code cards. */
export async function addCards(db: Db, project: number, count: number): Promise<void> {
  await sql`
    insert into gateway.cards (project_id, program, name, creator, nft_address, start_time, end_time, validity_period, total_issued, qr_code)
    select ${project}, 'promo_code', 'Card', ${LISTED_OWNER}, ${LISTED_CONTRACT}, '2026-01-01', '2099-01-01', '2099-01-01', 1, gen_random_uuid()
    from generate_series(1, ${count}::int)`.execute(db)
}

/** Adds NFTs of a new contract. */
export async function addNfts(db: Db, project: number, count: number): Promise<void> {
  await sql`
    with contract as (
      insert into gateway.contracts (project_id, chain_id, nft_address, name, nft_type, owner)
      values (${project}, '84532', ${LISTED_CONTRACT}, 'Prints', 'ERC1155', '0xb') returning id
    )
    insert into gateway.nfts (project_id, contract_id, chain_id, nft_address, nft_id, nft_type, name, creator, first_owner, quantity)
    select ${project}, contract.id, '84532', ${LISTED_CONTRACT}, n::text, 'ERC1155', 'Print', ${LISTED_OWNER}, ${LISTED_OWNER}, 1
    from contract, generate_series(1, ${count}::int) n`.execute(db)
}

/** Adds the assets of a wallet. */
export async function addAssets(db: Db, project: number, count: number): Promise<void> {
  await sql`
    insert into gateway.assets (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
    select ${project}, '84532', ${LISTED_CONTRACT}, n::text, 'ERC1155', ${LISTED_OWNER}, 1 from generate_series(1, ${count}::int) n`.execute(
    db,
  )
}

/**
 * Adds a common sale of each asset of the project. Every two-hundredth has not started, and as many have
 * ended.
 */
export async function addListings(db: Db, project: number): Promise<void> {
  await sql`
    insert into gateway.listings (project_id, market_type, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, remaining,
      pay_price, start_time, end_time)
    select project_id, 1, id, chain_id, nft_address, nft_id, nft_type, owner, 1, 1, 1 + (id % 97) * (id % 30),
      case when id % 200 = 0 then '2098-01-01'::timestamptz else '2026-01-01' end, case when id % 200 = 1 then '2026-01-02'::timestamptz else '2099-01-01' end
    from gateway.assets where project_id = ${project}`.execute(db)
}
