import { OrderStatus } from '@mintmark/orders'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { Program } from '../collections/collections-store.ts'
import type { ReservationKey, ReservationRow } from './reservations-store.ts'

/*
 * Reservations of mints that are sold by orders. An order has at most one that is not released. A transaction that changes it has locked the order
 * before.
 */

/** A mint that is sold by an order, with the order's number and status. A drawn NFT has no order at first. */
export type SoldMint = ReservationRow & { order_no: string; order_status: number | null }

function withOrder(tenant: Tenant) {
  return tenant.db
    .selectFrom('gateway.mint_reservations as r')
    .leftJoin('gateway.orders as o', (join) =>
      join.onRef('o.project_id', '=', 'r.project_id').onRef('o.id', '=', 'r.order_id'),
    )
    .selectAll('r')
    .select([sql<string>`coalesce(o.order_no, '')`.as('order_no'), 'o.status as order_status'])
    .where('r.project_id', '=', tenant.project)
}

/**
 * Finds a mint of a wallet that is sold by an order and not minted yet: signed ones first, then paid ones.
 */
export async function findSold(tenant: Tenant, key: ReservationKey): Promise<SoldMint | undefined> {
  let rows = withOrder(tenant)
    .where('r.collection_id', '=', key.collection)
    .where('r.recipient', '=', key.recipient)
    .where('r.quantity', '=', key.quantity)
    .where('r.status', 'in', ['RESERVED', 'SIGNED'])
    .where('r.needs_order', '=', true)
    .where('r.hash', '=', '')
    .where(sql<boolean>`(r.order_id is not null or r.expires_at > clock_timestamp())`)
  if (key.nft !== undefined) rows = rows.where('r.nft', '=', key.nft)
  return await rows
    .orderBy(sql`r.status = 'SIGNED'`, 'desc')
    .orderBy(sql`coalesce(o.status = ${OrderStatus.SUCCESS}, false)`, 'desc')
    .orderBy('r.id')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the newest reservation of an order in a collection. */
export async function findOfOrder(
  tenant: Tenant,
  of: { readonly collection: number; readonly orderNo: string },
): Promise<SoldMint | undefined> {
  return await withOrder(tenant)
    .where('o.order_no', '=', of.orderNo)
    .where('o.deleted', '=', false)
    .where('r.collection_id', '=', of.collection)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the reservation of an order that is not released, and locks it. */
export async function lockLive(
  trx: Tenant,
  { id }: { readonly id: number },
): Promise<ReservationRow | undefined> {
  return await trx
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .where('order_id', '=', id)
    .where('status', '<>', 'RELEASED')
    .forUpdate()
    .executeTakeFirst()
}

/** Finds the newest reservation of an order, with its program and its contract. */
export async function findLast(
  tenant: Tenant,
  { id }: { readonly id: number },
): Promise<(ReservationRow & { program: Program; contract_id: number; nft_address: string }) | undefined> {
  return await tenant.db
    .selectFrom('gateway.mint_reservations as r')
    .innerJoin('gateway.mint_collections as c', (join) =>
      join.onRef('c.project_id', '=', 'r.project_id').onRef('c.id', '=', 'r.collection_id'),
    )
    .innerJoin('gateway.contracts as k', (join) =>
      join.onRef('k.project_id', '=', 'c.project_id').onRef('k.id', '=', 'c.contract_id'),
    )
    .selectAll('r')
    .select(['c.program', 'c.contract_id', 'k.nft_address'])
    .where('r.project_id', '=', tenant.project)
    .where('r.order_id', '=', id)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Finds what a wallet has drawn and not ordered in a phase that is sold by orders, and locks it until the
 * transaction ends.
 */
export async function lockDrawn(
  trx: Tenant,
  of: { phase: number; nft: number; recipient: string },
): Promise<ReservationRow | undefined> {
  return await trx
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .where('phase_id', '=', of.phase)
    .where('nft', '=', of.nft)
    .where('recipient', '=', of.recipient)
    .where('status', '=', 'RESERVED')
    .where('needs_order', '=', true)
    .where('order_id', 'is', null)
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .forUpdate()
    .executeTakeFirst()
}

/** A phase with its program and its contract. */
export interface SoldPhase {
  readonly phase: Selectable<Tables['gateway.mint_phases']>
  readonly program: Program
  readonly nftAddress: string
}

/** Finds a phase of any presale by its id. */
export async function findPhase(tenant: Tenant, id: number): Promise<SoldPhase | undefined> {
  const row = await tenant.db
    .selectFrom('gateway.mint_phases as p')
    .innerJoin('gateway.mint_collections as c', (join) =>
      join.onRef('c.project_id', '=', 'p.project_id').onRef('c.id', '=', 'p.collection_id'),
    )
    .innerJoin('gateway.contracts as k', (join) =>
      join.onRef('k.project_id', '=', 'c.project_id').onRef('k.id', '=', 'c.contract_id'),
    )
    .selectAll('p')
    .select(['c.program', 'k.nft_address'])
    .where('p.project_id', '=', tenant.project)
    .where('p.id', '=', id)
    .where('p.deleted', '=', false)
    .where('k.deleted', '=', false)
    .executeTakeFirst()
  return row && { phase: row, program: row.program, nftAddress: row.nft_address }
}
