import { sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

/** What an asset is reserved for: a listing, an auction, an offer or an order, by its id in its own table. */
export interface Holder {
  readonly kind: Tables['gateway.asset_reservations']['holder']
  readonly id: number
}

/** Reserves units of an asset. Returns false if fewer are available. */
export async function reserve(
  trx: Tenant,
  asset: number,
  holder: Holder,
  quantity: number,
): Promise<boolean> {
  // One statement: the row is locked, and what is available is computed from its state then. `no key`,
  // because the holder's own row refers to the asset and shares its key: two holders that did so would
  // deadlock otherwise.
  const { rows } = await sql<{ id: number }>`
    with available as (
      select id from gateway.assets
      where project_id = ${trx.project} and id = ${asset} and quantity - reserved >= ${quantity}
      for no key update
    )
    insert into gateway.asset_reservations (project_id, asset_id, holder, holder_id, quantity)
    select ${trx.project}, id, ${holder.kind}, ${holder.id}, ${quantity} from available
    returning id`.execute(trx)
  return rows.length > 0
}

/** Reserves units again for a holder whose reservation was released. Returns false if fewer are available. */
export async function reReserve(trx: Tenant, { kind, id }: Holder, quantity: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with available as (
      select a.id from gateway.assets a
      join gateway.asset_reservations h on h.project_id = a.project_id and h.asset_id = a.id
      where h.project_id = ${trx.project} and h.holder = ${kind} and h.holder_id = ${id}
        and a.quantity - a.reserved >= ${quantity}
      for update of a
    )
    update gateway.asset_reservations h set quantity = ${quantity} from available
    where h.project_id = ${trx.project} and h.asset_id = available.id and h.holder = ${kind} and h.holder_id = ${id}
    returning h.id`.execute(trx)
  return rows.length > 0
}

/** Locks the reservation of a holder until the transaction ends. Lock it before the holder's own row. */
export async function lockReservation(trx: Tenant, { kind, id }: Holder): Promise<void> {
  await trx
    .selectFrom('gateway.asset_reservations')
    .select('id')
    .where('holder', '=', kind)
    .where('holder_id', '=', id)
    .forUpdate()
    .execute()
}

/** Locks all reservations of an asset, then the asset, and returns how many units its owner has. */
export async function lockReservations(trx: Tenant, asset: number): Promise<{ owned: bigint }> {
  await trx
    .selectFrom('gateway.asset_reservations')
    .select('id')
    .where('asset_id', '=', asset)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { quantity } = await trx
    .selectFrom('gateway.assets')
    .select('quantity')
    .where('id', '=', asset)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { owned: BigInt(quantity) }
}

function updateReservation(trx: Tenant, { kind, id }: Holder) {
  return trx.updateTable('gateway.asset_reservations').where('holder', '=', kind).where('holder_id', '=', id)
}

/** Releases all that a holder has reserved. */
export async function release(trx: Tenant, holder: Holder): Promise<void> {
  await updateReservation(trx, holder).set({ quantity: '0' }).returning('asset_id').executeTakeFirstOrThrow()
}

/**
 * Releases some of what a holder has reserved, and returns the asset. Throws if the holder has reserved
 * fewer.
 */
export async function reduce(trx: Tenant, holder: Holder, quantity: number): Promise<{ asset: number }> {
  return await updateReservation(trx, holder)
    .set({ quantity: sql`quantity - ${quantity}` })
    .returning('asset_id as asset')
    .executeTakeFirstOrThrow()
}

/** Sets how much a holder has reserved. Does nothing for a holder without a reservation. */
export async function resize(trx: Tenant, holder: Holder, quantity: bigint): Promise<void> {
  await updateReservation(trx, holder).set({ quantity: quantity.toString() }).execute()
}

/**
 * Sets how many units an order of an indexed contract waits for. Reserves nothing if the contract was removed
 * since: its assets are no longer indexed, and nobody owns them.
 */
export async function reserveUndelivered(trx: Tenant, order: number, quantity: bigint): Promise<void> {
  await updateReservation(trx, { kind: 'order', id: order })
    .set({ quantity: quantity.toString() })
    .where(
      sql<boolean>`exists (
        select from gateway.assets a
        where a.project_id = asset_reservations.project_id and a.id = asset_reservations.asset_id and a.indexed)`,
    )
    .execute()
}
