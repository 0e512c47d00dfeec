/**
 * Runs work that calls another system, such as a chain, and returns its result. With an Idempotency-Key a
 * handler runs inside the transaction that stores its response, and that transaction must not wait for
 * another system. There the transaction is rolled back, the work runs, and the handler starts again with the
 * result.
 *
 * @param name Identifies the work within one call.
 */
export type BeforeTransaction = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>

/** Runs the work immediately: no transaction is open. */
export const withoutTransaction: BeforeTransaction = (_, work) => work()

class PendingWork extends Error {
  readonly work: string
  readonly run: () => Promise<unknown>

  constructor(work: string, run: () => Promise<unknown>) {
    super(`${work} must run before the transaction`)
    this.work = work
    this.run = run
  }
}

/** Repeats `attempt` until all work that it needs has run before it. */
export async function runWithPriorWork<Result>(
  attempt: (beforeTransaction: BeforeTransaction) => Promise<Result>,
): Promise<Result> {
  const outcomes = new Map<string, PromiseSettledResult<unknown>>()
  const beforeTransaction: BeforeTransaction = async <Value>(name: string, work: () => Promise<Value>) => {
    const outcome = outcomes.get(name)
    if (outcome === undefined) throw new PendingWork(name, work)
    // The handler receives the failure where it requested the work.
    if (outcome.status === 'rejected') throw outcome.reason
    // The work of this name returned the value, so it has the type.
    return outcome.value as Value
  }
  for (;;) {
    try {
      return await attempt(beforeTransaction)
    } catch (error) {
      if (!(error instanceof PendingWork)) throw error
      const [outcome] = await Promise.allSettled([error.run()])
      outcomes.set(error.work, outcome)
    }
  }
}
