/**
 * Runs work that calls another system. Under an Idempotency-Key a handler runs inside the transaction that keeps its answer, which must
 * not wait for anybody else: there the transaction is left, the work done, and the handler run anew with what came of it.
 */
export type Outside = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>

/** Work is done right where it is asked for. */
export const atOnce: Outside = (_, work) => work()

class WorkOutside extends Error {
  readonly work: string
  readonly run: () => Promise<unknown>

  constructor(work: string, run: () => Promise<unknown>) {
    super(`${work} is to be done outside of the transaction`)
    this.work = work
    this.run = run
  }
}

/** Begins `attempt` until it needs no work that was not done before it. */
export async function outsideOf<Result>(attempt: (outside: Outside) => Promise<Result>): Promise<Result> {
  const done = new Map<string, PromiseSettledResult<unknown>>()
  const outside: Outside = async <Value>(name: string, work: () => Promise<Value>) => {
    const outcome = done.get(name)
    if (outcome === undefined) throw new WorkOutside(name, work)
    // Where the work failed, the handler hears of it where it asked.
    if (outcome.status === 'rejected') throw outcome.reason
    // What this very name's work answered.
    return outcome.value as Value
  }
  for (;;) {
    try {
      return await attempt(outside)
    } catch (error) {
      if (!(error instanceof WorkOutside)) throw error
      const [outcome] = await Promise.allSettled([error.run()])
      done.set(error.work, outcome)
    }
  }
}
