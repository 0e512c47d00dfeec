import { randomUUID } from 'node:crypto'
import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import {
  type Evaluation,
  evaluateChainOutcome,
  getCheckDelay,
  NEVER_SENT,
  type Transition,
} from '../../ledger/settlements/rules.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import { applyTransitions } from '../../ledger/settlements/transition.ts'
import type { EngineSettings } from '../engine-options.ts'
import { claimSettlements, readDatabaseTime } from './claim.ts'
import { inspectReliably, wasNeverSent } from './inspect.ts'

/** What a reconciliation did, as numbers of settlements. */
export interface ReconcileReport {
  settled: number
  failed: number
  /** Removed from the chain by a reorganization: unknown again. */
  lost: number
  /** Settled, and found in a block or final there. */
  located: number
  /** Never sent: their price was released, and the payment can be settled later. */
  notSent: number
  /** Still unknown. */
  waiting: number
}

export interface Reconciler {
  /**
   * Checks every settlement that is due: its call died, its outcome is unknown, or it is not final yet. Any number of processes may call
   * it concurrently. Each settlement is checked by one of them.
   */
  reconcile(): Promise<ReconcileReport>
  /** Checks one settlement if it is due. */
  reconcileOne(settlementId: number): Promise<void>
}

export function createReconciler(settings: EngineSettings): Reconciler {
  return {
    reconcile: () => reconcileDue(settings),
    async reconcileOne(settlementId) {
      const [settlement] = await claimSettlements(settings, randomUUID(), { only: settlementId })
      if (settlement !== undefined) await reconcileClaimed(settings, settlement)
    },
  }
}

async function reconcileDue(settings: EngineSettings): Promise<ReconcileReport> {
  const report: ReconcileReport = { settled: 0, failed: 0, lost: 0, located: 0, notSent: 0, waiting: 0 }
  const dueBy = await readDatabaseTime(settings)
  for (;;) {
    const claimed = await claimSettlements(settings, randomUUID(), { dueBy })
    // Every claimed settlement gets a later lease, so this ends.
    if (claimed.length === 0) return report
    await settings.faultPoint('reconcile-claimed')
    const results = await Promise.allSettled(
      claimed.map((settlement) => reconcileClaimed(settings, settlement)),
    )
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      report[result.value] += 1
    }
  }
}

async function reconcileClaimed(
  settings: EngineSettings,
  settlement: Settlement,
): Promise<keyof ReconcileReport> {
  const outcome = await inspectReliably(settings, settlement)
  await settings.faultPoint('reconcile-inspected')
  const evaluation = (await wasNeverSent(settings, settlement, outcome))
    ? NEVER_SENT
    : evaluateChainOutcome(settlement, outcome, settings.chargeOn)
  switch (evaluation.kind) {
    case 'wait':
      await postponeCheck(settings, settlement)
      return 'waiting'
    case 'located':
      await recordLocation(settings, settlement, evaluation)
      return 'located'
    case 'transition':
      return endReconciled(settings, settlement, evaluation.transition)
  }
}

async function postponeCheck({ db, chainReader }: EngineSettings, settlement: Settlement): Promise<void> {
  const { id, attempt, state, network, check_count } = settlement
  // On an unreadable network, the upstream's response settles a payment, and nothing is left to check.
  const isDone = state === 'settled' && chainReader?.readable(network) !== true
  const seconds = isDone ? null : getCheckDelay(check_count) / 1000
  await sql`
    update facilitator.settlements
    set lease_until = clock_timestamp() + make_interval(secs => ${seconds}::float8)
    where id = ${id} and attempt = ${attempt}`.execute(db)
}

async function recordLocation(
  { db }: EngineSettings,
  { id, attempt, check_count }: Settlement,
  { transaction: hash, block }: Extract<Evaluation, { kind: 'located' }>,
): Promise<void> {
  const seconds = block.final ? null : getCheckDelay(check_count) / 1000
  await sql`
    update facilitator.settlements set
      transaction = ${hash}, block_number = ${block.number.toString()}, block_hash = ${block.hash},
      final_at = case when ${block.final} then clock_timestamp() end,
      lease_until = clock_timestamp() + make_interval(secs => ${seconds}::float8)
    where id = ${id} and attempt = ${attempt} and state = 'settled'`.execute(db)
}

async function endReconciled(
  settings: EngineSettings,
  settlement: Settlement,
  transition: Transition,
): Promise<keyof ReconcileReport> {
  const { id, attempt, state, hold } = settlement
  const lease = getLease(settings, transition)
  const changed = await transaction(settings.db, (trx) =>
    applyTransitions(trx, [{ id, attempt, from: state, hold, transition, lease }], settings.enqueue),
  )
  await settings.faultPoint('reconcile-ended')
  if (changed.length === 0) return 'waiting'
  if (transition.to === 'not_sent') return 'notSent'
  if (transition.to !== 'unknown') return transition.to
  settings.log.warn(
    { settlementId: id, transaction: settlement.transaction },
    'A settled payment is no longer on its chain',
  )
  await settings.rebroadcast?.(id)
  return 'lost'
}

/** Milliseconds until the next check. Null if nothing is left to find out. */
function getLease({ confirmAfter }: EngineSettings, { to, block }: Transition): number | null {
  if (to === 'failed' || to === 'not_sent' || block?.final === true) return null
  return to === 'unknown' ? 0 : confirmAfter
}
