/**
 * The steps of a settle and of a reconciliation between which a process may die. A test passes a hook that
 * ends the process, or abandons the engine, at one of them. Without a hook they do nothing.
 */
export const FAULT_POINTS = [
  'before-hold',
  /** While the statement of the hold runs, which is committed by the database itself. */
  'hold-in-flight',
  'after-hold-commit',
  'after-upstream',
  /** While the statement runs that ends a settlement. */
  'ending-in-flight',
  'after-ending-commit',
  'reconcile-claimed',
  'reconcile-inspected',
  'reconcile-ended',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

export type FaultHook = (point: FaultPoint) => void | Promise<void>

export const noFaults: FaultHook = () => {}
