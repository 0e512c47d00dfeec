// Estimates how much of a run is done, from how long its sections took before.

/** The progress of a run through its sections. */
export interface Schedule {
  /** Starts the next section. */
  start(): void
  /** Records the share of the current section that is done. */
  step(share: number): void
  /** Records how long the current section took. */
  finish(seconds: number): void
  /** The share of the whole run that is done. Undefined while nothing is known. */
  getDone(): number | undefined
}

/**
 * Creates the schedule of sections.
 *
 * @param expectedSeconds How long each section took in an earlier run. Where that is unknown, the mean of the
 * others is assumed.
 */
export function createSchedule(expectedSeconds: readonly (number | undefined)[]): Schedule {
  const finished: number[] = []
  let share = 0

  function estimate(index: number): number {
    const known = expectedSeconds[index]
    if (known !== undefined) return known
    const others = [...finished, ...expectedSeconds.filter((seconds) => seconds !== undefined)]
    // Without any duration, all sections count the same.
    if (others.length === 0) return 1
    return others.reduce((sum, seconds) => sum + seconds, 0) / others.length
  }

  return {
    start() {
      share = 0
    },
    step(done) {
      share = Math.min(1, done)
    },
    finish(seconds) {
      finished.push(seconds)
      share = 0
    },
    getDone() {
      const past = finished.reduce((sum, seconds) => sum + seconds, 0)
      const open = expectedSeconds.map((_, index) => index).slice(finished.length)
      const [current = 0, ...later] = open.map(estimate)
      const total = past + current + later.reduce((sum, seconds) => sum + seconds, 0)
      const done = past + current * share
      return done === 0 || total === 0 ? undefined : done / total
    },
  }
}
