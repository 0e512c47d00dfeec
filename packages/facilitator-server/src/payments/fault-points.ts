/**
 * The steps of a settle and of a reconciliation between which a process may die. A test passes a hook that ends the process, or abandons
 * the engine, at one of them. Without a hook they do nothing.
 */
export const FAULT_POINTS = [
  'before-hold',
  /** In the transaction of the hold, before its COMMIT. */
  'in-hold-transaction',
  'after-hold-commit',
  'after-upstream',
  /** In the transaction that ends a settlement, before its COMMIT. */
  'in-ending-transaction',
  'after-ending-commit',
  'reconcile-claimed',
  'reconcile-inspected',
  'reconcile-ended',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

export type FaultHook = (point: FaultPoint) => void | Promise<void>

export const noFaults: FaultHook = () => {}
