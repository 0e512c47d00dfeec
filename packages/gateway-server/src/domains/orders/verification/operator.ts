import { OrderStatus } from '@mintmark/orders'
import { ConfigurationError, transaction } from '@mintmark/server-kit'
import type { Db } from '../../../database/tables.ts'
import { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { type BlockReason, transition } from '../state/transition.ts'
import { ENDED, HARMLESS_OUTCOMES } from './stuck-orders.ts'

const names = Object.fromEntries(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

export interface Resolution extends OrderKey {
  readonly event: 'resolved_success' | 'resolved_failed'
  readonly actor: string
  readonly reason: string
  /** The transaction that counts as its payment. Default: the reported one that pays the order. */
  readonly hash?: string | undefined
  /** Whether the order succeeds without a transaction that counts. */
  readonly withoutPayment?: boolean
}

/** An order after an operator's decision. */
export interface Resolved {
  readonly projectId: number
  readonly orderNo: string
  readonly status: string
  readonly chainId: string
  /** The transaction that counts as its payment; empty for none. */
  readonly hash: string
  readonly refundDue: boolean
}

/**
 * Resolves an order by an operator's decision, and appends the decision to its events. Idempotent: an order
 * that is resolved that way already is returned unchanged.
 */
export async function resolveOrder(
  db: Db,
  findInventory: FindInventory,
  resolution: Resolution,
): Promise<Resolved> {
  return await transaction(db, async (owner) => {
    const { trx, order } = await lockOrder(owner, resolution)
    const claims = await payments.listClaims(trx, order)
    if (await isResolved(trx, order, claims, resolution)) return recordOf(order)
    const { event, actor, reason } = resolution
    const hash = event === 'resolved_success' ? chooseHash(order, claims, resolution) : ''
    const result = await transition(trx, findInventory, order, event, { actor, reason, hash })
    if (result.kind === 'invalid')
      throw new ConfigurationError(`The order is ${names[order.status]}: ${INVALID_EVENT}`)
    if (result.kind === 'blocked') throw new ConfigurationError(BLOCKED[result.reason])
    if (event === 'resolved_failed') await closeClaims(trx, order, claims)
    // The claims are still checked: a payment that is mined later counts, or has to be paid back.
    if (claims.length > 0) await store.scheduleCheck(trx, order, 0)
    else await store.unscheduleCheck(trx, order)
    return recordOf(result.order)
  })
}

const INVALID_EVENT =
  'a SUCCESS cannot be undone, and an order in PRE ends when it expires or its buyer cancels it'

const BLOCKED = {
  payment_used:
    'The transaction counts for another order: give the --hash that paid this one, or --payment none',
  no_stock: 'The ordered units are sold to others: pay the buyer back, then resolve the order --as failed',
} as const satisfies Record<BlockReason, string>

/** Identifies an order for an operator. */
export interface OrderKey {
  readonly orderNo: string
  /** Required if several projects have an order with this number. */
  readonly project?: number | undefined
}

/** Finds the project and the id of an order by its number. */
async function findOrder(db: Db, key: OrderKey): Promise<{ project_id: number; id: number }> {
  const { orderNo, project } = key
  let rows = db.selectFrom('gateway.orders').select(['project_id', 'id']).where('order_no', '=', orderNo)
  if (project !== undefined) rows = rows.where('project_id', '=', project)
  const [row, other] = await rows.execute()
  if (other !== undefined)
    throw new ConfigurationError(`Several projects have an order ${orderNo}: give its --project`)
  if (row === undefined) throw noSuchOrder(key)
  return row
}

/** Finds and locks an order of any project. */
export async function lockOrder(owner: Db, key: OrderKey): Promise<{ trx: Tenant; order: store.OrderRow }> {
  const { project_id: project, id } = await findOrder(owner, key)
  const trx = new Tenant(owner, project)
  const order = await store.lockById(trx, id)
  if (order === undefined) throw noSuchOrder(key)
  return { trx, order }
}

const noSuchOrder = ({ orderNo }: OrderKey) => new ConfigurationError(`There is no order ${orderNo}`)

/** Whether the order is resolved this way already. Throws if there is nothing to resolve. */
async function isResolved(
  trx: Tenant,
  order: store.OrderRow,
  claims: readonly payments.Claim[],
  { event, hash }: Resolution,
): Promise<boolean> {
  const { status } = order
  if (event === 'resolved_success' && status === OrderStatus.SUCCESS) {
    if (hash === undefined || hash === order.tx_id) return true
    throw new ConfigurationError(`The order is SUCCESS already, by ${order.tx_id || 'no transaction'}`)
  }
  if (event !== 'resolved_failed') return false
  if (status === OrderStatus.PRE && !order.expired)
    throw new ConfigurationError('The order waits for its payment until it expires: its buyer can cancel it')
  const open = order.refund_due || claims.some(({ outcome }) => !HARMLESS_OUTCOMES.includes(outcome))
  if (!ENDED.includes(status) || open) return false
  if (claims.length > 0 || (await store.hasEvent(trx, order, event))) return true
  throw new ConfigurationError(
    `The order is ${names[status]} and no transaction was reported for it: there is nothing to resolve`,
  )
}

/** Determines the transaction that counts as the payment of a success; empty for none. */
function chooseHash(
  order: store.OrderRow,
  claims: readonly payments.Claim[],
  { hash, withoutPayment = false }: Resolution,
): string {
  if (withoutPayment) return ''
  if (hash !== undefined) return hash
  const paid = claims.find(({ outcome }) => outcome === 'paid')
  if (paid !== undefined) return paid.hash
  const own = claims.find((claim) => claim.hash === order.hash)
  const closed = own?.outcome === 'refunded'
  if (order.status === OrderStatus.UNRESOLVED && order.hash !== '' && !closed) return order.hash
  throw new ConfigurationError(
    'No reported transaction is known to pay the order: give the --hash that paid it, or --payment none',
  )
}

/**
 * Closes the claims of an order that an operator resolved as failed. A final payment goes back: it neither
 * revives this order nor counts for another one. A transaction that is not final is still checked, because it
 * may move money later.
 */
async function closeClaims(
  trx: Tenant,
  order: store.OrderRow,
  claims: readonly payments.Claim[],
): Promise<void> {
  for (const { hash, mined_block, outcome, paid_amount } of claims) {
    if (outcome === 'reverted' || outcome === 'unrelated') continue
    const isPartial = outcome === 'not_enough' && BigInt(paid_amount) > 0n
    if (outcome === 'paid' || isPartial) await payments.consume(trx, order, hash)
    const final = outcome !== '' && outcome !== 'dismissed'
    const closed = { minedBlock: mined_block, seen: false, outcome: final ? 'refunded' : 'dismissed' }
    await payments.saveObservation(trx, order, hash, closed)
  }
}

export function recordOf(order: store.OrderRow): Resolved {
  return {
    projectId: order.project_id,
    orderNo: order.order_no,
    status: names[order.status] ?? String(order.status),
    chainId: order.chain_id,
    hash: order.tx_id,
    refundDue: order.refund_due,
  }
}
