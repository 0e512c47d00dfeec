import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import type { AssetKey, DomainOperations } from '../domain-operations.ts'

/** A contract whose transfers are read. */
export interface IndexedContract {
  readonly nftAddress: string
  /** The first unread block; null until the contract's first block has been determined. */
  readonly next: number | null
}

/**
 * Lists the indexed contracts of a chain, including those that projects have registered since the last call.
 */
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

/** A contract that is behind the chain's cursor. */
export interface ContractBehind {
  readonly nftAddress: string
  /** The first unread block. */
  readonly next: number
}

/** Lists contracts whose first block has not been determined, in turn of their projects. */
export async function listNewContracts(db: Db, chainId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ nftAddress: string }>`
    select w.nft_address as "nftAddress" ${inTurn(chainId, sql`i.next_block is null`, limit)}`.execute(db)
  return rows.map(({ nftAddress }) => nftAddress)
}

/** Lists contracts whose next block comes before `block`, in turn of their projects. */
export async function listContractsBehind(
  db: Db,
  chainId: string,
  { block, limit }: { readonly block: number; readonly limit: number },
): Promise<ContractBehind[]> {
  const { rows } = await sql<ContractBehind>`
    select w.nft_address as "nftAddress", w.next_block as next
    ${inTurn(chainId, sql`i.next_block < ${block}`, limit)}`.execute(db)
  return rows
}

/**
 * Selects contracts that wait: the first one of each project, then the second one of each, and so on. A
 * project with many contracts does not delay those of others.
 */
function inTurn(chainId: string, condition: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  return sql`
    from (
      select i.nft_address, i.next_block, row_number() over (partition by c.project_id order by c.id) as turn
      from gateway.indexed_contracts i
      join gateway.contracts c on c.chain_id = i.chain_id and c.nft_address = i.nft_address and c.indexed and not c.deleted
      where i.chain_id = ${chainId} and ${condition}
    ) w
    group by w.nft_address, w.next_block
    order by min(w.turn), w.nft_address
    limit ${limit}`
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

/**
 * Writes the assets of at most `limit` newly registered contracts from the chain's balances. Returns the
 * assets that changed.
 */
export async function writeInitialAssets(
  trx: Db,
  domains: DomainOperations,
  { chainId, limit }: { readonly chainId: string; readonly limit: number },
): Promise<AssetKey[]> {
  const changed: AssetKey[] = []
  for (const { project, id } of await domains.markAssetsWritten(trx, chainId, limit)) {
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
