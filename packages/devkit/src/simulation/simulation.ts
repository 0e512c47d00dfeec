import { AsyncLocalStorage } from 'node:async_hooks'
import { type Random, randomFrom } from '../random.ts'
import { realSetImmediate } from './real-time.ts'
import { TimerQueue } from './timer-queue.ts'

/** A process of a simulation: code that runs until it is crashed, and sees its own clock. */
export interface SimulatedProcess {
  readonly name: string
  readonly simulation: Simulation
  /** Random values that the process draws: ids, pauses. */
  readonly random: Random
  isAlive: boolean
  /** Whether none of its tasks continues for now, as if its machine had no time for it. */
  isPaused: boolean
  /** Milliseconds by which its wall clock is ahead. */
  skewMs: number
}

/** What happens to a task that the scheduler has chosen. */
export type Step<Result> =
  | { readonly kind: 'return'; readonly value: Result }
  | { readonly kind: 'throw'; readonly error: unknown }
  /** The effect has happened. The response arrives when the scheduler chooses the task again. */
  | { readonly kind: 'respond-later'; readonly response: Step<Result> }
  /** The task waits for a lock. It is chosen again after `unblock`. */
  | { readonly kind: 'blocked' }
  /** The call is still on its way. It is run when the simulation lets it arrive. */
  | { readonly kind: 'delayed' }

/** An external call: a request, or a statement. */
export interface Call<Result> {
  /** What the trace shows. */
  readonly label: string
  run(): Step<Result> | Promise<Step<Result>>
  /** Called once if the process crashes before the call was run. */
  crash?(): Promise<void>
}

interface Task {
  readonly process: SimulatedProcess
  readonly label: string
  readonly crash: (() => Promise<void>) | undefined
  isBlocked: boolean
  isDelayed: boolean
  /** Runs the call. Returns whether the task has ended. */
  advance(): Promise<boolean>
}

const processes = new AsyncLocalStorage<SimulatedProcess>()

/** Returns the simulated process that runs the present code. Undefined outside of simulations. */
export const getSimulatedProcess = (): SimulatedProcess | undefined => processes.getStore()

/** Runs code as a part of a process. Everything that it starts belongs to the process too. */
export const runInProcess = <Result>(process: SimulatedProcess, work: () => Result): Result =>
  processes.run(process, work)

/** When every simulation begins, so that signatures can be cached: 2026-01-01. */
export const SIMULATION_START_MS = 1_767_225_600_000

/** How often time passes from one step to the next. */
const STEP_TIME_CHANCE = 0.1
/** The most milliseconds that pass then. */
const MAX_STEP_MS = 40
/** How often a timer that is due later runs although calls could continue. */
const EARLY_TIMER_CHANCE = 0.02

/**
 * A deterministic simulation: every external call and every timer waits until the scheduler chooses it by the
 * seed, and nothing else runs at that time. The same seed makes the same choices.
 */
export class Simulation {
  readonly seed: number
  /** The choices of the scheduler and of the world. */
  readonly random: Random
  readonly timers = new TimerQueue()
  /** Requests that processes send by `fetch`. */
  onFetch: (url: string, body: string) => Call<Response> = () => {
    throw new Error('The simulation has no network')
  }
  /** Callbacks of `setImmediate` that did not run yet. */
  pendingImmediates = 0
  #now = SIMULATION_START_MS
  #tasks: Task[] = []
  #processCount = 0
  #digest = 0x811c9dc5
  readonly #log: ((line: string) => void) | undefined

  constructor(seed: number, log?: (line: string) => void) {
    this.seed = seed
    this.random = randomFrom(seed)
    this.#log = log
  }

  /** Milliseconds since the epoch. */
  get now(): number {
    return this.#now
  }

  /** Identifies everything that was traced. Equal for equal runs. */
  get digest(): string {
    return (this.#digest >>> 0).toString(16).padStart(8, '0')
  }

  /** The number of calls that wait. */
  get waiting(): number {
    return this.#tasks.length
  }

  createProcess(name: string): SimulatedProcess {
    this.#processCount += 1
    const random = randomFrom(this.seed * 31 + this.#processCount)
    return { name, simulation: this, random, isAlive: true, isPaused: false, skewMs: 0 }
  }

  trace(text: string): void {
    for (let index = 0; index < text.length; index += 1)
      this.#digest = Math.imul(this.#digest ^ text.charCodeAt(index), 0x01000193)
    this.#log?.(`${((this.#now - SIMULATION_START_MS) / 1000).toFixed(3).padStart(9)}s  ${text}`)
  }

  /** Parks a call until the scheduler chooses it. */
  call<Result>(process: SimulatedProcess, call: Call<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (!process.isAlive) return
      let response: Step<Result> | undefined
      const end = (step: Step<Result>): boolean => {
        if (step.kind === 'return') resolve(step.value)
        else if (step.kind === 'throw') reject(step.error)
        return step.kind === 'return' || step.kind === 'throw'
      }
      const task: Task = {
        process,
        label: call.label,
        crash: call.crash && (async () => (response === undefined ? call.crash?.() : undefined)),
        isBlocked: false,
        isDelayed: false,
        advance: async () => {
          if (response !== undefined) return end(response)
          const step = await call.run()
          task.isBlocked = step.kind === 'blocked'
          task.isDelayed = step.kind === 'delayed'
          if (step.kind === 'respond-later') response = step.response
          this.trace(`${process.name} ${call.label}${describeStep(step)}`)
          return end(step)
        },
      }
      this.#tasks.push(task)
    })
  }

  /** Lets one of the calls that are on their way arrive. */
  arrive(): void {
    const delayed = this.#tasks.filter(({ isDelayed }) => isDelayed)
    if (delayed.length === 0) return
    const task = this.random.pick(delayed)
    task.isDelayed = false
    this.trace(`${task.process.name} ${task.label} arrives`)
  }

  /** Lets all calls arrive that are on their way. */
  arriveAll(): void {
    for (const task of this.#tasks) task.isDelayed = false
  }

  /** Lets tasks that wait for a lock try again. */
  unblock(): void {
    for (const task of this.#tasks) task.isBlocked = false
  }

  /** Lets time pass at once. */
  advance(milliseconds: number): void {
    this.#now += milliseconds
  }

  /** Ends a process: none of its tasks and timers continues. */
  async crash(process: SimulatedProcess): Promise<void> {
    process.isAlive = false
    const ended = this.#tasks.filter((task) => task.process === process)
    this.#tasks = this.#tasks.filter((task) => task.process !== process)
    this.timers.remove(process)
    for (const task of ended) await task.crash?.()
  }

  /** Waits until no code runs: every process waits for a call or a timer. */
  async settle(): Promise<void> {
    do await new Promise<void>((resolve) => realSetImmediate(resolve))
    while (this.pendingImmediates > 0)
  }

  /**
   * Lets one call or timer continue. Time passes until there is one.
   *
   * @param limitMs The most time to pass.
   * @returns Whether something continued.
   */
  async step(limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    await this.settle()
    if (this.random.chance(STEP_TIME_CHANCE)) this.#now += this.random.integer(MAX_STEP_MS)
    const tasks = this.#tasks.filter(
      ({ process, isBlocked, isDelayed }) => !process.isPaused && !isBlocked && !isDelayed,
    )
    const isEarly = tasks.length > 0 && this.random.chance(EARLY_TIMER_CHANCE)
    const timer = this.timers.peek()
    if (
      timer !== undefined &&
      !timer.process.isPaused &&
      (timer.at <= this.#now || isEarly || tasks.length === 0)
    ) {
      if (timer.at > this.#now + limitMs) return this.#continue(tasks)
      this.timers.remove(timer)
      if (timer.at > this.#now) this.#now = timer.at
      runInProcess(timer.process, timer.run)
      return true
    }
    return this.#continue(tasks)
  }

  async #continue(tasks: readonly Task[]): Promise<boolean> {
    if (tasks.length === 0) return false
    const task = this.random.pick(tasks)
    const hasEnded = await task.advance()
    if (hasEnded) this.#tasks = this.#tasks.filter((other) => other !== task)
    return true
  }
}

function describeStep(step: Step<unknown>): string {
  if (step.kind === 'return') return ''
  if (step.kind === 'throw')
    return `: ${step.error instanceof Error ? step.error.message : String(step.error)}`
  if (step.kind === 'delayed') return ' is on its way'
  return step.kind === 'blocked' ? ' waits for a lock' : `, response later${describeStep(step.response)}`
}
