import { OrderStatus } from '@mintmark/orders'
import type { Db } from '../../../context.ts'
import * as store from '../orders-store.ts'
import {
  type Candidate,
  concernsOrder,
  isGivenUp,
  judgeCandidates,
  judgeSuccess,
  nextLook,
  type Sighting,
} from '../payments/payment-outcome.ts'
import * as payments from '../payments/payments-store.ts'
import type { OrderSettings } from '../../../order-settings.ts'
import type { OrderEvent } from './order-state.ts'
import { type About, advance } from './transition.ts'

/** What a chain showed of an order's transactions. */
export interface Shown {
  readonly shown: ReadonlyMap<string, Sighting>
  /** Whether the block that held the payment of a SUCCESS is still there. */
  readonly stands: boolean
  readonly finalBlock: number
}

/** What a person has to be told. */
export interface Alert {
  readonly event: OrderEvent
  readonly reason: string
  readonly hash: string
}

/**
 * Evaluates what a chain showed of an order, which the transaction has locked, does what follows from it, and says when to look again. Answers
 * what a person has to look at.
 */
export async function decide(
  trx: Db,
  order: store.OrderRow,
  seen: Shown,
  settings: OrderSettings,
): Promise<Alert | undefined> {
  const reported = await payments.ofOrder(trx, order)
  const candidates = await keepCandidates(trx, order, reported, seen, settings)
  const ages = reported.map((each) => each.age)
  const age = ages.length === 0 ? 0 : Math.min(...ages)
  const again = (status: number) =>
    store.lookAgain(trx, order, (nextLook(status, age) * settings.lookEveryMs) / 1000)

  if (order.status === OrderStatus.SUCCESS) return await watch(trx, order, candidates, seen, settings, again)
  const judgement = judgeCandidates(order.status, candidates)
  if (judgement === 'wait') return void (await again(order.status))
  if (judgement === 'done') return void (await store.lookAgain(trx, order, undefined))
  if (judgement.event === 'paid' && (await leavesToAnother(trx, order, judgement.hash, candidates)))
    return void (await again(order.status))

  const done = await act(trx, order, judgement.event, aboutOf(judgement, candidates))
  if ('used' in done) {
    await keepUsed(trx, order, judgement.hash, done.used)
    return await decide(trx, order, seen, settings)
  }
  await again(done.status)
  return done.alert
}

/** Keeps what the chain shows of each reported transaction. */
async function keepCandidates(
  trx: Db,
  order: store.OrderRow,
  reported: readonly payments.PaymentRow[],
  seen: Shown,
  settings: OrderSettings,
): Promise<Candidate[]> {
  const inProgress = order.status === OrderStatus.IN_PROGRESS
  const patience = {
    inProgress,
    unseenSeconds: inProgress ? settings.unseenSeconds : settings.lateDays * 86_400,
    // From the first report on: further ones do not prolong it.
    reservationOver: reported.some(({ age }) => age > settings.reservationSeconds),
  }
  const candidates: Candidate[] = []
  for (const { hash, verdict, mined_block, unknown_for } of reported) {
    const known = seen.shown.get(hash)
    // Reported since the chain was read: the next look finds out.
    const sighting = usable(known ?? { kind: 'pending', fits: true }, verdict)
    const claim = { unknownFor: unknown_for, wasMined: mined_block > 0 }
    candidates.push({ hash, sighting, givenUp: isGivenUp(sighting, claim, patience) })
    await payments.keepSighting(trx, order, hash, {
      minedBlock: sighting.kind === 'mined' ? sighting.block : 0,
      seen: known !== undefined && isKnown(sighting),
      verdict: verdictOf(sighting, verdict),
    })
  }
  return candidates
}

/** Any pending transaction of strangers is known to a node: only one that can pay the order is waited for longer. */
const isKnown = (sighting: Sighting) =>
  sighting.kind === 'mined' || (sighting.kind === 'pending' && sighting.fits)

function verdictOf(sighting: Sighting, before: string): string {
  if (sighting.kind === 'mined' && sighting.final) return sighting.outcome
  // What an operator dismissed stays so until the chain shows something final.
  return before === 'dismissed' ? before : ''
}

/** A payment that counts for another order, or goes back, stays none of this one, whatever the chain shows of it. */
function usable(sighting: Sighting, verdict: string): Sighting {
  const lasting = payments.LASTING_VERDICTS.find((each) => each === verdict)
  if (lasting === undefined || sighting.kind !== 'mined') return sighting
  const replaced = concernsOrder(sighting.outcome) || sighting.outcome === 'other_payer'
  return replaced ? { ...sighting, outcome: lasting } : sighting
}

/** Whether the payment is another order's by how well it fits: that order is decided first. */
async function leavesToAnother(
  trx: Db,
  order: store.OrderRow,
  hash: string,
  candidates: readonly Candidate[],
): Promise<boolean> {
  const sighting = candidates.find((each) => each.hash === hash)?.sighting
  if (sighting?.kind !== 'mined' || sighting.paid === undefined) return false
  const { block, paid } = sighting
  return await payments.fitsAnotherBetter(trx, order, { hash, block, paid })
}

/** Another order's: what else was reported is evaluated without it. */
async function keepUsed(trx: Db, order: store.OrderRow, hash: string, used: payments.Used): Promise<void> {
  const verdict: payments.LastingVerdict = used === 'payment_used' ? used : 'paid_elsewhere'
  await payments.keepSighting(trx, order, hash, { minedBlock: 0, seen: true, verdict })
}

function aboutOf(judged: { hash: string; reason: string }, candidates: readonly Candidate[]): About {
  const sighting = candidates.find(({ hash }) => hash === judged.hash)?.sighting
  const place = sighting?.kind === 'mined' ? { block: sighting.block, blockHash: sighting.blockHash } : {}
  return { hash: judged.hash, reason: judged.reason, ...place }
}

async function act(
  trx: Db,
  order: store.OrderRow,
  event: OrderEvent,
  about: About,
): Promise<{ used: payments.Used } | { status: number; alert: Alert | undefined }> {
  const done = await advance(trx, order, event, about)
  if (done === undefined) return { status: order.status, alert: undefined }
  if ('blocked' in done) {
    if (done.blocked !== 'no_stock') return { used: done.blocked }
    return await act(trx, order, 'paid_without_stock', { ...about, reason: 'no_stock' })
  }
  const told = { event, reason: about.reason ?? '', hash: about.hash ?? '' }
  return { status: done.order.status, alert: done.step.effects.includes('alert') ? told : undefined }
}

/** A SUCCESS is watched until its payment is so far behind that no reorganisation reaches it. */
async function watch(
  trx: Db,
  order: store.OrderRow,
  candidates: readonly Candidate[],
  { stands, finalBlock }: Shown,
  settings: OrderSettings,
  again: (status: number) => Promise<void>,
): Promise<Alert | undefined> {
  const payment = { hash: order.tx_id, block: order.paid_block, blockHash: order.paid_block_hash }
  const judgement = judgeSuccess(payment, candidates, stands, order.refund_due)
  if (judgement === 'wait') {
    const own = candidates.find(({ hash }) => hash === payment.hash)?.sighting
    // Mined anew after a reorganisation, in another block.
    if (own?.kind === 'mined' && own.blockHash !== payment.blockHash && !stands) {
      await store.change(trx, order, { paid_block: own.block, paid_block_hash: own.blockHash })
    }
    const others = candidates.some(({ sighting, givenUp }) => sighting.kind !== 'mined' && !givenUp)
    // One that an operator decided has no block to watch.
    const passed = order.paid_block === 0 || finalBlock >= order.paid_block + settings.watchBlocks
    const over = passed && !others
    await (over ? store.lookAgain(trx, order, undefined) : again(order.status))
    return undefined
  }
  if (judgement === 'done') return undefined
  const done = await act(trx, order, judgement.event, aboutOf(judgement, candidates))
  if ('used' in done) {
    await keepUsed(trx, order, judgement.hash, done.used)
    await again(order.status)
    return undefined
  }
  await again(done.status)
  return done.alert
}
