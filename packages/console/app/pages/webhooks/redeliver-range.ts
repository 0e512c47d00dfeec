import type { RedeliveredRange } from '@mintmark/events'
import { createWriteKeys } from '../../api/write-keys.ts'

/** A range of the feed to send to a webhook. */
export interface RangeToRedeliver {
  /** ISO 8601. */
  readonly from: string
  /** ISO 8601, exclusive. */
  readonly to: string
  readonly includeDelivered: boolean
}

/** Calls `eventWebhooks.redeliverRange` for a webhook, which reads at most 1,000 events. */
export type RedeliverPart = (
  part: RangeToRedeliver & { readonly after?: number },
  options: { readonly signal: AbortSignal; readonly idempotencyKey: string },
) => Promise<RedeliveredRange>

/** Redelivers a range part by part. Returns after the last one. Stops at the signal. */
type RedeliverRange = (range: RangeToRedeliver, signal: AbortSignal) => Promise<void>

/** How far a range was redelivered. */
interface Progress {
  readonly range: RangeToRedeliver
  /** The number of deliveries that were started. */
  readonly started: number
  /** The place of the last event that was read; undefined at the beginning. */
  readonly after: number | undefined
}

/**
 * Creates a function that redelivers ranges. After a failure, it continues the same range where it stopped:
 * from the beginning, receivers would receive the events that were delivered meanwhile once more.
 *
 * @param onStarted Receives the number of deliveries that were started so far.
 */
export function createRangeRedelivery(
  redeliver: RedeliverPart,
  onStarted: (count: number) => void,
): RedeliverRange {
  const keys = createWriteKeys()
  let stopped: Progress | undefined

  const sendPart = async ({ range, after }: Progress, signal: AbortSignal) => {
    const part = { ...range, ...(after !== undefined && { after }) }
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
    let progress = isSame(stopped?.range, range) ? stopped : undefined
    progress ??= { range, started: 0, after: undefined }
    for (;;) {
      stopped = progress
      onStarted(progress.started)
      signal.throwIfAborted()
      const { deliveries, next, hasMore } = await sendPart(progress, signal)
      progress = { range, started: progress.started + deliveries, after: next }
      if (!hasMore) break
    }
    stopped = undefined
    onStarted(progress.started)
  }
}

function isSame(one: RangeToRedeliver | undefined, other: RangeToRedeliver): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
