import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { Program } from '../collections/collections-store.ts'

/*
 * How many of an NFT can be minted: `reserved + minted` never exceeds `limited`, unless that is 0. A lazily minted NFT is limited to one. The status
 * follows: RESERVED while all remaining units are reserved, MINTED once all are minted.
 */

/**
 * What a mint needs to know of an NFT. The owner receives the price and the royalties of a product; a lazily
 * minted NFT has its collection's recipients. Without a price, it has its phase's.
 */
export type MintableNft = Pick<
  Selectable<Tables['gateway.mintable_nfts']>,
  'id' | 'name' | 'img_url' | 'token_uri' | 'royalty_percentage' | 'owner' | 'price' | 'pay_token_address'
>

const COLUMNS = sql`n.id, n.name, n.img_url, n.token_uri, n.royalty_percentage, n.owner, n.price, n.pay_token_address`

const hasRoom = (quantity: number) => sql`(n.limited = 0 or n.reserved + n.minted + ${quantity} <= n.limited)`

/** Reserves units of an NFT that is displayed. Returns undefined if it is not, or if fewer units are left. */
export async function reserve(
  trx: Tenant,
  program: Program,
  of: { nftAddress: string; nft: number; quantity: number },
): Promise<MintableNft | undefined> {
  const { rows } = await sql<MintableNft>`
    update gateway.mintable_nfts n
    set reserved = n.reserved + ${of.quantity}, updated_at = clock_timestamp(),
      status = case when n.limited > 0 and n.reserved + n.minted + ${of.quantity} = n.limited then 'RESERVED' else n.status end
    where n.project_id = ${trx.project} and n.id = ${of.nft} and n.program = ${program} and n.nft_address = ${of.nftAddress}
      and not n.deleted and n.status = 'DISPLAY' and ${hasRoom(of.quantity)}
    returning ${COLUMNS}`.execute(trx)
  return rows[0]
}

/** Finds an NFT in any status. */
export async function find(trx: Tenant, program: Program, nft: number): Promise<MintableNft | undefined> {
  const { rows } = await sql<MintableNft>`
    select ${COLUMNS} from gateway.mintable_nfts n
    where n.project_id = ${trx.project} and n.id = ${nft} and n.program = ${program}`.execute(trx)
  return rows[0]
}

/** Finds the first product that is displayed and has enough units left. */
export async function firstProduct(
  trx: Tenant,
  of: { nftAddress: string; quantity: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select n.id from gateway.mintable_nfts n
    where n.project_id = ${trx.project} and n.program = 'product' and n.nft_address = ${of.nftAddress}
      and not n.deleted and n.status = 'DISPLAY' and ${hasRoom(of.quantity)}
    order by n.id limit 1`.execute(trx)
  return rows[0]?.id
}

/**
 * Draws a random lazily minted NFT that no other transaction has locked, and reserves it. Returns undefined
 * if none is left.
 */
export async function drawNft(
  trx: Tenant,
  of: { contract: number; holdSeconds: number },
): Promise<MintableNft | undefined> {
  const place = Math.random()
  // Every NFT has a random place. The search starts at a random place and wraps around.
  for (const side of [sql`>=`, sql`<`]) {
    const { rows } = await sql<MintableNft>`
      update gateway.mintable_nfts n
      set reserved = 1, status = 'RESERVED', updated_at = clock_timestamp(),
        reserved_until = clock_timestamp() + make_interval(secs => ${of.holdSeconds})
      where n.project_id = ${trx.project} and n.id = (
        select d.id from gateway.mintable_nfts d
        where d.project_id = ${trx.project} and d.program = 'lazy' and d.contract_id = ${of.contract}
          and not d.deleted and d.status = 'DISPLAY' and d.draw ${side} ${place}
        order by d.draw limit 1 for update skip locked)
      returning ${COLUMNS}`.execute(trx)
    if (rows[0] !== undefined) return rows[0]
  }
  return undefined
}

/** Keeps a drawn NFT reserved until the chain has decided its signature, or its order has ended. */
export async function keepDrawn(trx: Tenant, nft: number): Promise<void> {
  await trx.updateTable('gateway.mintable_nfts').set({ reserved_until: null }).where('id', '=', nft).execute()
}

/** Releases reserved units by NFT. An NFT that was hidden meanwhile stays hidden. */
export async function release(trx: Tenant, nfts: ReadonlyMap<number, number>): Promise<void> {
  if (nfts.size === 0) return
  // Rows are locked in the order of their ids, as everywhere, so that no two transactions deadlock.
  await sql`
    with given as (
      select * from unnest(${[...nfts.keys()]}::bigint[], ${[...nfts.values()]}::bigint[]) as g (nft, quantity)),
    locked as (
      select k.id from gateway.mintable_nfts k where k.project_id = ${trx.project} and k.id in (select nft from given)
      order by k.id for update)
    update gateway.mintable_nfts n
    set reserved = n.reserved - g.quantity, updated_at = clock_timestamp(),
      reserved_until = null, status = case when n.status = 'RESERVED' then 'DISPLAY' else n.status end
    from locked l join given g on g.nft = l.id
    where n.project_id = ${trx.project} and n.id = l.id`.execute(trx)
}

/** Counts reserved units as minted. */
export async function mint(
  trx: Tenant,
  of: { nft: number; quantity: number; tokenId: string },
): Promise<void> {
  await sql`
    update gateway.mintable_nfts n
    set reserved = n.reserved - ${of.quantity}, minted = n.minted + ${of.quantity}, updated_at = clock_timestamp(),
      token_id = case when n.program = 'lazy' then ${of.tokenId} else '' end,
      status = case when n.limited > 0 and n.minted + ${of.quantity} = n.limited then 'MINTED' else n.status end
    where n.project_id = ${trx.project} and n.id = ${of.nft}`.execute(trx)
}

/** Finds the status of an NFT, and how many units of it are left: 0 without a limit. */
export async function findState(
  trx: Tenant,
  program: Program,
  of: { nftAddress: string; nft: number },
): Promise<{ status: string; remaining: number } | undefined> {
  const { rows } = await sql<{ status: string; remaining: number }>`
    select n.status, greatest(n.limited - n.reserved - n.minted, 0) as remaining from gateway.mintable_nfts n
    where n.project_id = ${trx.project} and n.id = ${of.nft} and n.program = ${program} and n.nft_address = ${of.nftAddress}
      and not n.deleted`.execute(trx)
  return rows[0]
}

/** Counts the units of the displayed product that has the most left. */
export async function countMostLeft(trx: Tenant, nftAddress: string): Promise<number> {
  const { rows } = await sql<{ remaining: number | null }>`
    select max(greatest(n.limited - n.reserved - n.minted, 0)) as remaining from gateway.mintable_nfts n
    where n.project_id = ${trx.project} and n.program = 'product' and n.nft_address = ${nftAddress}
      and not n.deleted and n.status = 'DISPLAY'`.execute(trx)
  return rows[0]?.remaining ?? 0
}
