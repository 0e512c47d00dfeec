import type { Db } from '../../context.ts'
import { holdAgain, letGo, lockHeld } from '../market/assets-store.ts'
import * as auctions from '../market/auctions-store.ts'
import type { OrderEvent } from './order-state.ts'
import type { OrderRow } from './orders-store.ts'
import { deliver } from './stock-store.ts'

/** Of what an order is that was not made of a listing: it holds the seller's token itself, and ends with its one order. */
export interface Award {
  readonly project: number
  readonly kind: 'auction'
  readonly id: number
  readonly quantity: number
}

export function awardOf({ project_id: project, quantity, ...order }: OrderRow): Award | undefined {
  if (order.auction_id !== null) return { project, quantity, kind: 'auction', id: order.auction_id }
  return undefined
}

/** Before all that changes the award: see `listings-store.ts`. */
export async function lock(trx: Db, award: Award): Promise<void> {
  await lockHeld(trx, award.project, award)
}

/** The order ended without being paid: the seller's token is free again. */
export async function release(trx: Db, award: Award, _event: OrderEvent): Promise<void> {
  await letGo(trx, award.project, award)
  await auctions.settle(trx, award.project, award.id, 'UNPAID')
}

/** A payment has shown up after all; false where the seller has promised the token elsewhere by now. */
export async function reserveAgain(trx: Db, award: Award): Promise<boolean> {
  if (!(await holdAgain(trx, award.project, award))) return false
  await auctions.settle(trx, award.project, award.id, 'WON')
  return true
}

/** The order was paid: the token is the buyer's. */
export async function take(trx: Db, award: Award, order: OrderRow): Promise<'done' | 'pending'> {
  const { asset } = await letGo(trx, award.project, award)
  const delivery = await deliver(trx, asset, order)
  await auctions.settle(trx, award.project, award.id, 'SOLD')
  return delivery
}
