import type { Db } from '../../../tables.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import type { Program } from '../collections/collections-store.ts'
import * as mintable from '../nfts/mintable-store.ts'
import * as phases from '../phases/phases-store.ts'
import * as reservations from './reservations-store.ts'

/** A reservation with the program that it belongs to. */
export type ProgramReservation = reservations.ReservationRow & { readonly program: Program }

/** A collection of a program. */
export interface CollectionKey {
  readonly program: Program
  readonly id: number
}

/** Releases a reservation. Returns false if another transaction has released or minted it meanwhile. */
export async function release(trx: Db, row: ProgramReservation): Promise<boolean> {
  const released = { status: 'RELEASED', hash: '', token_id: '' } as const
  if (!(await reservations.move(trx, row, row.status, released))) return false
  await releaseUnits(trx, row.project_id, row.program, [row])
  return true
}

/** Releases what reservations had reserved: units of NFTs, of their phases and of their wallets' limits. */
async function releaseUnits(
  trx: Db,
  project: number,
  program: Program,
  rows: readonly Pick<reservations.ReservationRow, 'nft' | 'phase_id' | 'recipient' | 'quantity'>[],
): Promise<void> {
  const nfts = new Map<number, number>()
  for (const { nft, quantity } of rows) if (nft !== 0) nfts.set(nft, (nfts.get(nft) ?? 0) + quantity)
  await mintable.release(trx, program, project, nfts)
  const mints = rows.map(({ phase_id: phase, recipient: wallet, quantity }) => ({ phase, wallet, quantity }))
  await phases.unclaim(trx, project, mints)
}

/** Records that a reservation is minted. Returns false if another transaction has done so. */
export async function completeReservation(
  trx: Db,
  row: ProgramReservation,
  minted: { readonly tokenId: string; readonly hash: string },
): Promise<boolean> {
  const { project_id: project, nft, quantity } = row
  const changes = { status: 'MINTED', hash: minted.hash, token_id: minted.tokenId } as const
  if (!(await reservations.move(trx, row, 'SIGNED', changes))) return false
  if (nft !== 0) await mintable.mint(trx, row.program, { project, nft, quantity, tokenId: minted.tokenId })
  return true
}

/** Releases a collection's expired reservations that have neither a signature nor an order, and returns how many. */
export async function releaseExpired(
  trx: Db,
  project: number,
  { program, id }: CollectionKey,
): Promise<number> {
  const released = await reservations.releaseExpired(trx, project, id)
  if (released.length > 0) await releaseUnits(trx, project, program, released)
  return released.length
}

/** Expires a collection's overdue orders and reservations, and returns how many. */
export async function makeRoom(
  trx: Db,
  orders: OrderPort,
  project: number,
  collection: CollectionKey,
): Promise<number> {
  // Orders are locked before what they have reserved.
  const expired = await orders.expireMints(trx, project, collection.id)
  return expired + (await releaseExpired(trx, project, collection))
}
