import type { Tenant } from '../../database/tenant.ts'
import { type Holder, reserve } from '../inventory/reservations-store.ts'
import { closeUnsoldOfAsset } from './auctions/close-auction.ts'
import { closeEnded } from './listings/listings-store.ts'

/**
 * Reserves units of an asset for a sale. Returns false if fewer are available. Sales of the asset that have
 * ended are closed first if that is needed, without waiting for the job.
 */
export async function reserveAsset(
  trx: Tenant,
  asset: number,
  holder: Holder,
  quantity: number,
): Promise<boolean> {
  if (await reserve(trx, asset, holder, quantity)) return true
  const closed = (await closeEnded(trx, asset)) + (await closeUnsoldOfAsset(trx, asset))
  return closed > 0 && (await reserve(trx, asset, holder, quantity))
}
