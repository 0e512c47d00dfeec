import { OrderStatus } from '@mintmark/orders'
import type { PaymentObservation } from '../../../chain/payment-observation.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import type { OrderSettings } from '../../inventory/order-settings.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { LASTING_OUTCOMES, type LastingOutcome } from '../payments/payments-store.ts'
import type { OrderEvent } from './order-state.ts'
import {
  type Candidate,
  concernsOrder,
  type Evaluation,
  evaluateCandidates,
  evaluateSuccess,
  isAbandoned,
  listPartialPayments,
  type PaymentOutcome,
  secondsToNextCheck,
  sumFinalParts,
  sumMined,
} from './payment-outcome.ts'
import { type EventDetails, transition } from './transition.ts'

/** What a chain shows of an order's transactions. */
export interface ChainObservations {
  /** By the hashes of the transactions. */
  readonly payments: ReadonlyMap<string, PaymentObservation>
  /** Whether the chain still has the block that held the payment of a SUCCESS. */
  readonly blockPresent: boolean
  readonly finalBlock: number
}

/** An event that an operator has to act on. */
export interface Alert {
  readonly event: OrderEvent
  readonly reason: string
  readonly hash: string
  /** What the seller owes the buyer of this transaction, in base units; absent if nothing. */
  readonly refundDue?: string
}

/** What followed from the observations of an order. */
export interface Applied {
  readonly alert: Alert | undefined
  /** The hashes of the transactions that count as payments of the order since then. */
  readonly counted: readonly string[]
}

const NOTHING_APPLIED: Applied = { alert: undefined, counted: [] }

type EventEvaluation = Extract<Evaluation, { kind: 'event' }>

/** A locked order while its observations are applied. */
interface Work {
  readonly trx: Tenant
  readonly findInventory: FindInventory
  readonly order: store.OrderRow
  readonly observations: ChainObservations
  readonly settings: OrderSettings
  readonly candidates: readonly Candidate[]
  /** Seconds since the newest transaction was reported. */
  readonly age: number
}

/**
 * Applies what a chain shows to an order that the transaction has locked: saves it, makes the transition that
 * follows, and schedules the next check. Returns what the caller reports after the commit.
 */
export async function applyObservations(
  trx: Tenant,
  findInventory: FindInventory,
  order: store.OrderRow,
  observations: ChainObservations,
  settings: OrderSettings,
): Promise<Applied> {
  const claims = await payments.listClaims(trx, order)
  const candidates = await saveCandidates(trx, order, claims, observations, settings)
  const age = claims.length === 0 ? 0 : Math.min(...claims.map((claim) => claim.age))
  const work = { trx, findInventory, order, observations, settings, candidates, age }
  if (order.status === OrderStatus.SUCCESS) return await checkSuccess(work)
  const parts = await countParts(work)
  if (parts.length === 0) return await checkUnpaid(work)
  // The transactions are evaluated with these parts.
  const applied = await applyObservations(trx, findInventory, order, observations, settings)
  return { ...applied, counted: [...parts, ...applied.counted] }
}

/**
 * Counts the final payments of an order that are parts of its price, the earliest first, until they complete it:
 * none of them pays another order from then on. Returns the hashes of those that count since then.
 */
async function countParts({ trx, order, candidates }: Work): Promise<string[]> {
  const counted: string[] = []
  if (!order.partial_payments || order.status !== OrderStatus.IN_PROGRESS) return counted
  let missing = amountOwed(order) - sumFinalParts(candidates)
  for (const part of listPartialPayments(candidates)) {
    if (missing <= 0n) break
    // That order is decided first.
    if (await payments.fitsAnyOther(trx, order, part)) continue
    const { hash, block } = part
    if (!(await payments.consume(trx, order, hash))) continue
    await payments.saveObservation(trx, order, hash, { minedBlock: block, seen: true, outcome: 'part' })
    const event = { event: 'paid_in_part', to: order.status, actor: '', reason: '', hash }
    await store.addEvent(trx, order, event)
    counted.push(hash)
    missing -= part.paid
  }
  if (counted.length > 0) await store.change(trx, order, { paid_amount: await payments.sumPaid(trx, order) })
  return counted
}

async function checkUnpaid(work: Work): Promise<Applied> {
  const { trx, findInventory, order, observations, settings, candidates } = work
  const price = {
    owed: amountOwed(order),
    mayBeCompleted: order.partial_payments && !order.expired,
  }
  const evaluation = evaluateCandidates(order.status, candidates, price)
  if (evaluation.kind === 'done') {
    await store.unscheduleCheck(trx, order)
    return NOTHING_APPLIED
  }
  if (evaluation.kind === 'wait' || (await belongsToAnother(work, evaluation))) {
    await scheduleNext(work, order.status)
    return NOTHING_APPLIED
  }
  const result = await makeEvent(work, evaluation)
  if (result.kind === 'wait') {
    await scheduleNext(work, order.status)
    return NOTHING_APPLIED
  }
  if (result.kind === 'used') {
    await saveUse(work, evaluation.hash)
    // The remaining transactions are evaluated without this one.
    return await applyObservations(trx, findInventory, order, observations, settings)
  }
  await scheduleNext(work, result.status)
  return result.applied
}

/** Watches a SUCCESS until no reorganization can reach its payment. */
async function checkSuccess(work: Work): Promise<Applied> {
  const { trx, order, observations, candidates } = work
  const place = { hash: order.tx_id, block: order.paid_block, blockHash: order.paid_block_hash }
  const payment = { ...place, owed: amountOwed(order) }
  const { blockPresent } = observations
  const evaluation = evaluateSuccess(payment, candidates, blockPresent)
  if (evaluation.kind === 'done') return NOTHING_APPLIED
  if (evaluation.kind === 'wait') {
    const own = candidates.find(({ hash }) => hash === payment.hash)?.observation
    // After a reorganization, another block holds the payment.
    if (own?.kind === 'mined' && own.blockHash !== payment.blockHash && !blockPresent)
      await store.change(trx, order, { paid_block: own.block, paid_block_hash: own.blockHash })
    if (isSettled(work)) await store.unscheduleCheck(trx, order)
    else await scheduleNext(work, order.status)
    return NOTHING_APPLIED
  }
  const result = await makeEvent(work, evaluation)
  if (result.kind !== 'done') {
    if (result.kind === 'used') await saveUse(work, evaluation.hash)
    await scheduleNext(work, order.status)
    return NOTHING_APPLIED
  }
  await scheduleNext(work, result.status)
  return result.applied
}

/**
 * Whether the payment of a SUCCESS is out of reach of reorganizations, and no other transaction is waited
 * for.
 */
function isSettled({ order, observations, settings, candidates }: Work): boolean {
  // A second payment is due to be refunded once it is final.
  const waitsForOthers = candidates.some(
    ({ observation, abandoned }) => !(observation.kind === 'mined' && observation.final) && !abandoned,
  )
  // An order that an operator resolved has no block to watch.
  const outOfReach =
    order.paid_block === 0 || observations.finalBlock >= order.paid_block + settings.watchBlocks
  return outOfReach && !waitsForOthers
}

async function scheduleNext({ trx, order, settings, candidates, age }: Work, status: number): Promise<void> {
  const unseen = candidates.filter(({ observation }) => observation.kind === 'unseen').length
  const seconds = secondsToNextCheck(status, age, unseen)
  await store.scheduleCheck(trx, order, (seconds * settings.checkEveryMs) / 1000)
}

/** Saves what the chain shows of each reported transaction. */
async function saveCandidates(
  trx: Tenant,
  order: store.OrderRow,
  claims: readonly payments.Claim[],
  observations: ChainObservations,
  settings: OrderSettings,
): Promise<Candidate[]> {
  const inProgress = order.status === OrderStatus.IN_PROGRESS
  const limits = {
    inProgress,
    unseenSeconds: inProgress ? settings.unseenSeconds : settings.lateDays * 86_400,
    // Counted from the first report: further reports do not prolong it.
    reservationOver: claims.some(({ age }) => age > settings.reservationSeconds),
  }
  const candidates: Candidate[] = []
  for (const { hash, outcome, mined_block, unknown_for, refund } of claims) {
    const observed = observations.payments.get(hash)
    // A transaction that was reported after the chain was read is left to the next check.
    const observation = withLastingOutcome(observed ?? { kind: 'pending', fits: true }, outcome)
    const claim = { unknownFor: unknown_for, wasMined: mined_block > 0 }
    const abandoned = isAbandoned(observation, claim, limits)
    const isPart = outcome === 'part'
    candidates.push({ hash, observation, abandoned, refundRecorded: refund !== '', isPart })
    await payments.saveObservation(trx, order, hash, {
      minedBlock: observation.kind === 'mined' ? observation.block : 0,
      seen: observed !== undefined && isSeen(observation),
      outcome: storedOutcome(observation, outcome),
      paid: observation.kind === 'mined' && observation.final ? observation.paid : undefined,
    })
    // The seller has money of the buyer, so both see the order again.
    if (order.deleted && hasPaidPart(observation)) await store.change(trx, order, { deleted: false })
  }
  return candidates
}

/** Whether a final transaction paid a part of the price. */
const hasPaidPart = (observation: Candidate['observation']) =>
  observation.kind === 'mined' &&
  observation.final &&
  observation.outcome === 'not_enough' &&
  (observation.paid ?? 0n) > 0n

/**
 * A node knows any pending transaction, even of strangers. Only one that can pay the order is waited for
 * longer.
 */
function isSeen(observation: Candidate['observation']): boolean {
  return observation.kind === 'mined' || (observation.kind === 'pending' && observation.fits)
}

function storedOutcome(observation: Candidate['observation'], before: string): string {
  if (observation.kind === 'mined' && observation.final) return observation.outcome
  // What an operator dismissed stays dismissed until the chain shows something final. A node that lags behind
  // forgets a transaction, which must not make a payment count that goes back.
  return before === 'dismissed' || isLasting(before) ? before : ''
}

/** A payment that counts for another order, or goes back, never becomes this order's payment. */
function withLastingOutcome(
  observation: PaymentObservation,
  stored: string,
): PaymentObservation<PaymentOutcome> {
  if (!isLasting(stored) || observation.kind !== 'mined') return observation
  const replaced = concernsOrder(observation.outcome) || observation.outcome === 'other_payer'
  return replaced ? { ...observation, outcome: stored } : observation
}

const isLasting = (outcome: string): outcome is LastingOutcome =>
  LASTING_OUTCOMES.some((each) => each === outcome)

/** Whether the payment fits another order that claims it better: that order is decided first. */
async function belongsToAnother(work: Work, { event, hash }: EventEvaluation): Promise<boolean> {
  const payment = event === 'paid' ? findPayment(work, hash) : undefined
  return payment !== undefined && (await payments.fitsAnotherBetter(work.trx, work.order, payment))
}

/** Whether another order waits for a payment that this order cannot use: that order is decided first. */
async function isPaymentOfAnother(work: Work, hash: string): Promise<boolean> {
  const payment = findPayment(work, hash)
  return payment !== undefined && (await payments.fitsAnyOther(work.trx, work.order, payment))
}

/** Returns the place and the amount of a mined payment, if the chain shows them. */
function findPayment({ candidates }: Work, hash: string) {
  const observation = candidates.find((each) => each.hash === hash)?.observation
  if (observation?.kind !== 'mined' || observation.paid === undefined) return undefined
  return { hash, block: observation.block, paid: observation.paid }
}

/** Saves that the payment counts for another order of the project. */
async function saveUse({ trx, order }: Work, hash: string): Promise<void> {
  const outcome: LastingOutcome = 'payment_used'
  await payments.saveObservation(trx, order, hash, { minedBlock: 0, seen: true, outcome })
}

/** Events of a payment that the order cannot use: it has enough, or the payment is not enough. */
const UNUSABLE: ReadonlySet<OrderEvent> = new Set(['paid_again', 'mismatched'])

type EventResult =
  /** The payment counts for another order. */
  | { readonly kind: 'used' }
  /** Another order is decided first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'done'; readonly status: number; readonly applied: Applied }

async function makeEvent(work: Work, { event, hash, reason }: EventEvaluation): Promise<EventResult> {
  const observation = work.candidates.find((each) => each.hash === hash)?.observation
  const place =
    observation?.kind === 'mined' ? { block: observation.block, blockHash: observation.blockHash } : {}
  const details = { hash, reason, ...place, excess: getExcess(work, event, observation) }
  if (UNUSABLE.has(event) && (await isPaymentOfAnother(work, hash))) return { kind: 'wait' }
  const result = await tryEvent(work, event, details)
  if (result !== 'no_stock') return result
  if (await isPaymentOfAnother(work, hash)) return { kind: 'wait' }
  const withoutStock = await tryEvent(work, 'paid_without_stock', { ...details, reason: 'no_stock' })
  // This transition reserves nothing.
  if (withoutStock === 'no_stock') throw new Error('An order without stock could not be flagged')
  return withoutStock
}

async function tryEvent(
  { trx, findInventory, order }: Work,
  event: OrderEvent,
  details: EventDetails,
): Promise<EventResult | 'no_stock'> {
  const result = await transition(trx, findInventory, order, event, details)
  if (result.kind === 'invalid') return { kind: 'done', status: order.status, applied: NOTHING_APPLIED }
  if (result.kind === 'blocked') return result.reason === 'no_stock' ? 'no_stock' : { kind: 'used' }
  const { reason = '', hash = '', excess = 0n } = details
  const isDue = result.effects.includes('flag_refund') && result.order.refund_due
  const refund = isDue ? { refundDue: excess.toString() } : {}
  const alert = result.effects.includes('alert') ? { event, reason, hash, ...refund } : undefined
  const counted = result.effects.includes('consume') && hash !== '' ? [hash] : []
  return { kind: 'done', status: result.order.status, applied: { alert, counted } }
}

/** What the buyer owes. An order that costs nothing is paid by any positive amount. */
function amountOwed({ pay_amount: amount }: store.OrderRow): bigint {
  return BigInt(amount) > 0n ? BigInt(amount) : 1n
}

/**
 * What a transaction paid beyond what is owed. At least the price, if the chain does not show how much a
 * further payment was.
 */
function getExcess(
  { order, candidates }: Work,
  event: OrderEvent,
  observation: Candidate['observation'] | undefined,
): bigint {
  const owed = amountOwed(order)
  if (observation?.kind !== 'mined') return owed
  const { outcome, paid = owed } = observation
  if (event !== 'overpaid') return paid
  return (outcome === 'part' ? sumMined(candidates.filter(({ isPart }) => isPart)) : paid) - owed
}
