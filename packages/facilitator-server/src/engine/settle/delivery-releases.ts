import { setTimeout as pause } from 'node:timers/promises'
import { releaseDelivery } from '../../ledger/settlements/settlement.ts'
import type { EngineSettings } from '../settings/engine-options.ts'

const RETRY_INTERVAL_MS = 200

/**
 * Releases the deliveries of calls that did not deliver: they claimed it in a commit that may not have been
 * confirmed, or their caller was gone before the first byte was written.
 */
export interface DeliveryReleases {
  /** Releases the delivery of a call as soon as the database can be reached, so that another call claims it. */
  release(settlementId: number, attempt: string): void
  /**
   * Writes the releases that are not written yet.
   *
   * @param settlementId Writes those of this settlement only.
   * @throws Error if they cannot be written. They are repeated later.
   */
  flush(settlementId?: number): Promise<void>
}

/**
 * A process that dies after the claim, or before a release is written, leaves the payment delivered: nothing
 * shows whether it had responded, and a success that is delivered twice releases a good twice.
 */
export function createDeliveryReleases({ db, log }: Pick<EngineSettings, 'db' | 'log'>): DeliveryReleases {
  /** The settlements by attempt. */
  const waiting = new Map<string, number>()
  let isRunning = false

  async function flush(settlementId?: number): Promise<void> {
    for (const [attempt, id] of waiting) {
      if (settlementId !== undefined && id !== settlementId) continue
      await releaseDelivery(db, id, attempt)
      waiting.delete(attempt)
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    let isReported = false
    while (waiting.size > 0) {
      try {
        await flush()
      } catch (error) {
        if (!isReported) log.warn({ err: error }, 'Deliveries could not be released yet. Retrying')
        isReported = true
        await pause(RETRY_INTERVAL_MS, undefined, { ref: false })
      }
    }
    isRunning = false
  }

  return {
    release(settlementId, attempt) {
      waiting.set(attempt, settlementId)
      if (!isRunning) void run()
    },
    flush,
  }
}
