import type { SimulatedProcess } from './simulation.ts'

/** A timer of a process. */
export interface SimulatedTimer {
  readonly process: SimulatedProcess
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly run: () => void
}

/** The timers of a simulation, in the order in which they are due. */
export class TimerQueue {
  #timers: SimulatedTimer[] = []

  add(timer: SimulatedTimer): void {
    // After all timers that are due at the same time or earlier.
    let place = this.#timers.length
    while (place > 0 && (this.#timers[place - 1]?.at ?? 0) > timer.at) place -= 1
    this.#timers.splice(place, 0, timer)
  }

  /** Returns the next timer of a process that is not paused, or else the next one. */
  peek(): SimulatedTimer | undefined {
    return this.#timers.find(({ process }) => !process.isPaused) ?? this.#timers[0]
  }

  /** Removes a timer, or all timers of a process. */
  remove(which: SimulatedTimer | SimulatedProcess): void {
    this.#timers = this.#timers.filter((timer) => timer !== which && timer.process !== which)
  }
}
