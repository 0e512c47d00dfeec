import type { Db } from '../../../context.ts'
import * as orders from '../../orders/orders-store.ts'
import { expire } from '../../orders/state/transition.ts'
import type { Program } from '../collections/collections-store.ts'
import { giveBack } from './release.ts'
import * as reservations from './reservations-store.ts'

/** A collection of a program. */
interface Collection {
  readonly program: Program
  readonly id: number
}

/** Lets go of a collection's reservations without a signature that are past their time, all at once; answers how many. */
export async function releaseExpired(trx: Db, project: number, { program, id }: Collection): Promise<number> {
  const released = await reservations.releaseExpired(trx, project, id)
  if (released.length > 0) await giveBack(trx, project, program, released)
  return released.length
}

/** Ends all of a collection that waits past its time, orders as well; answers how many. */
export async function makeRoom(trx: Db, project: number, collection: Collection): Promise<number> {
  // Orders are locked before what they have reserved.
  const ended = await expire(trx, await orders.lockExpiredOfMints(trx, project, collection.id))
  return ended + (await releaseExpired(trx, project, collection))
}
