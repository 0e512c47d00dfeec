import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import {
  RealDate,
  realAbortTimeout,
  realClearTimeout,
  realFetch,
  realPerformanceNow,
  realSetImmediate,
  realSetTimeout,
} from './real-time.ts'
import { getSimulatedProcess, SIMULATION_START_MS, type SimulatedProcess } from './simulation.ts'
import type { SimulatedTimer } from './timer-queue.ts'

/**
 * Replaces clocks, timers, random values and `fetch` of this operating system process. Code within a
 * simulated process sees those of its simulation, all other code the real ones. It must run before the code
 * that is simulated is imported.
 */
export function simulatePlatform(): void {
  simulateClocks()
  simulateTimers()
  simulateRandomValues()
  globalThis.fetch = (input, init) => {
    const process = getSimulatedProcess()
    if (process === undefined) return realFetch(input, init)
    const url = input instanceof SimulatedRequest ? input.url : String(input)
    const { simulation } = process
    return simulation.call(process, simulation.onFetch(url, String(init?.body ?? '')))
  }
  // viem creates a request for each call. A real one takes longer than the simulation of the call.
  Object.assign(globalThis, { Request: SimulatedRequest })
  // Most errors are expected, and their stacks take longer than anything else.
  Error.stackTraceLimit = 0
  syncBuiltinESMExports()
}

/** The parts of a request that its listeners read. */
class SimulatedRequest {
  readonly url: string
  constructor(url: string) {
    this.url = url
  }
}

function readClock(): number {
  const process = getSimulatedProcess()
  return process === undefined ? RealDate.now() : Math.floor(process.simulation.now) + process.skewMs
}

function simulateClocks(): void {
  class SimulatedDate extends RealDate {
    constructor(...values: [] | [number | string | Date]) {
      if (values.length === 0) super(readClock())
      else super(...(values as [number]))
    }
    static override now = readClock
  }
  // The class is called with the same arguments as the real one.
  globalThis.Date = SimulatedDate as DateConstructor
  performance.now = () => {
    const process = getSimulatedProcess()
    return process === undefined ? realPerformanceNow() : process.simulation.now - SIMULATION_START_MS
  }
}

/** What `setTimeout` returns within a simulated process. */
class Timeout {
  readonly timer: SimulatedTimer
  constructor(timer: SimulatedTimer) {
    this.timer = timer
  }
  ref = () => this
  unref = () => this
  hasRef = () => true
}

function startTimer(process: SimulatedProcess, milliseconds: number, run: () => void): SimulatedTimer {
  const { simulation } = process
  const timer = { process, run, at: simulation.now + Math.max(1, milliseconds) }
  if (process.isAlive) simulation.timers.add(timer)
  return timer
}

function stopTimer({ timer }: Timeout): void {
  timer.process.simulation.timers.remove(timer)
}

function simulateTimers(): void {
  type Handler = (...values: unknown[]) => void
  const setSimulatedTimeout = (handler: Handler, milliseconds = 0, ...values: unknown[]) => {
    const process = getSimulatedProcess()
    if (process === undefined) return realSetTimeout(handler, milliseconds, ...values)
    return new Timeout(startTimer(process, milliseconds, () => handler(...values)))
  }
  const clearSimulatedTimeout = (timeout: unknown) => {
    if (timeout instanceof Timeout) stopTimer(timeout)
    else realClearTimeout(timeout as NodeJS.Timeout)
  }
  const setCountedImmediate = (handler: Handler, ...values: unknown[]) => {
    const process = getSimulatedProcess()
    if (process === undefined) return realSetImmediate(handler, ...values)
    const { simulation } = process
    simulation.pendingImmediates += 1
    return realSetImmediate(() => {
      simulation.pendingImmediates -= 1
      if (process.isAlive) handler(...values)
    })
  }
  Object.assign(globalThis, {
    setTimeout: setSimulatedTimeout,
    clearTimeout: clearSimulatedTimeout,
    setImmediate: setCountedImmediate,
  })
  AbortSignal.timeout = (milliseconds) => {
    const process = getSimulatedProcess()
    if (process === undefined) return realAbortTimeout(milliseconds)
    const controller = new AbortController()
    startTimer(process, milliseconds, () => controller.abort(new DOMException('timed out', 'TimeoutError')))
    return controller.signal
  }
  simulatePause()
}

function simulatePause(): void {
  const realPause = timersPromises.setTimeout
  timersPromises.setTimeout = <Value>(
    milliseconds = 0,
    value?: Value,
    options?: { signal?: AbortSignal | undefined },
  ) => {
    const process = getSimulatedProcess()
    if (process === undefined) return realPause(milliseconds, value as Value, options)
    const signal = options?.signal
    return new Promise<Value>((resolve, reject) => {
      const timer = startTimer(process, milliseconds, () => resolve(value as Value))
      const abort = () => {
        process.simulation.timers.remove(timer)
        reject(signal?.reason)
      }
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  }
}

function simulateRandomValues(): void {
  const { randomBytes, randomUUID } = crypto
  const realRandom = Math.random
  Math.random = () => {
    const process = getSimulatedProcess()
    return process === undefined ? realRandom() : process.random.integer(2 ** 30) / 2 ** 30
  }
  const drawBytes = (size: number) => {
    const process = getSimulatedProcess()
    return process === undefined ? randomBytes(size) : Buffer.from(process.random.hex(size), 'hex')
  }
  const drawUuid = () => {
    const process = getSimulatedProcess()
    if (process === undefined) return randomUUID()
    const digits = process.random.hex(16)
    const parts = [
      digits.slice(0, 8),
      digits.slice(8, 12),
      digits.slice(12, 16),
      digits.slice(16, 20),
      digits.slice(20),
    ]
    return parts.join('-')
  }
  Object.assign(crypto, { randomBytes: drawBytes, randomUUID: drawUuid })
}
