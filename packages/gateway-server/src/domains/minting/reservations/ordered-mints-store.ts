import { OrderStatus } from '@mintmark/orders'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import type { Program } from '../collections/collections-store.ts'
import type { ReservationRow } from './reservations-store.ts'

/*
 * Reservations of what is sold by orders. An order has one that is not let go of; whoever changes it has locked the order before.
 */

/** A reservation with its order as far as there is one: what was drawn has none at first. */
export type OrderedRow = ReservationRow & { order_no: string; order_status: number | null }

function withOrder(db: Db, project: number) {
  return db
    .selectFrom('gateway.mint_reservations as r')
    .leftJoin('gateway.orders as o', (join) =>
      join.onRef('o.project_id', '=', 'r.project_id').onRef('o.id', '=', 'r.order_id'),
    )
    .selectAll('r')
    .select([sql<string>`coalesce(o.order_no, '')`.as('order_no'), 'o.status as order_status'])
    .where('r.project_id', '=', project)
}

/** What a mint is asked of; without an NFT of whichever it is. */
interface Sought {
  readonly project: number
  readonly collection: number
  readonly recipient: string
  readonly quantity: number
  readonly nft: number | undefined
}

/** What a wallet has of a collection that an order takes the price of, and that is not minted: what is signed first, then what is paid. */
export async function findSold(db: Db, of: Sought): Promise<OrderedRow | undefined> {
  let rows = withOrder(db, of.project)
    .where('r.collection_id', '=', of.collection)
    .where('r.recipient', '=', of.recipient)
    .where('r.quantity', '=', of.quantity)
    .where('r.status', 'in', ['RESERVED', 'SIGNED'])
    .where('r.needs_order', '=', true)
    .where('r.hash', '=', '')
    .where(sql<boolean>`(r.order_id is not null or r.expires_at > clock_timestamp())`)
  if (of.nft !== undefined) rows = rows.where('r.nft', '=', of.nft)
  return await rows
    .orderBy(sql`r.status = 'SIGNED'`, 'desc')
    .orderBy(sql`coalesce(o.status = ${OrderStatus.SUCCESS}, false)`, 'desc')
    .orderBy('r.id')
    .limit(1)
    .executeTakeFirst()
}

/** What an order has of a collection, or had last. */
export async function findOfOrder(
  db: Db,
  project: number,
  of: { readonly collection: number; readonly orderNo: string },
): Promise<OrderedRow | undefined> {
  return await withOrder(db, project)
    .where('o.order_no', '=', of.orderNo)
    .where('o.deleted', '=', false)
    .where('r.collection_id', '=', of.collection)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** What an order has, locked; undefined where it was let go of. */
export async function lockLive(
  trx: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<ReservationRow | undefined> {
  return await trx
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('order_id', '=', id)
    .where('status', '<>', 'RELEASED')
    .forUpdate()
    .executeTakeFirst()
}

/** What an order had last, with what it is of. */
export async function findLast(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<(ReservationRow & { program: Program; contract_id: number; nft_address: string }) | undefined> {
  return await db
    .selectFrom('gateway.mint_reservations as r')
    .innerJoin('gateway.mint_collections as c', (join) =>
      join.onRef('c.project_id', '=', 'r.project_id').onRef('c.id', '=', 'r.collection_id'),
    )
    .innerJoin('gateway.contracts as k', (join) =>
      join.onRef('k.project_id', '=', 'c.project_id').onRef('k.id', '=', 'c.contract_id'),
    )
    .selectAll('r')
    .select(['c.program', 'c.contract_id', 'k.nft_address'])
    .where('r.project_id', '=', project_id)
    .where('r.order_id', '=', id)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** What a wallet has drawn in a phase that is sold by orders, and not ordered: locked until the transaction ends. */
export async function lockDrawn(
  trx: Db,
  of: { project: number; phase: number; nft: number; recipient: string },
): Promise<ReservationRow | undefined> {
  return await trx
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .where('project_id', '=', of.project)
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

/** The phase that an order is of, with what sells in it. */
export interface SoldPhase {
  readonly phase: Selectable<Tables['gateway.mint_phases']>
  readonly program: Program
  readonly nftAddress: string
}

/** A phase of any presale, by its id. */
export async function findPhase(db: Db, project: number, id: number): Promise<SoldPhase | undefined> {
  const row = await db
    .selectFrom('gateway.mint_phases as p')
    .innerJoin('gateway.mint_collections as c', (join) =>
      join.onRef('c.project_id', '=', 'p.project_id').onRef('c.id', '=', 'p.collection_id'),
    )
    .innerJoin('gateway.contracts as k', (join) =>
      join.onRef('k.project_id', '=', 'c.project_id').onRef('k.id', '=', 'c.contract_id'),
    )
    .selectAll('p')
    .select(['c.program', 'k.nft_address'])
    .where('p.project_id', '=', project)
    .where('p.id', '=', id)
    .where('p.deleted', '=', false)
    .where('k.deleted', '=', false)
    .executeTakeFirst()
  return row && { phase: row, program: row.program, nftAddress: row.nft_address }
}
