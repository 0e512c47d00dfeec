/** Runs work once per key at a time: a simultaneous call with the same key gets the same outcome. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>()

  /** `isShared`: another call had started the work. */
  async run(
    key: string,
    work: () => Promise<T>,
  ): Promise<{ readonly outcome: T; readonly isShared: boolean }> {
    const running = this.#running.get(key)
    if (running !== undefined) return { outcome: await running, isShared: true }
    const started = work()
    this.#running.set(key, started)
    try {
      return { outcome: await started, isShared: false }
    } finally {
      this.#running.delete(key)
    }
  }
}
