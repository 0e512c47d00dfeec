import { OrderStatus } from '@mintmark/orders'
import type { Db } from '../../context.ts'
import { type About, advance } from './advance.ts'
import type { OrderSettings } from './order-settings.ts'
import type { OrderEvent } from './order-state.ts'
import * as store from './orders-store.ts'
import { type Candidate, judgeCandidates, judgeSuccess, nextLook, type Sighting } from './payment-verdict.ts'
import * as payments from './payments-store.ts'

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
 * Judges what a chain showed of an order, which the transaction has locked, does what follows from it, and says when to look again. Answers
 * what a person has to look at.
 */
export async function decide(
  trx: Db,
  order: store.OrderRow,
  seen: Shown,
  settings: OrderSettings,
): Promise<Alert | undefined> {
  const reported = await payments.ofOrder(trx, order)
  const age = reported.length === 0 ? 0 : Math.min(...reported.map((each) => each.age))
  const patience =
    order.status === OrderStatus.IN_PROGRESS ? settings.unseenSeconds : settings.lateDays * 86_400
  const candidates: Candidate[] = []
  for (const payment of reported) {
    // Reported since the chain was looked at: it has its turn next.
    const sighting = usable(seen.shown.get(payment.hash) ?? { kind: 'pending' }, payment.verdict)
    candidates.push({
      hash: payment.hash,
      sighting,
      givenUp: sighting.kind === 'unseen' && payment.unknown_for > patience,
    })
    await payments.keepSighting(trx, order.project_id, payment.hash, {
      minedBlock: sighting.kind === 'mined' ? sighting.block : 0,
      seen: sighting.kind !== 'unseen' && seen.shown.has(payment.hash),
      verdict: sighting.kind === 'mined' && sighting.final ? sighting.outcome : '',
    })
  }
  const again = (status: number) =>
    store.lookAgain(trx, order, (nextLook(status, age) * settings.lookEveryMs) / 1000)

  if (order.status === OrderStatus.SUCCESS) return await watch(trx, order, candidates, seen, settings, again)
  const judgement = judgeCandidates(order.status, candidates)
  if (judgement === 'wait') return void (await again(order.status))
  if (judgement === 'done') return void (await store.lookAgain(trx, order, undefined))

  const done = await act(trx, order, judgement.event, aboutOf(judgement, candidates))
  if (done === 'payment_used') {
    await keepUsed(trx, order, judgement.hash)
    return await decide(trx, order, seen, settings)
  }
  await again(done.status)
  return done.alert
}

/** Another order's, of whatever project: what else was reported is judged without it. */
async function keepUsed(trx: Db, order: store.OrderRow, hash: string): Promise<void> {
  const shown = { minedBlock: 0, seen: true, verdict: 'payment_used' }
  await payments.keepSighting(trx, order.project_id, hash, shown)
}

/** A payment that counts for another order, or goes back, stays none of this one, whatever the chain shows of it. */
function usable(sighting: Sighting, verdict: string): Sighting {
  if (sighting.kind !== 'mined' || sighting.outcome !== 'paid') return sighting
  return verdict === 'payment_used' || verdict === 'refunded' ? { ...sighting, outcome: verdict } : sighting
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
): Promise<'payment_used' | { status: number; alert: Alert | undefined }> {
  const done = await advance(trx, order, event, about)
  if (done === undefined) return { status: order.status, alert: undefined }
  if ('blocked' in done) {
    if (done.blocked === 'payment_used') return 'payment_used'
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
    const others = candidates.some(
      ({ sighting, givenUp }) => sighting.kind === 'pending' || (sighting.kind === 'unseen' && !givenUp),
    )
    // One that an operator decided has no block to watch.
    const passed = order.paid_block === 0 || finalBlock >= order.paid_block + settings.watchBlocks
    const over = passed && !others
    await (over ? store.lookAgain(trx, order, undefined) : again(order.status))
    return undefined
  }
  if (judgement === 'done') return undefined
  const done = await act(trx, order, judgement.event, aboutOf(judgement, candidates))
  if (done === 'payment_used') {
    await keepUsed(trx, order, judgement.hash)
    await again(order.status)
    return undefined
  }
  await again(done.status)
  return done.alert
}
