import { OrderStatus } from '@mintmark/orders'
import type { Db } from '../../../context.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { deliverSale, removeSale } from '../../market/listings/listing-inventory.ts'
import type { OrderStock } from '../../inventory/order-inventory.ts'
import * as orders from '../../orders/orders-store.ts'
import * as phases from '../phases/phases-store.ts'
import * as stock from '../nfts/mintable-store.ts'
import { findLast, lockLive } from './ordered-mints-store.ts'
import { type OfProgram, release, settle } from './release.ts'
import * as reservations from './reservations-store.ts'

/** What an order of a presale takes: a reservation, as a mint signature without an order does. */
export function stockOfMint(trx: Db, order: orders.OrderRow, phase: number): OrderStock {
  const { project_id: project, recipient: wallet } = order
  const uncountOpen = () => phases.uncountOpen(trx, project, { phase, wallet })
  return {
    async lock() {
      await lockLive(trx, order)
    },
    async release() {
      await letGo(trx, order)
      await uncountOpen()
    },
    reserveAgain: () => reserveAgain(trx, order),
    async take() {
      if (order.stock === 'held') await uncountOpen()
      // It is signed when the buyer asks, and delivered when the chain shows that it is minted.
      return 'pending'
    },
    async takeBack() {
      const row = await lockLive(trx, order)
      // Whoever has a signature can use it: the chain decides first.
      return row?.status === 'RESERVED' && (await letGo(trx, order))
    },
  }
}

async function letGo(trx: Db, order: orders.OrderRow): Promise<boolean> {
  const row = await findLast(trx, order)
  return row !== undefined && row.status !== 'RELEASED' && (await release(trx, row))
}

/** Reserves anew what the order had: of the same NFT, in the same phase, also past its end, for it was ordered before. */
async function reserveAgain(trx: Db, order: orders.OrderRow): Promise<boolean> {
  const last = await findLast(trx, order)
  if (last === undefined) return false
  const { project_id: project, phase_id: phase, recipient: wallet, nft, quantity } = last
  if (!(await contracts.keep(trx, project, last.contract_id))) return false
  const of = { project, nftAddress: last.nft_address, nft, quantity }
  if (nft !== 0 && (await stock.reserve(trx, last.program, of)) === undefined) return false
  if (!(await phases.claimAgain(trx, project, phase, quantity))) return false
  if (!(await phases.countWallet(trx, project, { phase, wallet, quantity }, last.wallet_limit))) return false
  await addLike(trx, last)
  return true
}

/** Another reservation of the same: its signature is another one, too. */
async function addLike(trx: Db, row: reservations.ReservationRow): Promise<void> {
  const { project_id, collection_id, phase_id, order_id, nft, recipient, quantity } = row
  const { price, pay_token_address, wallet_limit, needs_order } = row
  await reservations.add(trx, {
    ...{ project_id, collection_id, phase_id, order_id, nft, recipient, quantity },
    ...{ price, pay_token_address, wallet_limit, needs_order },
  })
}

/**
 * A signature has expired, and nobody can have used it. What it was for is let go of; what an order has paid is its buyer's still, who can
 * have it signed anew.
 */
export async function lapse(trx: Db, row: OfProgram): Promise<void> {
  if (row.order_id === null) return void (await release(trx, row))
  const order = await orders.lockById(trx, row.project_id, row.order_id)
  if (order === undefined) return
  if (order.status === OrderStatus.FAILED) {
    // An operator decided while the signature could be used that its order was not paid.
    if (!(await release(trx, row))) return
    await removeSale(trx, order)
    await orders.change(trx, order, { stock: 'released', delivery: '' })
    return
  }
  if (await reservations.move(trx, row, 'SIGNED', { status: 'RELEASED', hash: '', token_id: '' }))
    await addLike(trx, row)
}

/** A signature was used, for good: what its order has paid is delivered by that. */
export async function deliver(
  trx: Db,
  row: OfProgram,
  minted: { readonly tokenId: string; readonly hash: string },
): Promise<void> {
  const order = row.order_id === null ? undefined : await orders.lockById(trx, row.project_id, row.order_id)
  if (!(await settle(trx, row, minted)) || order === undefined) return
  await orders.change(trx, order, { delivery: 'done', nft_id: minted.tokenId })
  await deliverSale(trx, order, minted.tokenId)
  const { hash } = minted
  await orders.addEvent(trx, order, { event: 'delivered', to: order.status, actor: '', reason: '', hash })
}
