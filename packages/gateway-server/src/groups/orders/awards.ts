import type { Db } from '../../context.ts'
import { holdAgain, letGo, lockHeld } from '../market/assets-store.ts'
import * as auctions from '../market/auctions-store.ts'
import * as offers from '../market/offers-store.ts'
import type { OrderEvent } from './order-state.ts'
import type { OrderRow } from './orders-store.ts'
import { deliver } from './stock-store.ts'

/** Of what an order is that was not made of a listing: it holds the seller's token itself, and ends with its one order. */
export interface Award {
  readonly project: number
  readonly kind: 'auction' | 'offer'
  readonly id: number
  readonly quantity: number
}

export function awardOf({ project_id: project, quantity, ...order }: OrderRow): Award | undefined {
  if (order.auction_id !== null) return { project, quantity, kind: 'auction', id: order.auction_id }
  if (order.offer_id !== null) return { project, quantity, kind: 'offer', id: order.offer_id }
  return undefined
}

/** Before all that changes the award: see `listings-store.ts`. */
export async function lock(trx: Db, award: Award): Promise<void> {
  await lockHeld(trx, award.project, award)
}

/** The order ended without being paid: the seller's token is free again. */
export async function release(trx: Db, award: Award, event: OrderEvent): Promise<void> {
  const { project, kind, id } = award
  await letGo(trx, project, award)
  if (kind === 'auction') await auctions.settle(trx, project, id, 'UNPAID')
  else await offers.settle(trx, project, id, event === 'cancelled' ? 'CANCELLED' : 'EXPIRED')
}

/** A payment has shown up after all; false where the seller has promised the token elsewhere by now. */
export async function reserveAgain(trx: Db, award: Award): Promise<boolean> {
  const { project, kind, id } = award
  if (!(await holdAgain(trx, project, award))) return false
  if (kind === 'auction') await auctions.settle(trx, project, id, 'WON')
  else await offers.settle(trx, project, id, 'ACCEPTED')
  return true
}

/** The order was paid: the token is the buyer's. */
export async function take(trx: Db, award: Award, order: OrderRow): Promise<'done' | 'pending'> {
  const { project, kind, id } = award
  const { asset } = await letGo(trx, project, award)
  const delivery = await deliver(trx, asset, order)
  if (kind === 'auction') await auctions.settle(trx, project, id, 'SOLD')
  else if (order.nft_type === 'ERC721') await offers.rejectOthers(trx, project, order)
  return delivery
}
