import { type AffordabilityCheck, createCheck } from './verify/check.ts'
import { type EngineOptions, engineSettings } from './engine-options.ts'
import { createReconciler, type Reconciler } from './reconcile/reconcile.ts'
import { createSettle, type Settle } from './settle/settle.ts'

export type { EngineOptions } from './engine-options.ts'

/** The facilitator's money: settles payments, bills them, and finds out how those ended whose outcome was not known. */
export interface Engine extends Pick<Reconciler, 'reconcile'> {
  /** Executes a payment at most once, and charges its account exactly once for it. Never throws for a payment's fault. */
  readonly settle: Settle
  /** Whether a settle of the payment could succeed and be paid for now; nothing is written. */
  readonly check: AffordabilityCheck
  /** Waits for the settles that are under way. */
  drain(): Promise<void>
}

/**
 * Builds the engine on a migrated database.
 *
 * @throws RangeError where a price or a time makes no sense.
 */
export function createEngine(options: EngineOptions): Engine {
  const settings = engineSettings(options)
  const { reconcile, lookAt } = createReconciler(settings)
  const settle = createSettle(settings, lookAt)
  const underWay = new Set<Promise<unknown>>()
  return {
    reconcile,
    check: createCheck(settings),
    settle(payment, call) {
      const outcome = settle(payment, call)
      const done = outcome.then(
        () => {},
        () => {},
      )
      underWay.add(done)
      void done.then(() => underWay.delete(done))
      return outcome
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
