/**
 * The steps of a settle and of a reconciliation between which a process may die. A test gives the engine a hook that
 * ends the process, or abandons the engine, at one of them; without a hook they do nothing.
 */
export type FaultPoint =
  | 'before-hold'
  /** Within the transaction of the hold, before its COMMIT. */
  | 'in-hold-transaction'
  | 'after-hold-commit'
  | 'after-upstream'
  /** Within the transaction that ends a settlement, before its COMMIT. */
  | 'in-ending-transaction'
  | 'after-ending-commit'
  | 'reconcile-claimed'
  | 'reconcile-inspected'
  | 'reconcile-ended'

export type FaultHook = (point: FaultPoint) => void | Promise<void>

/** The hook, as the parts that run inside a transaction see it. */
export type InTransaction = (point: 'in-hold-transaction' | 'in-ending-transaction') => void | Promise<void>

export const noFaults: FaultHook = () => {}
