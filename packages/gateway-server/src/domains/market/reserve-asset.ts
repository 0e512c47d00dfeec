import type { Db } from '../../context.ts'
import { closeUnsold } from './auctions/close-auction.ts'
import { closeEnded } from './listings/listings-store.ts'
import { type Holder, hold } from '../inventory/assets-store.ts'

/**
 * Promises so many of an asset to a holder; false where its owner has not so many that are free. What holds some of it and has ended is closed
 * first, without waiting for the job.
 */
export async function promise(
  trx: Db,
  project: number,
  asset: number,
  holder: { kind: Holder; id: number; quantity: number },
): Promise<boolean> {
  if (await hold(trx, project, asset, holder)) return true
  const closed = (await closeEnded(trx, project, asset)) + (await closeUnsold(trx, project, asset))
  return closed > 0 && (await hold(trx, project, asset, holder))
}
