import { type Database, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db, Tables } from '../../database/tables.ts'

/** How far a chain has been read, which process reads it, and the version of the last write. */
export interface Cursor {
  readonly chainId: string
  readonly holder: string
  readonly version: number
  /** The first unread block. */
  readonly next: number
}

/** Another process reads the chain now, so this write was rolled back. */
export class ChainLeaseLostError extends Error {
  override readonly name = 'ChainLeaseLostError'
}

interface Lease {
  readonly chainId: string
  readonly holder: string
  readonly leaseSeconds: number
}

/**
 * Takes or renews the lease of a chain. Returns undefined while another process has it. A chain without a
 * cursor begins at block `start`.
 */
export async function claimChain(
  db: Db,
  { chainId, holder, start, leaseSeconds }: Lease & { readonly start: number },
): Promise<Cursor | undefined> {
  const { rows } = await sql<{ version: number; next: number }>`
    insert into gateway.chain_cursors as c (chain_id, next_block, holder, lease_until)
    values (${chainId}, ${start}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
    on conflict (chain_id) do update
      set holder = excluded.holder, lease_until = excluded.lease_until, version = c.version + 1
      where c.holder = excluded.holder or c.lease_until <= clock_timestamp()
    returning version, next_block as next`.execute(db)
  const [row] = rows
  return row && { chainId, holder, ...row }
}

/**
 * Writes in one transaction and renews the lease. The transaction begins with a check of the cursor's
 * version, so that only one of two processes that read the same blocks writes them.
 *
 * @throws ChainLeaseLostError when another process has written meanwhile.
 */
export async function writeWithCursor<Result>(
  database: Database<Tables>,
  { chainId, holder, version }: Cursor,
  leaseSeconds: number,
  write: (trx: Db) => Promise<Result>,
): Promise<{ cursor: Cursor; result: Result }> {
  return await transaction(database.system, async (trx) => {
    const renewed = await trx
      .updateTable('gateway.chain_cursors')
      .set({
        version: sql`version + 1`,
        lease_until: sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`,
      })
      .where('chain_id', '=', chainId)
      .where('holder', '=', holder)
      .where('version', '=', version)
      .returning('version')
      .executeTakeFirst()
    if (renewed === undefined) throw new ChainLeaseLostError(`another process reads chain ${chainId}`)
    const result = await write(trx)
    const { next_block: next } = await trx
      .selectFrom('gateway.chain_cursors')
      .select('next_block')
      .where('chain_id', '=', chainId)
      .executeTakeFirstOrThrow()
    return { cursor: { chainId, holder, version: renewed.version, next }, result }
  })
}

export interface ChainProgress {
  /** The chain's newest block. */
  head: number
  /** Whether all blocks up to `head` have been read for every contract. */
  caughtUp: boolean
}

/**
 * Ends the lease of a chain and records how far the chain was read. Does nothing when another process has the
 * lease.
 */
export async function releaseChain(
  db: Db,
  { chainId, holder }: Pick<Cursor, 'chainId' | 'holder'>,
  { head, caughtUp }: ChainProgress,
): Promise<void> {
  await sql`
    update gateway.chain_cursors
    set lease_until = clock_timestamp(), head = ${head},
      caught_up_at = case when ${caughtUp} then clock_timestamp() else caught_up_at end
    where chain_id = ${chainId} and holder = ${holder}`.execute(db)
}

/** How far the indexer is behind a chain. */
export interface ChainLag {
  readonly chainId: string
  /** Unread blocks of the contract that is furthest behind. */
  readonly blocks: number
  /** Time since the indexer last reached the head; before the first time, since it began. */
  readonly seconds: number
}

export async function listLags(db: Db): Promise<ChainLag[]> {
  const { rows } = await sql<ChainLag>`
    select c.chain_id as "chainId",
      greatest(0, greatest(c.head + 1, c.next_block) - least(c.next_block, (
        select min(coalesce(i.next_block, 0)) from gateway.indexed_contracts i
        where i.chain_id = c.chain_id and exists (
          select from gateway.contracts r
          where r.chain_id = i.chain_id and r.nft_address = i.nft_address and r.indexed and not r.deleted))
      ))::double precision as blocks,
      extract(epoch from clock_timestamp() - coalesce(c.caught_up_at, c.began_at))::double precision as seconds
    from gateway.chain_cursors c
    order by c.chain_id`.execute(db)
  return rows
}
