import { OrderStatus } from '@mintmark/orders'
import { ConfigurationError, transaction } from '@mintmark/server-kit'
import type { Db } from '../../../database/tables.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { transition } from '../state/transition.ts'
import { lockOrder, type OrderKey, type Resolved, recordOf } from './operator.ts'

export interface RefundDecision extends OrderKey {
  readonly actor: string
  readonly reason: string
  /** The payment whose excess was paid back. Required if refunds of several payments are due. */
  readonly payment?: string | undefined
  /** The transaction that paid it back, unless that was done in another way. */
  readonly hash?: string | undefined
}

/**
 * Records that the excess of one payment of a SUCCESS was paid back, with who decided. `refundDue` becomes
 * false with the last refund. Idempotent: a refund that is recorded already is returned unchanged.
 */
export async function recordRefund(
  db: Db,
  findInventory: FindInventory,
  decision: RefundDecision,
): Promise<Resolved> {
  return await transaction(db, async (owner) => {
    const { trx, order } = await lockOrder(owner, decision)
    if (order.status !== OrderStatus.SUCCESS) throw new ConfigurationError(NOT_A_SUCCESS)
    const claim = chooseClaim(await payments.listClaims(trx, order), decision)
    const { actor, reason, hash: refundHash = '' } = decision
    if (claim.refund === 'done') {
      if (refundHash === '' || refundHash === claim.refund_hash) return recordOf(order)
      throw new ConfigurationError(
        `The refund of ${claim.hash} is recorded already, by ${claim.refund_hash || 'no transaction'}`,
      )
    }
    if (refundHash !== '' && !(await payments.consume(trx, order, refundHash)))
      throw new ConfigurationError(HASH_TAKEN)
    const details = { actor, reason, hash: claim.hash, refundHash }
    const result = await transition(trx, findInventory, order, 'refunded', details)
    if (result.kind !== 'done') throw new Error(`A refund could not be recorded: ${result.kind}`)
    // A payment that went back counts for nothing. The order keeps its own payment.
    if (claim.hash !== order.tx_id) {
      const closed = { minedBlock: claim.mined_block, seen: false, outcome: 'refunded' }
      await payments.saveObservation(trx, order, claim.hash, closed)
    }
    await store.scheduleCheck(trx, order, 0)
    return recordOf(result.order)
  })
}

const NOT_A_SUCCESS =
  'A refund is recorded for a SUCCESS that was paid too much. Any other order ends by "orders resolve --as failed", once its buyer has the money back'

const HASH_TAKEN =
  'The --hash is a payment or a refund of another order. If it paid several refunds, record this one without it'

/** Determines the payment whose refund is recorded. */
function chooseClaim(
  claims: readonly payments.Claim[],
  { payment, hash = '' }: RefundDecision,
): payments.Claim {
  const recorded = claims.filter(({ refund }) => refund !== '')
  if (payment !== undefined) {
    const named = recorded.find((claim) => claim.hash === payment)
    if (named !== undefined) return named
    throw new ConfigurationError('No refund of this --payment is due')
  }
  const repeated = recorded.find(
    ({ refund, refund_hash }) => refund === 'done' && (hash === '' || refund_hash === hash),
  )
  const [due, other] = recorded.filter(({ refund }) => refund === 'due')
  // A repeat of a command is one even if another refund has become due meanwhile.
  if (repeated !== undefined && (hash !== '' || due === undefined)) return repeated
  if (other !== undefined)
    throw new ConfigurationError('Refunds of several payments are due: give the --payment that was paid back')
  if (due === undefined) throw new ConfigurationError('No refund is due')
  return due
}
