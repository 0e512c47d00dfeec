import { type RawBuilder, type Selectable, sql } from 'kysely'
import { zeroAddress } from 'viem'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'
import type { OwnedNft } from '../contracts/ownership.ts'
import { lockNewTokens } from './lock-new-tokens.ts'
import { recordTransfer } from './transfers-store.ts'

/*
 * The inventory is the only writer of who owns what. `quantity - reserved` of an asset is available: `reserved` is the sum of its reservations, kept by a
 * trigger. For a contract that is indexed, only what the chain says changes `quantity`.
 */

export type AssetRow = Selectable<Tables['gateway.assets']>

/** A token in the hands of one owner. */
export interface OwnedToken {
  readonly chainId: string
  readonly nftAddress: string
  readonly nftId: string
  readonly owner: string
}

/** An asset of a project. */
export interface AssetKey {
  readonly project: number
  readonly asset: number
}

export async function findAsset(tenant: Tenant, token: OwnedToken): Promise<AssetRow | undefined> {
  return await tenant
    .selectFrom('gateway.assets')
    .selectAll()
    .where('chain_id', '=', token.chainId)
    .where('nft_address', '=', token.nftAddress)
    .where('nft_id', '=', token.nftId)
    .where('owner', '=', token.owner)
    .executeTakeFirst()
}

/** Adds units of a token to what a wallet owns, and creates its asset if needed. */
export async function increase(
  trx: Tenant,
  token: OwnedToken & { readonly nftType: string },
  quantity: number,
): Promise<void> {
  await trx
    .insertInto('gateway.assets')
    .values({
      chain_id: token.chainId,
      nft_address: token.nftAddress,
      nft_id: token.nftId,
      nft_type: token.nftType,
      owner: token.owner,
      quantity: String(quantity),
    })
    .onConflict((conflict) =>
      conflict.constraint('assets_owner').doUpdateSet({
        quantity: sql`gateway.assets.quantity + excluded.quantity`,
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .execute()
}

/** Takes units from an asset. Returns false for an indexed contract, whose owners only the chain changes. */
export async function decrease(trx: Tenant, asset: number, quantity: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gateway.assets')
    .set({ quantity: sql`quantity - ${quantity}`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', asset)
    .where('indexed', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Gives all units of a new NFT to its first owner. Returns false if a wallet owns some already, unless that
 * is the first owner with all of them: a token that was minted lazily has an owner before it is added as an
 * NFT.
 */
export async function issue(trx: Tenant, nft: OwnedNft): Promise<boolean> {
  await lockNewTokens(trx, nft, 'shared')
  const { rows } = await sql<{ id: number }>`
    insert into gateway.assets as a (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
    select ${nft.project_id}::bigint, ${nft.chain_id}::text, ${nft.nft_address}::text, ${nft.nft_id}::text,
      ${nft.nft_type}::text, ${nft.first_owner}::text, ${nft.quantity}::numeric
    where not exists (
      select from gateway.assets
      where project_id = ${nft.project_id} and chain_id = ${nft.chain_id} and nft_address = ${nft.nft_address}
        and nft_id = ${nft.nft_id} and quantity > 0)
    on conflict on constraint assets_owner do update
      set quantity = excluded.quantity, updated_at = clock_timestamp()
      where a.quantity = 0
    returning a.id`.execute(trx)
  if (rows.length === 0) return await isOnlyOwner(trx, nft)
  await recordTransfer(trx, nft, { from: zeroAddress, to: nft.first_owner, quantity: String(nft.quantity) })
  return true
}

async function isOnlyOwner(trx: Tenant, nft: OwnedNft): Promise<boolean> {
  const owned = await trx
    .selectFrom('gateway.assets')
    .select(['owner', 'quantity'])
    .where('chain_id', '=', nft.chain_id)
    .where('nft_address', '=', nft.nft_address)
    .where('nft_id', '=', nft.nft_id)
    .where('quantity', '>', sql.lit('0'))
    .limit(2)
    .execute()
  const [own] = owned
  return owned.length === 1 && own?.owner === nft.first_owner && Number(own.quantity) === nft.quantity
}

/**
 * Removes all units of an NFT from its first owner, unless the contract is indexed. Returns false if some are
 * reserved or another wallet owns some: the caller then has to roll back the transaction.
 */
export async function retire(trx: Tenant, nft: OwnedNft): Promise<boolean> {
  const ofToken = sql`project_id = ${nft.project_id} and chain_id = ${nft.chain_id}
    and nft_address = ${nft.nft_address} and nft_id = ${nft.nft_id} and not indexed and quantity > 0`
  // The rows are locked first, so that the statement below sees what concurrent transactions reserved or
  // sold.
  await sql`select id from gateway.assets where ${ofToken} order by id for update`.execute(trx)
  const { rows } = await sql<{ quantity: string }>`
    with own as (
      select id, quantity from gateway.assets where ${ofToken} and owner = ${nft.first_owner} and reserved = 0)
    update gateway.assets a set quantity = 0, updated_at = clock_timestamp()
    from own where a.project_id = ${nft.project_id} and a.id = own.id
    returning own.quantity`.execute(trx)
  const remaining = await sql`select from gateway.assets where ${ofToken} limit 1`.execute(trx)
  if (remaining.rows.length > 0) return false
  const [removed] = rows
  if (removed !== undefined)
    await recordTransfer(trx, nft, { from: nft.first_owner, to: zeroAddress, quantity: removed.quantity })
  return true
}

/**
 * Removes the assets of a removed contract, so that a contract registered again with this address, which may
 * not be indexed, begins without owners. Returns false if some are reserved: the caller then has to roll back
 * the transaction.
 */
export async function clear(
  trx: Tenant,
  contract: { readonly chainId: string; readonly nftAddress: string },
): Promise<boolean> {
  const ofContract = sql`project_id = ${trx.project} and chain_id = ${contract.chainId}
    and nft_address = ${contract.nftAddress} and (quantity > 0 or indexed)`
  // The rows are locked first, so that the statement below sees what concurrent transactions reserved.
  await sql`
    with locked as (select id from gateway.assets where ${ofContract} order by id for update)
    select count(*) from locked`.execute(trx)
  const reserved = await sql`select from gateway.assets where ${ofContract} and reserved > 0 limit 1`.execute(
    trx,
  )
  if (reserved.rows.length > 0) return false
  await sql`
    update gateway.assets set quantity = 0, indexed = false, updated_at = clock_timestamp()
    where ${ofContract}`.execute(trx)
  return true
}

/**
 * Builds the statement that writes the balances of indexed contracts as assets of projects, and returns the
 * assets that changed.
 *
 * @param balances A query with project_id, chain_id, nft_address, nft_id, nft_type, owner and quantity. It
 * may refer to the common table expressions that the caller puts before this statement.
 */
export function writeIndexedAssets(balances: RawBuilder<unknown>): RawBuilder<AssetKey> {
  return sql<AssetKey>`
    insert into gateway.assets as a (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity, indexed)
    select b.project_id, b.chain_id, b.nft_address, b.nft_id, b.nft_type, b.owner,
      gateway.clamp_quantity(b.quantity), true
    from (${balances}) b
    where b.quantity > 0 or exists (
      select from gateway.assets o
      where o.project_id = b.project_id and o.chain_id = b.chain_id and o.nft_address = b.nft_address
        and o.nft_id = b.nft_id and o.owner = b.owner
      -- Without this, a plan could read all assets of the chain first.
      offset 0)
    order by b.project_id, b.nft_address, b.nft_id, b.owner
    on conflict on constraint assets_owner do update
      set quantity = excluded.quantity, indexed = true, updated_at = clock_timestamp()
      where (a.quantity, a.indexed) is distinct from (excluded.quantity, true)
    returning a.project_id as project, a.id as asset`
}
