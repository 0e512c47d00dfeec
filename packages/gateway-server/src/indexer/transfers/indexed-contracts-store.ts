import { sql } from 'kysely'
import type { Db } from '../../tables.ts'
import type { AssetKey, DomainOperations } from '../domain-operations.ts'

/** A contract whose transfers are read. */
export interface IndexedContract {
  readonly nftAddress: string
  /** The first unread block; null until the contract's first block has been determined. */
  readonly next: number | null
}

/** Lists the indexed contracts of a chain, including those that projects have registered since the last call. */
export async function listIndexedContracts(db: Db, chainId: string): Promise<IndexedContract[]> {
  await sql`
    insert into gateway.indexed_contracts (chain_id, nft_address)
    select distinct c.chain_id, c.nft_address from gateway.contracts c
    where c.chain_id = ${chainId} and c.indexed and not c.deleted
      and not exists (
        select from gateway.indexed_contracts i where i.chain_id = c.chain_id and i.nft_address = c.nft_address)
    on conflict do nothing`.execute(db)
  const { rows } = await sql<IndexedContract>`
    select i.nft_address as "nftAddress", i.next_block as next from gateway.indexed_contracts i
    where i.chain_id = ${chainId} and exists (
      select from gateway.contracts c
      where c.chain_id = i.chain_id and c.nft_address = i.nft_address and c.indexed and not c.deleted)
    order by i.nft_address`.execute(db)
  return rows
}

/** Sets the first block of a contract: `start`, or the chain's cursor if that comes first. */
export async function setFirstBlock(
  trx: Db,
  chainId: string,
  nftAddress: string,
  start?: number,
): Promise<void> {
  await sql`
    update gateway.indexed_contracts i set next_block = least(c.next_block, ${start ?? null}::bigint)
    from gateway.chain_cursors c
    where c.chain_id = i.chain_id and i.chain_id = ${chainId} and i.nft_address = ${nftAddress}
      and i.next_block is null`.execute(trx)
}

/** Whether projects have registered contracts whose assets have not been written. */
export async function hasUnwrittenAssets(db: Db, chainId: string): Promise<boolean> {
  const { rows } = await sql`
    select from gateway.contracts
    where chain_id = ${chainId} and indexed and not deleted and not assets_written limit 1`.execute(db)
  return rows.length > 0
}

/** Writes the assets of newly registered contracts from the chain's balances. Returns the assets that changed. */
export async function writeInitialAssets(
  trx: Db,
  domains: DomainOperations,
  chainId: string,
): Promise<AssetKey[]> {
  const changed: AssetKey[] = []
  for (const { project, id } of await domains.markAssetsWritten(trx, chainId)) {
    const balances = sql`
      select c.project_id, b.chain_id, b.nft_address, b.nft_id, c.nft_type, b.owner, b.quantity
      from gateway.contracts c
      join gateway.chain_balances b on b.chain_id = c.chain_id and b.nft_address = c.nft_address
      where c.project_id = ${project} and c.id = ${id}`
    const { rows } = await domains.writeIndexedAssets(balances).execute(trx)
    changed.push(...rows)
  }
  return changed
}
