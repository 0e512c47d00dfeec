import type { RedeliveredRange } from '@mintmark/events'
import type { WriteKeys } from '../../api/write-keys.ts'

/** A range of the feed to send to a webhook. */
export interface RangeToRedeliver {
  /** ISO 8601. */
  readonly from: string
  /** ISO 8601, exclusive. */
  readonly to: string
  readonly includeDelivered: boolean
}

/** Calls `eventWebhooks.redeliverRange`, which reads at most 1,000 events. */
export type RedeliverPart = (
  part: RangeToRedeliver & { readonly id: number; readonly after?: number },
  options: { readonly signal: AbortSignal; readonly idempotencyKey: string },
) => Promise<RedeliveredRange>

/** Redelivers a range part by part. Returns after the last one. Stops at the signal. */
type RedeliverRange = (range: RangeToRedeliver, signal: AbortSignal) => Promise<void>

/** How far a range was redelivered. */
export interface RangeProgress {
  readonly range: RangeToRedeliver
  /** The number of deliveries that were started. */
  readonly started: number
  /** The place of the last event that was read; undefined at the beginning. */
  readonly after: number | undefined
}

/** Where the progress of a range is kept until its last part is sent. */
export interface ProgressStore {
  read(): RangeProgress | undefined
  write(progress: RangeProgress | undefined): void
}

interface RedeliveryOptions {
  readonly webhookId: number
  readonly redeliver: RedeliverPart
  readonly keys: WriteKeys
  readonly store: ProgressStore
  /** Receives the number of deliveries that were started so far. */
  readonly onStarted: (count: number) => void
}

/**
 * Creates a function that redelivers ranges to a webhook. After a failure, it continues the same range where it
 * stopped: from the beginning, receivers would receive the events that were delivered meanwhile once more.
 */
export function createRangeRedelivery(options: RedeliveryOptions): RedeliverRange {
  const { webhookId, redeliver, keys, store, onStarted } = options

  const sendPart = async ({ range, after }: RangeProgress, signal: AbortSignal) => {
    const part = { id: webhookId, ...range, ...(after !== undefined && { after }) }
    try {
      const result = await redeliver(part, { signal, idempotencyKey: keys.take(part) })
      keys.settle(undefined)
      return result
    } catch (error) {
      keys.settle(error)
      throw error
    }
  }

  return async (range, signal) => {
    const stopped = store.read()
    let progress = isSameRange(stopped?.range, range) ? stopped : undefined
    progress ??= { range, started: 0, after: undefined }
    for (;;) {
      store.write(progress)
      onStarted(progress.started)
      signal.throwIfAborted()
      const { deliveries, next, hasMore } = await sendPart(progress, signal)
      progress = { range, started: progress.started + deliveries, after: next }
      if (!hasMore) break
    }
    store.write(undefined)
    onStarted(progress.started)
  }
}

export function isSameRange(one: RangeToRedeliver | undefined, other: RangeToRedeliver | undefined): boolean {
  return (
    one?.from === other?.from && one?.to === other?.to && one?.includeDelivered === other?.includeDelivered
  )
}
