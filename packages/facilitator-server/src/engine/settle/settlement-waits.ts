import { setTimeout as pause } from 'node:timers/promises'
import { listEnded } from '../../ledger/settlements/settlement.ts'
import type { EngineSettings } from '../settings/engine-options.ts'

/** The waits of repeated settles for the outcomes of their payments. */
export interface SettlementWaits {
  /**
   * Waits until a settlement has ended, at most `repeatTimeout` milliseconds. Returns early when the signal is
   * aborted, and at once if too many calls wait already.
   */
  wait(settlementId: number, signal?: AbortSignal): Promise<void>
  /** Ends all waits, and those that begin later. */
  stop(): void
}

/** How often the states of the settlements are read. */
const POLL_INTERVAL_MS = 250
/**
 * The most calls that wait for one settlement. A seller repeats a settle once or twice. More calls come from a
 * payer that presents one payment many times, and must not take the waits of others.
 */
const MAX_WAITS_PER_SETTLEMENT = 8

interface Wait {
  /** By `performance.now()`. */
  readonly until: number
  end(): void
}

/**
 * Creates the waits of a process. A wait holds no connection and sends no request: one statement reads the
 * states of all awaited settlements, which reconciliation and other calls end, in whichever process.
 */
export function createSettlementWaits({
  db,
  log,
  repeatTimeout,
  maxWaits,
}: Pick<EngineSettings, 'db' | 'log' | 'repeatTimeout' | 'maxWaits'>): SettlementWaits {
  const waits = new Map<number, Set<Wait>>()
  let count = 0
  let isPolling = false
  let isStopped = false

  function endAll(settlementId: number): void {
    for (const wait of waits.get(settlementId) ?? []) wait.end()
  }

  async function poll(): Promise<void> {
    isPolling = true
    while (waits.size > 0) {
      await pause(POLL_INTERVAL_MS)
      try {
        for (const settlementId of await listEnded(db, [...waits.keys()])) endAll(settlementId)
      } catch (error) {
        log.warn({ err: error }, 'The states of awaited settlements could not be read. Retrying')
      }
      const now = performance.now()
      const expired = [...waits.values()].flatMap((ofOne) => [...ofOne].filter(({ until }) => until <= now))
      for (const wait of expired) wait.end()
    }
    isPolling = false
  }

  return {
    async wait(settlementId, signal) {
      const ofOne = waits.get(settlementId) ?? new Set()
      const isFull = count >= maxWaits || ofOne.size >= MAX_WAITS_PER_SETTLEMENT
      if (isStopped || isFull || repeatTimeout === 0 || signal?.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = () => resolve()
      const wait: Wait = { until: performance.now() + repeatTimeout, end }
      waits.set(settlementId, ofOne.add(wait))
      count += 1
      signal?.addEventListener('abort', end, { once: true })
      if (!isPolling) void poll()
      await promise
      signal?.removeEventListener('abort', end)
      count -= 1
      ofOne.delete(wait)
      if (ofOne.size === 0) waits.delete(settlementId)
    },
    stop() {
      isStopped = true
      for (const settlementId of waits.keys()) endAll(settlementId)
    },
  }
}
