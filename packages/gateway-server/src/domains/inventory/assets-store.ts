import { type Selectable, sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

export type AssetRow = Selectable<Tables['gateway.assets']>
export type Holder = Tables['gateway.asset_holds']['holder']

/** Which token of whom. */
export interface OwnedToken {
  readonly chainId: string
  readonly nftAddress: string
  readonly nftId: string
  readonly owner: string
}

export async function findAsset(db: Db, project: number, token: OwnedToken): Promise<AssetRow | undefined> {
  return await db
    .selectFrom('gateway.assets')
    .selectAll()
    .where('project_id', '=', project)
    .where('chain_id', '=', token.chainId)
    .where('nft_address', '=', token.nftAddress)
    .where('nft_id', '=', token.nftId)
    .where('owner', '=', token.owner)
    .executeTakeFirst()
}

/** Promises so many of an asset to a holder; false where its owner has not so many that are free. */
export async function hold(
  trx: Db,
  project: number,
  asset: number,
  holder: { kind: Holder; id: number; quantity: number },
): Promise<boolean> {
  // One statement: the row is locked, and what is free is counted as it is then. `no key`, because the holder's own row refers to the asset
  // and shares its key: two who did so would wait for each other otherwise.
  const { rows } = await sql<{ id: number }>`
    with free as (
      select id from gateway.assets
      where project_id = ${project} and id = ${asset} and quantity - held >= ${holder.quantity}
      for no key update
    )
    insert into gateway.asset_holds (project_id, asset_id, holder, holder_id, quantity)
    select ${project}, id, ${holder.kind}, ${holder.id}, ${holder.quantity} from free
    returning id`.execute(trx)
  return rows.length > 0
}

/** Locks what a holder holds, until the transaction ends: who does so first changes the holder first. */
export async function lockHeld(
  trx: Db,
  project: number,
  holder: { kind: Holder; id: number },
): Promise<void> {
  await heldBy(trx, project, holder).forUpdate().execute()
}

function heldBy(db: Db, project: number, { kind, id }: { kind: Holder; id: number }) {
  return db
    .selectFrom('gateway.asset_holds')
    .select(['asset_id', 'quantity'])
    .where('project_id', '=', project)
    .where('holder', '=', kind)
    .where('holder_id', '=', id)
}

/** Gives back all that a holder holds; answers the asset. */
export async function letGo(
  trx: Db,
  project: number,
  { kind, id }: { kind: Holder; id: number },
): Promise<{ asset: number }> {
  return await trx
    .updateTable('gateway.asset_holds')
    .set({ quantity: '0' })
    .where('project_id', '=', project)
    .where('holder', '=', kind)
    .where('holder_id', '=', id)
    .returning('asset_id as asset')
    .executeTakeFirstOrThrow()
}

/** Promises again so many of the asset to a holder that has let go of it; false where its owner has not so many that are free. */
export async function holdAgain(
  trx: Db,
  project: number,
  { kind, id, quantity }: { kind: Holder; id: number; quantity: number },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with free as (
      select a.id from gateway.assets a
      join gateway.asset_holds h on h.project_id = a.project_id and h.asset_id = a.id
      where h.project_id = ${project} and h.holder = ${kind} and h.holder_id = ${id}
        and a.quantity - a.held >= ${quantity}
      for update of a
    )
    update gateway.asset_holds h set quantity = ${quantity} from free
    where h.project_id = ${project} and h.asset_id = free.id and h.holder = ${kind} and h.holder_id = ${id}
    returning h.id`.execute(trx)
  return rows.length > 0
}

/** Adds so many of a token to what a wallet owns; where it owns none yet, from now on. */
export async function addOwned(
  trx: Db,
  project: number,
  token: OwnedToken & { nftType: string },
  quantity: number,
): Promise<void> {
  await trx
    .insertInto('gateway.assets')
    .values({
      project_id: project,
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
