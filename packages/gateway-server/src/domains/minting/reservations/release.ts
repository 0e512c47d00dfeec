import type { Tenant } from '../../../database/tenant.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import * as mintable from '../nfts/mintable-store.ts'
import * as phases from '../phases/phases-store.ts'
import * as reservations from './reservations-store.ts'

/** Releases a reservation. Returns false if another transaction has released or minted it meanwhile. */
export async function release(trx: Tenant, row: reservations.ReservationRow): Promise<boolean> {
  const released = { status: 'RELEASED', hash: '', token_id: '' } as const
  if (!(await reservations.move(trx, row, row.status, released))) return false
  await releaseUnits(trx, [row])
  return true
}

/** Releases what reservations had reserved: units of NFTs, of their phases and of their wallets' limits. */
async function releaseUnits(
  trx: Tenant,
  rows: readonly Pick<reservations.ReservationRow, 'nft' | 'phase_id' | 'recipient' | 'quantity'>[],
): Promise<void> {
  const nfts = new Map<number, number>()
  for (const { nft, quantity } of rows) if (nft !== 0) nfts.set(nft, (nfts.get(nft) ?? 0) + quantity)
  await mintable.release(trx, nfts)
  const mints = rows.map(({ phase_id: phase, recipient: wallet, quantity }) => ({ phase, wallet, quantity }))
  await phases.unclaim(trx, mints)
}

/** Records that a reservation is minted. Returns false if another transaction has done so. */
export async function completeReservation(
  trx: Tenant,
  row: reservations.ReservationRow,
  minted: { readonly tokenId: string; readonly hash: string },
): Promise<boolean> {
  const { nft, quantity } = row
  const changes = { status: 'MINTED', hash: minted.hash, token_id: minted.tokenId } as const
  if (!(await reservations.move(trx, row, 'SIGNED', changes))) return false
  if (nft !== 0) await mintable.mint(trx, { nft, quantity, tokenId: minted.tokenId })
  return true
}

/**
 * Releases a collection's expired reservations that have neither a signature nor an order, and returns how
 * many.
 */
export async function releaseExpired(trx: Tenant, collection: number): Promise<number> {
  const released = await reservations.releaseExpired(trx, collection)
  if (released.length > 0) await releaseUnits(trx, released)
  return released.length
}

/** Expires a collection's overdue orders and reservations, and returns how many. */
export async function makeRoom(trx: Tenant, orders: OrderPort, collection: number): Promise<number> {
  // Orders are locked before what they have reserved.
  const expired = await orders.expireMints(trx, collection)
  return expired + (await releaseExpired(trx, collection))
}
