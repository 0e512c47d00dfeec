import { randomUUID } from 'node:crypto'
import { batch } from '../../database/batch.ts'
import { executeStatement } from '../../database/execute-statement.ts'
import {
  type Evaluation,
  evaluateChainOutcome,
  getCheckDelay,
  NEVER_SENT,
  type Transition,
} from '../../ledger/settlements/rules.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import { applyTransitions, type GuardedTransition } from '../../ledger/settlements/transition.ts'
import { CONFIRM_AFTER_MS, type EngineSettings } from '../settings/engine-options.ts'
import { type CanonicalBlocks, isLocated, readCanonicalBlocks } from './canonical-blocks.ts'
import { CLAIM_GROUPS, claimSettlements, listNetworks, readDatabaseTime } from './claim.ts'
import { inspectReliably, wasNeverSent } from './inspect.ts'
import { type Check, recordChecks } from './record-checks.ts'

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
   * Checks every settlement that is due: its call died, its outcome is unknown, or it is not final yet. Any
   * number of processes may call it concurrently. Each settlement is checked by one of them.
   *
   * @param network Checks settlements of this network only. Default: of all networks. A network whose nodes do
   * not respond does not delay the others.
   */
  reconcile(network?: string): Promise<ReconcileReport>
  /** Checks one settlement if it is due. */
  reconcileOne(settlementId: number): Promise<void>
}

/** What the checks of a reconciler share. The settlements of one claim are recorded by few statements. */
interface CheckParts {
  readonly settings: EngineSettings
  readonly recordCheck: (check: Check) => Promise<void>
  /** Returns whether the row changed. */
  readonly applyTransition: (transition: GuardedTransition) => Promise<boolean>
}

/** The most settlements that one statement records. */
const MAX_BATCH_SIZE = 500

export function createReconciler(settings: EngineSettings): Reconciler {
  const { db, enqueue, patience } = settings
  const limits = { maxItems: MAX_BATCH_SIZE }
  const parts: CheckParts = {
    settings,
    recordCheck: batch(async (checks: Check[]) => {
      await executeStatement(() => recordChecks(db, checks), patience)
      return checks.map(() => undefined)
    }, limits),
    applyTransition: batch(async (transitions: GuardedTransition[]) => {
      const changed = await executeStatement(() => applyTransitions(db, transitions, enqueue), patience)
      const ids = new Set(changed.map(({ id }) => id))
      return transitions.map(({ id }) => ids.has(id))
    }, limits),
  }
  return {
    async reconcile(network) {
      const networks = network === undefined ? listNetworks(settings) : [network]
      const reports = await Promise.allSettled(networks.map((each) => reconcileDue(parts, each)))
      return reports.map(requireFulfilled).reduce(addReports, EMPTY_REPORT)
    },
    async reconcileOne(settlementId) {
      const claimed = await claimSettlements(settings, randomUUID(), { only: settlementId })
      await Promise.all(await startChecks(parts, claimed))
    },
  }
}

const EMPTY_REPORT: ReconcileReport = { settled: 0, failed: 0, lost: 0, located: 0, notSent: 0, waiting: 0 }

const addReports = (left: ReconcileReport, right: ReconcileReport): ReconcileReport => ({
  settled: left.settled + right.settled,
  failed: left.failed + right.failed,
  lost: left.lost + right.lost,
  located: left.located + right.located,
  notSent: left.notSent + right.notSent,
  waiting: left.waiting + right.waiting,
})

function requireFulfilled<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

async function reconcileDue(parts: CheckParts, network: string): Promise<ReconcileReport> {
  const { settings } = parts
  const report = { ...EMPTY_REPORT }
  const dueBy = await readDatabaseTime(settings)
  for (const group of CLAIM_GROUPS) {
    for (;;) {
      const claimed = await claimSettlements(settings, randomUUID(), { group, network, dueBy })
      // Every claimed settlement gets a later lease, so this ends.
      if (claimed.length === 0) break
      await settings.faultPoint('reconcile-claimed')
      const results = await Promise.allSettled(await startChecks(parts, claimed))
      for (const result of results) report[requireFulfilled(result)] += 1
    }
  }
  return report
}

async function startChecks(
  parts: CheckParts,
  claimed: readonly Settlement[],
): Promise<Promise<keyof ReconcileReport>[]> {
  const blocks = await readCanonicalBlocks(parts.settings, claimed)
  return claimed.map((settlement) => checkClaimed(parts, blocks, settlement))
}

async function checkClaimed(
  parts: CheckParts,
  blocks: CanonicalBlocks,
  settlement: Settlement,
): Promise<keyof ReconcileReport> {
  const { settings } = parts
  const place = isLocated(settlement) ? blocks.find(settlement) : undefined
  if (place === 'final' || place === 'not-final' || place === 'unknown') {
    await settings.faultPoint('reconcile-inspected')
    return recordPlace(parts, settlement, place)
  }
  const outcome = await inspectReliably(settings, settlement)
  await settings.faultPoint('reconcile-inspected')
  // Only a final block proves that the payment's block was replaced.
  if (place === 'other-block' && outcome.kind !== 'settled') {
    await postponeCheck(parts, settlement)
    await broadcastAgain(settings, settlement)
    return 'waiting'
  }
  const evaluation = (await wasNeverSent(settings, settlement, outcome))
    ? NEVER_SENT
    : evaluateChainOutcome(settlement, outcome, settings.chargeOn)
  switch (evaluation.kind) {
    case 'wait':
      await postponeCheck(parts, settlement, outcome.kind === 'open' ? outcome.transaction : undefined)
      return 'waiting'
    case 'located':
      await recordLocation(parts, settlement, evaluation)
      return 'located'
    case 'transition':
      if (outcome.kind === 'failed' && outcome.unproven !== undefined)
        settings.log.warn(
          { settlementId: settlement.id, transaction: outcome.unproven.transaction },
          "A failed payment may have been made inside another contract's call",
        )
      return endReconciled(parts, settlement, evaluation.transition)
  }
}

/** Records that a settled payment is still in its block, or that the block could not be compared. */
async function recordPlace(
  parts: CheckParts,
  settlement: Settlement,
  place: 'final' | 'not-final' | 'unknown',
): Promise<'located' | 'waiting'> {
  if (place === 'final') await parts.recordCheck({ settlement, nextCheck: null, final: true })
  else await postponeCheck(parts, settlement)
  return place === 'unknown' ? 'waiting' : 'located'
}

/** @param transaction The hash of a mined transaction that may have made the payment. */
async function postponeCheck(
  { settings: { chainReader, unreadableNetworks }, recordCheck }: CheckParts,
  settlement: Settlement,
  transaction?: string,
): Promise<void> {
  const { state, network, check_count } = settlement
  // On an unreadable network, the upstream's response settles a payment, and nothing is left to check.
  const isUnreadable = unreadableNetworks.has(network) && chainReader?.readable(network) !== true
  const isDone = state === 'settled' && isUnreadable
  const nextCheck = isDone ? null : getCheckDelay(check_count)
  const isNew = transaction !== undefined && settlement.transaction === null
  await recordCheck({ settlement, nextCheck, final: false, ...(isNew && { transaction }) })
}

async function recordLocation(
  { recordCheck }: CheckParts,
  settlement: Settlement,
  { transaction, block }: Extract<Evaluation, { kind: 'located' }>,
): Promise<void> {
  const nextCheck = block.final ? null : getCheckDelay(settlement.check_count)
  await recordCheck({ settlement, nextCheck, final: block.final, location: { transaction, block } })
}

async function endReconciled(
  { settings, applyTransition }: CheckParts,
  settlement: Settlement,
  transition: Transition,
): Promise<keyof ReconcileReport> {
  const { id, attempt, state, hold } = settlement
  const lease = getLease(transition)
  const isChanged = await applyTransition({ id, attempt, from: state, hold, transition, lease })
  await settings.faultPoint('reconcile-ended')
  if (!isChanged) return 'waiting'
  if (transition.to === 'not_sent') return 'notSent'
  if (transition.to !== 'unknown') return transition.to
  settings.log.warn(
    { settlementId: id, transaction: settlement.transaction },
    'A settled payment is no longer on its chain',
  )
  await broadcastAgain(settings, settlement)
  return 'lost'
}

/** Broadcasts a payment's own transaction again. A failure does not stop the checks of other payments. */
async function broadcastAgain({ rebroadcast, log }: EngineSettings, { id }: Settlement): Promise<void> {
  try {
    await rebroadcast?.(id)
  } catch (error) {
    log.error({ err: error, settlementId: id }, 'A payment could not be broadcast again')
  }
}

/** Milliseconds until the next check. Null if nothing is left to find out. */
function getLease({ to, block }: Transition): number | null {
  if (to === 'failed' || to === 'not_sent' || block?.final === true) return null
  return to === 'unknown' ? 0 : CONFIRM_AFTER_MS
}
