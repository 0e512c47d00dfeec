/**
 * Functions that stop the parts of a sandbox, in the order in which the parts were started. Node 22 has no
 * `AsyncDisposableStack`.
 */
export class Stops {
  readonly #functions: (() => Promise<unknown>)[] = []
  #stopping: Promise<void> = Promise.resolve()

  /** Adds a function that stops what has just started. */
  defer(stop: () => Promise<unknown>): void {
    this.#functions.push(stop)
  }

  /**
   * Stops the latest part first, and all of them even if one fails. Idempotent: waits for a stop in progress.
   */
  stop(): Promise<void> {
    const stopping = this.#stopping.then(() => this.#stopParts())
    // Only its own caller receives the errors of a stop.
    this.#stopping = stopping.catch(() => {})
    return stopping
  }

  async #stopParts(): Promise<void> {
    const errors: unknown[] = []
    for (const stop of this.#functions.splice(0).reverse()) {
      await stop().catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Parts of the sandbox could not be stopped')
  }
}

/** Waits for all starts, also if one fails, so that each has registered how its part is stopped. */
export async function waitForAll<const Starts extends readonly Promise<unknown>[]>(starts: Starts) {
  await Promise.allSettled(starts)
  return await Promise.all(starts)
}
