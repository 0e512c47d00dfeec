import type { BlockHeader } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'

/** Returns the stored block hashes of a chain by block number, ascending. */
export async function getStoredHashes(db: Db, chainId: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('gateway.chain_blocks')
    .select(['number', 'hash'])
    .where('chain_id', '=', chainId)
    .orderBy('number')
    .execute()
  return new Map(rows.map(({ number, hash }) => [number, hash]))
}

/** Stores the hashes of blocks and deletes those before `keepFrom`. */
export async function storeHashes(
  trx: Db,
  chainId: string,
  headers: readonly BlockHeader[],
  keepFrom: number,
): Promise<void> {
  await sql`
    delete from gateway.chain_blocks where chain_id = ${chainId} and number < ${keepFrom}`.execute(trx)
  await sql`
    insert into gateway.chain_blocks as b (chain_id, number, hash)
    select ${chainId}, k.number, k.hash
    from unnest(${headers.map(({ number }) => number)}::bigint[], ${headers.map(({ hash }) => hash)}::text[])
      as k (number, hash)
    on conflict (chain_id, number) do update set hash = excluded.hash`.execute(trx)
}

/** Updates hashes in memory as `storeHashes` does in the database. */
export function keepHashes(
  hashes: Map<number, string>,
  headers: readonly BlockHeader[],
  keepFrom: number,
): void {
  for (const number of hashes.keys()) if (number < keepFrom) hashes.delete(number)
  for (const { number, hash } of headers) hashes.set(number, hash)
}

interface ReadRange {
  readonly from: number
  readonly to: number
  readonly addresses: readonly string[]
  /**
   * Whether the range advances the chain's cursor. Otherwise it belongs to a contract that is behind the
   * cursor.
   */
  readonly advancesChain: boolean
  /** Unix seconds of the last block. */
  readonly time: number | undefined
}

/** Records that a range has been read for some contracts. */
export async function advanceCursors(trx: Db, chainId: string, range: ReadRange): Promise<void> {
  const { from, to, addresses, advancesChain, time } = range
  await sql`
    update gateway.indexed_contracts set next_block = ${to + 1}
    where chain_id = ${chainId} and nft_address = any(${[...addresses]}::text[])
      and next_block = ${from}`.execute(trx)
  if (!advancesChain) return
  await sql`
    update gateway.chain_cursors
    set next_block = ${to + 1}, read_block_time = coalesce(to_timestamp(${time ?? null}), read_block_time)
    where chain_id = ${chainId} and next_block = ${from}`.execute(trx)
}

/** Moves all cursors of a chain back to the block after `block`. */
export async function rewindCursors(trx: Db, chainId: string, block: number): Promise<void> {
  const next = block + 1
  await sql`
    delete from gateway.chain_blocks where chain_id = ${chainId} and number > ${block}`.execute(trx)
  await sql`
    update gateway.chain_cursors set next_block = least(next_block, ${next})
    where chain_id = ${chainId}`.execute(trx)
  await sql`
    update gateway.indexed_contracts set next_block = least(next_block, ${next})
    where chain_id = ${chainId} and next_block is not null`.execute(trx)
}
