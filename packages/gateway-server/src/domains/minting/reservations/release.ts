import type { Tenant } from '../../../database/tenant.ts'
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
export async function release(trx: Tenant, row: ProgramReservation): Promise<boolean> {
  const released = { status: 'RELEASED', hash: '', token_id: '' } as const
  if (!(await reservations.move(trx, row, row.status, released))) return false
  await releaseUnits(trx, row.program, [row])
  return true
}

/** Releases what reservations had reserved: units of NFTs, of their phases and of their wallets' limits. */
async function releaseUnits(
  trx: Tenant,
  program: Program,
  rows: readonly Pick<reservations.ReservationRow, 'nft' | 'phase_id' | 'recipient' | 'quantity'>[],
): Promise<void> {
  const nfts = new Map<number, number>()
  for (const { nft, quantity } of rows) if (nft !== 0) nfts.set(nft, (nfts.get(nft) ?? 0) + quantity)
  await mintable.release(trx, program, nfts)
  const mints = rows.map(({ phase_id: phase, recipient: wallet, quantity }) => ({ phase, wallet, quantity }))
  await phases.unclaim(trx, mints)
}

/** Records that a reservation is minted. Returns false if another transaction has done so. */
export async function completeReservation(
  trx: Tenant,
  row: ProgramReservation,
  minted: { readonly tokenId: string; readonly hash: string },
): Promise<boolean> {
  const { nft, quantity } = row
  const changes = { status: 'MINTED', hash: minted.hash, token_id: minted.tokenId } as const
  if (!(await reservations.move(trx, row, 'SIGNED', changes))) return false
  if (nft !== 0) await mintable.mint(trx, row.program, { nft, quantity, tokenId: minted.tokenId })
  return true
}

/**
 * Releases a collection's expired reservations that have neither a signature nor an order, and returns how
 * many.
 */
export async function releaseExpired(trx: Tenant, { program, id }: CollectionKey): Promise<number> {
  const released = await reservations.releaseExpired(trx, id)
  if (released.length > 0) await releaseUnits(trx, program, released)
  return released.length
}

/** Expires a collection's overdue orders and reservations, and returns how many. */
export async function makeRoom(trx: Tenant, orders: OrderPort, collection: CollectionKey): Promise<number> {
  // Orders are locked before what they have reserved.
  const expired = await orders.expireMints(trx, collection.id)
  return expired + (await releaseExpired(trx, collection))
}
