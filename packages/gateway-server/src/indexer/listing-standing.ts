import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { close, lockHold } from '../groups/market/listings-store.ts'
import type { TokenKey } from './ledger-store.ts'
import { standing } from './listing-standing-rules.ts'

/** Takes listings of assets out of sale where their owners have too few, and puts them back where they have enough again. */
export async function tendListings(trx: Db, changed: readonly TokenKey[]): Promise<void> {
  // Most tokens are on no shelf: those that are, are found at once.
  const { rows } = await sql<TokenKey>`
    select distinct l.project_id as project, l.asset_id as asset
    from unnest(${changed.map(({ project }) => project)}::bigint[], ${changed.map(({ asset }) => asset)}::bigint[])
      as c (project, asset)
    join gateway.listings l on l.project_id = c.project and l.asset_id = c.asset and l.status in ('ON', 'INACTIVE')
    order by 1, 2`.execute(trx)
  for (const key of rows) await tendListingsOf(trx, key)
}

async function tendListingsOf(trx: Db, { project, asset }: TokenKey): Promise<void> {
  // Holds, the asset, listings: the order in which everybody locks.
  const holds = await trx
    .selectFrom('gateway.asset_holds')
    .select(['holder', 'holder_id', 'quantity'])
    .where('project_id', '=', project)
    .where('asset_id', '=', asset)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { quantity, held } = await trx
    .selectFrom('gateway.assets')
    .select(['quantity', 'held'])
    .where('project_id', '=', project)
    .where('id', '=', asset)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const listed = new Map(
    holds.flatMap((one) => (one.holder === 'listing' ? [[one.holder_id, one.quantity]] : [])),
  )
  const open = await trx
    .selectFrom('gateway.listings')
    .select(['id', 'status'])
    .where('project_id', '=', project)
    .where('asset_id', '=', asset)
    .where('status', 'in', ['ON', 'INACTIVE'])
    .execute()
  const states = standing(
    BigInt(quantity),
    BigInt(held),
    open.map(({ id }) => ({ id, holds: BigInt(listed.get(id) ?? '0') })),
  )
  for (const { id, status } of open) {
    const state = states.get(id) ?? 'INACTIVE'
    if (state === status) continue
    await trx
      .updateTable('gateway.listings')
      .set({ status: state, updated_at: sql`clock_timestamp()` })
      .where('project_id', '=', project)
      .where('id', '=', id)
      .where('status', 'in', ['ON', 'INACTIVE'])
      .execute()
  }
}

/** Assets of a chain of which a listing is INACTIVE that could stand by now, something else having been let go of. */
export async function assetsWithRoom(db: Db, chainId: string): Promise<TokenKey[]> {
  const { rows } = await sql<TokenKey>`
    select a.project_id as project, a.id as asset
    from gateway.assets a
    join (
      select l.project_id, l.asset_id, sum(h.quantity) as waiting, min(h.quantity) as least
      from gateway.listings l
      join gateway.asset_holds h on h.project_id = l.project_id and h.holder = 'listing' and h.holder_id = l.id
      where l.chain_id = ${chainId} and l.status = 'INACTIVE'
      group by l.project_id, l.asset_id) i on i.project_id = a.project_id and i.asset_id = a.id
    where a.quantity > 0 and a.quantity - (a.held - i.waiting) >= i.least
    limit 100`.execute(db)
  return rows
}

/** Listings whose sellers have none of the token left, by a transfer that stays. */
export async function listingsOfNothing(
  db: Db,
  chainId: string,
  finalBlock: number,
): Promise<{ project: number; listing: number }[]> {
  const { rows } = await sql<{ project: number; listing: number }>`
    select l.project_id as project, l.id as listing
    from gateway.listings l
    join gateway.chain_balances b on b.chain_id = l.chain_id and b.nft_address = l.nft_address
      and b.nft_id = l.nft_id and b.owner = l.seller
    where l.chain_id = ${chainId} and l.status = 'INACTIVE' and b.quantity <= 0
      and b.changed_block <= ${finalBlock}
    limit 100`.execute(db)
  return rows
}

/** Closes a listing for good, unless its seller has got some of the token again. */
export async function closeListingOfNothing(
  trx: Db,
  { project, listing }: { project: number; listing: number },
): Promise<void> {
  await lockHold(trx, project, listing)
  const { rows } = await sql`
    select from gateway.listings l
    join gateway.assets a on a.project_id = l.project_id and a.id = l.asset_id
    where l.project_id = ${project} and l.id = ${listing} and l.status = 'INACTIVE' and a.quantity = 0`.execute(
    trx,
  )
  if (rows.length > 0) await close(trx, project, listing, 'OFF')
}
