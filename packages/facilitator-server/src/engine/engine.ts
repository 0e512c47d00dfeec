import { createReconciler, type Reconciler } from './reconcile/reconcile.ts'
import { type EngineOptions, readEngineSettings } from './settings/engine-options.ts'
import { createDeliveryReleases } from './settle/delivery-releases.ts'
import { createSettle } from './settle/settle.ts'
import type { Settle } from './settle/settle-request.ts'
import { createSettlementWaits } from './settle/settlement-waits.ts'
import { type AffordabilityCheck, createCheck } from './verify/check.ts'

export type { EngineOptions } from './settings/engine-options.ts'

/** Settles payments, charges for them, and finds out unknown outcomes. */
export interface Engine extends Pick<Reconciler, 'reconcile'> {
  /**
   * Executes a payment at most once, and charges its account exactly once for it. A bad payment is an
   * outcome, not an error.
   */
  readonly settle: Settle
  /**
   * Checks whether a settle of the payment could succeed and be paid for now. Writes nothing but what the
   * account can claim of the payment, before it responds that it is valid.
   */
  readonly check: AffordabilityCheck
  /** Ends the waits of repeated settles, which then respond with what is known. */
  stopWaits(): void
  /** Ends the waits, waits for the settles in progress, and writes what they have left to write. */
  drain(): Promise<void>
}

/**
 * Builds the engine on a migrated database.
 *
 * @throws RangeError if the price is invalid.
 */
export function createEngine(options: EngineOptions): Engine {
  const settings = readEngineSettings(options)
  const { reconcile, reconcileOne } = createReconciler(settings)
  const deliveries = createDeliveryReleases(settings)
  const waits = createSettlementWaits(settings)
  const settle = createSettle(settings, { reconcileOne, deliveries, waits })
  const inProgress = new Set<Promise<unknown>>()
  return {
    reconcile,
    check: createCheck(settings),
    settle(payment, call) {
      const outcome = settle(payment, call)
      const done = outcome.then(
        () => {},
        () => {},
      )
      inProgress.add(done)
      void done.then(() => inProgress.delete(done))
      return outcome
    },
    stopWaits: () => waits.stop(),
    async drain() {
      waits.stop()
      while (inProgress.size > 0) await Promise.all(inProgress)
      await deliveries.flush().catch((error: unknown) => {
        settings.log.error({ err: error }, 'Deliveries could not be released')
      })
    },
  }
}
