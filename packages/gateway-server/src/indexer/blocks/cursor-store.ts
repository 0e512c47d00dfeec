import { type Database, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

/** How far a chain is read, by whom, and which write of it was the last. */
export interface Cursor {
  readonly chainId: string
  readonly holder: string
  readonly version: number
  /** The first block that is not read yet. */
  readonly next: number
}

/** Another process reads this chain by now: whatever was to be written is not. */
export class ChainTaken extends Error {
  override readonly name = 'ChainTaken'
}

/**
 * Takes a chain for this process, or keeps it; undefined while another one has it. Its reading begins at `start` where it has not begun.
 */
export async function claim(
  db: Db,
  { chainId, holder, start, leaseSeconds }: Omit<Cursor, 'version' | 'next'> & Start,
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

interface Start {
  readonly start: number
  readonly leaseSeconds: number
}

/**
 * Writes what was read of a chain, all or nothing, and keeps the chain for another lease. Only who knows the last write may do so, so that of
 * two processes that read the same one writes.
 *
 * @throws ChainTaken where another process has written meanwhile.
 */
export async function writing<Result>(
  database: Database<Tables>,
  { chainId, holder, version }: Cursor,
  leaseSeconds: number,
  write: (trx: Db) => Promise<Result>,
): Promise<{ cursor: Cursor; result: Result }> {
  return await transaction(database.system, async (trx) => {
    const fence = await trx
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
    if (fence === undefined) throw new ChainTaken(`chain ${chainId} is read by another process`)
    const result = await write(trx)
    const { next_block: next } = await trx
      .selectFrom('gateway.chain_cursors')
      .select('next_block')
      .where('chain_id', '=', chainId)
      .executeTakeFirstOrThrow()
    return { cursor: { chainId, holder, version: fence.version, next }, result }
  })
}

/** Lets another process take the chain, and notes how far it was read; does nothing where another one has taken it. */
export async function release(
  db: Db,
  { chainId, holder }: Pick<Cursor, 'chainId' | 'holder'>,
  seen: Seen,
): Promise<void> {
  await sql`
    update gateway.chain_cursors
    set lease_until = clock_timestamp(), head = ${seen.head},
      caught_up_at = case when ${seen.caughtUp} then clock_timestamp() else caught_up_at end
    where chain_id = ${chainId} and holder = ${holder}`.execute(db)
}

interface Seen {
  /** The chain's newest block. */
  readonly head: number
  /** Whether all up to it is read, for every contract. */
  readonly caughtUp: boolean
}

/** Hashes of the blocks that are kept, by their numbers. */
export async function keptBlocks(db: Db, chainId: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('gateway.chain_blocks')
    .select(['number', 'hash'])
    .where('chain_id', '=', chainId)
    .orderBy('number')
    .execute()
  return new Map(rows.map(({ number, hash }) => [number, hash]))
}

/** How far a chain's reading is behind. */
export interface Lag {
  readonly chainId: string
  /** Blocks that are not read yet, for the contract that is furthest behind. */
  readonly blocks: number
  /** Since everything was read the last time; since its reading began where it never was. */
  readonly seconds: number
}

export async function lags(db: Db): Promise<Lag[]> {
  const { rows } = await sql<Lag>`
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
