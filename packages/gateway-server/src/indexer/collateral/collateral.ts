import { OrderStatus } from '@mintmark/orders'
import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { letGo } from '../../domains/inventory/assets-store.ts'
import * as auctions from '../../domains/market/auctions/auctions-store.ts'
import * as listings from '../../domains/market/listings/listings-store.ts'
import * as orders from '../../domains/orders/orders-store.ts'
import { advance } from '../../domains/orders/state/transition.ts'
import type { TokenKey } from '../balances/balances-store.ts'
import { standing } from './collateral-rules.ts'
import { type Hold, lockPromises, promisedOf, unpaidOrders } from './collateral-store.ts'

/** Why an order was cancelled that nobody asked to cancel. */
const NOT_OWNED = 'not_owned'

/**
 * Takes listings and auctions out of sale where their owners have too few, and puts them back where they have enough again: nothing of it
 * is for good, for the chain may turn back.
 */
export async function tendPromises(trx: Db, changed: readonly TokenKey[]): Promise<void> {
  for (const key of await promisedOf(trx, changed)) await tend(trx, key)
}

async function tend(trx: Db, key: TokenKey): Promise<{ owned: bigint; fallen: Hold[] }> {
  const { project } = key
  const { owned, promises } = await lockPromises(trx, key)
  const stands = standing(owned, promises)
  for (const { id, claim, holder, status } of promises) {
    if (claim !== 'listing' && claim !== 'auction') continue
    const [table, running] =
      claim === 'listing' ? (['gateway.listings', 'ON'] as const) : (['gateway.auctions', 'OPEN'] as const)
    const state = stands.has(id) ? running : 'INACTIVE'
    if (state === status) continue
    // A bid, or a job, may have ended an auction meanwhile: it changes the auction alone.
    await sql`
      update ${sql.table(table)} set status = ${state}, updated_at = clock_timestamp()
      where project_id = ${project} and id = ${holder} and status in (${running}, 'INACTIVE')`.execute(trx)
  }
  return { owned, fallen: promises.filter(({ id }) => !stands.has(id)) }
}

/**
 * Ends for good what was promised of an asset and can be kept no more, by a transfer that stays. An auction ends without a winner, and what
 * its winner or who made an offer has not paid is cancelled; with nothing left, listings are closed, and their unpaid orders cancelled. What
 * is paid stays: the transfer may be its delivery.
 */
export async function endLost(trx: Db, key: TokenKey): Promise<void> {
  const { project } = key
  const unpaid = await lockUnpaid(trx, key)
  const { owned, fallen } = await tend(trx, key)
  const awarded = new Set(fallen.flatMap(({ claim, order }) => (claim === 'awarded' ? [order] : [])))
  for (const order of unpaid) {
    if (!(awarded.has(order.id) || (owned === 0n && order.listing_id !== null))) continue
    await advance(trx, order, 'withdrawn', { reason: NOT_OWNED })
    await orders.lookAgain(trx, order, undefined)
  }
  for (const { claim, holder: id } of fallen) {
    if (claim === 'auction' && (await auctions.endInactive(trx, project, id)))
      await letGo(trx, project, { kind: 'auction', id })
    if (claim === 'listing' && owned === 0n) await listings.close(trx, project, id, 'OFF')
  }
}

/** Orders come before what they hold, as everywhere. */
async function lockUnpaid(trx: Db, key: TokenKey): Promise<orders.OrderRow[]> {
  const locked: orders.OrderRow[] = []
  for (const id of await unpaidOrders(trx, key)) {
    const order = await orders.lockById(trx, key.project, id)
    // Paid meanwhile, as far as its buyer tells, it is the verifier's.
    if (order?.status === OrderStatus.PRE) locked.push(order)
  }
  return locked
}
