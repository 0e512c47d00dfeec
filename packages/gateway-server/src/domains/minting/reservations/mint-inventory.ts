import { OrderStatus } from '@mintmark/orders'
import type { Tenant } from '../../../database/tenant.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { issueMinted } from '../../inventory/new-tokens.ts'
import type { Inventory, OrderItem } from '../../inventory/order-inventory.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import * as mintable from '../nfts/mintable-store.ts'
import * as phases from '../phases/phases-store.ts'
import { findLast, lockLive } from './ordered-mints-store.ts'
import { completeReservation, release } from './release.ts'
import * as reservations from './reservations-store.ts'

/**
 * The inventory of an order of a presale: a mint reservation, as a mint signature without an order has one.
 */
export function mintInventory(trx: Tenant, order: OrderItem, phase: number): Inventory {
  const { recipient: wallet } = order
  const uncountOpen = () => phases.uncountOpen(trx, { phase, wallet })
  return {
    async lock() {
      await lockLive(trx, order)
    },
    reserve: () => reReserve(trx, order),
    async commit() {
      if (order.stock === 'reserved') await uncountOpen()
      // It is signed when the buyer requests it, and delivered when the chain shows its mint.
      return 'pending'
    },
    async release() {
      await releaseLast(trx, order)
      await uncountOpen()
    },
    async revert() {
      const row = await lockLive(trx, order)
      // A signature can be used by whoever has it: the chain decides first.
      return row?.status === 'RESERVED' && (await releaseLast(trx, order))
    },
  }
}

async function releaseLast(trx: Tenant, order: OrderItem): Promise<boolean> {
  const row = await findLast(trx, order)
  return row !== undefined && row.status !== 'RELEASED' && (await release(trx, row))
}

/**
 * Reserves what the order had reserved: the same NFT in the same phase, even after its end, because the order
 * was placed before.
 */
async function reReserve(trx: Tenant, order: OrderItem): Promise<boolean> {
  const last = await findLast(trx, order)
  if (last === undefined) return false
  const { phase_id: phase, recipient: wallet, nft, quantity } = last
  if (!(await contracts.keep(trx, last.contract_id))) return false
  const item = { nftAddress: last.nft_address, nft, quantity }
  if (nft !== 0 && (await mintable.reserve(trx, last.program, item)) === undefined) return false
  if (!(await phases.reclaim(trx, phase, quantity))) return false
  if (!(await phases.countWallet(trx, { phase, wallet, quantity }, last.wallet_limit))) return false
  await insertCopy(trx, last)
  return true
}

/** Inserts another reservation of the same units. It gets a signature of its own. */
async function insertCopy(trx: Tenant, row: reservations.ReservationRow): Promise<void> {
  await reservations.add(trx, {
    collection_id: row.collection_id,
    phase_id: row.phase_id,
    order_id: row.order_id,
    nft: row.nft,
    recipient: row.recipient,
    quantity: row.quantity,
    price: row.price,
    pay_token_address: row.pay_token_address,
    wallet_limit: row.wallet_limit,
    needs_order: row.needs_order,
  })
}

/**
 * Expires a signature that was not used and can no longer be used, and releases its reservation. A buyer who
 * has paid for it by an order keeps the units, and can have them signed again.
 */
export async function expireSignature(
  trx: Tenant,
  orders: OrderPort,
  row: reservations.ReservationRow,
): Promise<void> {
  if (row.order_id === null) {
    await release(trx, row)
    return
  }
  const order = await orders.lock(trx, row.order_id)
  if (order === undefined) return
  if (order.status === OrderStatus.FAILED) {
    // An operator resolved the order as failed while the signature was valid.
    if (await release(trx, row)) await orders.revertMint(trx, order)
    return
  }
  const released = { status: 'RELEASED', hash: '', token_id: '' } as const
  if (await reservations.move(trx, row, 'SIGNED', released)) await insertCopy(trx, row)
}

/**
 * Records the mint of a signature in a final block: who owns its tokens, and the delivery of the order that
 * paid for it, if any. Returns false if the mint is too large to record the owners.
 */
export async function completeMint(
  trx: Tenant,
  orders: OrderPort,
  row: reservations.NamedReservation,
  minted: { readonly tokenId: string; readonly hash: string },
): Promise<boolean> {
  const order = row.order_id === null ? undefined : await orders.lock(trx, row.order_id)
  if (!(await completeReservation(trx, row, minted))) return true
  const contract = await contracts.keep(trx, row.contract_id)
  const hasOwners =
    contract === undefined ||
    (await issueMinted(trx, {
      contract,
      firstId: minted.tokenId,
      quantity: row.quantity,
      owner: row.recipient,
      orderNo: order?.order_no ?? '',
      hash: minted.hash,
    }))
  if (order !== undefined) await orders.completeMint(trx, order, minted)
  return hasOwners
}
