import type { Logger } from 'pino'
import { runAs } from '../postgres/actor.ts'
import { traceJob } from '../tracing/trace-job.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** A job that runs repeatedly in this process. It must tolerate that other processes run it concurrently. */
export interface Job {
  name: string
  everyMs: number
  run(): Promise<unknown>
}

/** How the runs of a job went. */
export interface JobState {
  readonly name: string
  readonly everyMs: number
  /** When the last successful run ended, in milliseconds since the epoch. Undefined before the first one. */
  readonly succeededAt: number | undefined
  /** Why the last run failed; `''` if it succeeded. */
  readonly problem: string
}

export interface RunningJobs {
  /** Returns the state of each job. */
  list(): readonly JobState[]
  /**
   * Runs every job now instead of after its pause. Resolves when each has completed a run that began after
   * this call.
   */
  runAll(): Promise<void>
  /** Waits for the runs in progress. */
  stop(): Promise<void>
}

export interface JobOptions {
  readonly log: Logger
  /** Returns an error without secrets, such as the address of a node, which may contain a key. */
  readonly removeSecrets: (error: unknown) => unknown
  /** Where each run is a trace of its own. */
  readonly tracing?: Tracing | undefined
}

/**
 * Runs jobs until they are stopped, each as the actor `job:<name>`. A failed run is logged. Runs of the same
 * job never overlap.
 */
export function startJobs(jobs: readonly Job[], options: JobOptions): RunningJobs {
  const loops = jobs.map((job) => new JobLoop(job, options))
  const done = loops.map((loop) => loop.run())
  return {
    list: () => loops.map((loop) => loop.state),
    async runAll() {
      await Promise.all(loops.map((loop) => loop.runNow()))
    },
    async stop() {
      for (const loop of loops) loop.stop()
      await Promise.all(done)
    },
  }
}

class JobLoop {
  readonly #job: Job
  readonly #options: JobOptions
  #isStopping = false
  #succeededAt: number | undefined
  #problem = ''
  #wake = () => {}
  /** Who waits for the next run. */
  #waiting: (() => void)[] = []

  constructor(job: Job, options: JobOptions) {
    this.#job = job
    this.#options = options
  }

  get state(): JobState {
    const { name, everyMs } = this.#job
    return { name, everyMs, succeededAt: this.#succeededAt, problem: this.#problem }
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const waiting = this.#waiting
      this.#waiting = []
      await this.#runOnce()
      for (const resolve of waiting) resolve()
      if (this.#waiting.length === 0 && !this.#isStopping) await this.#pause()
    }
    for (const resolve of this.#waiting) resolve()
  }

  runNow(): Promise<void> {
    if (this.#isStopping) return Promise.resolve()
    const run = new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#wake()
    return run
  }

  stop(): void {
    this.#isStopping = true
    this.#wake()
  }

  async #runOnce(): Promise<void> {
    const { name } = this.#job
    const { log, removeSecrets, tracing } = this.#options
    try {
      await traceJob(tracing, name, () => runAs(`job:${name}`, () => this.#job.run()))
      this.#succeededAt = Date.now()
      this.#problem = ''
    } catch (error) {
      const err = removeSecrets(error)
      this.#problem = err instanceof Error ? err.message : String(err)
      if (!this.#isStopping) log.error({ err, job: name }, 'job failed')
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#job.everyMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
