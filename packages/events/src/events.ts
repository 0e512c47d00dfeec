import { Integer, isMintmarkError } from '@mintmark/envelope'
import { type GatewayClient, gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { EventBatch, type GatewayEvent } from './event.ts'
import type { EventTypePattern } from './event-types.ts'
import { EVENTS_EXPIRED } from './rules.ts'
import { wait } from './wait.ts'

/**
 * Returns the events after a place in the feed, oldest first. Keep `next` and pass it as `after`: every event is returned exactly once, in
 * the order of its subject. A filter can leave `events` empty while `hasMore` is true.
 *
 * `EVENTS_EXPIRED` (410) if events after `after` were deleted because of their age. Read the records that you need, and continue at `next` of
 * a call without `after`, which begins with the oldest event.
 *
 * @example
 * const { events: batch, next } = await events.list(gateway, { after: lastSequence, types: 'order.*' })
 * for (const event of batch) if (event.type === 'order.paid') console.log(event.data.orderNo)
 * lastSequence = next
 */
export const list = gatewayOperation({
  id: 'events.list',
  method: 'GET',
  path: '/api/v1/events',
  source: 'own',
  scope: 'events:read',
  query: {
    /** The `sequence` of the last event that you have, or `next` of the last call. Default: the feed begins with the oldest event. */
    after: v.optional(Integer),
    /** The most events, 1 to 500. Default: 100. */
    limit: v.optional(Integer),
    /** Types of events and patterns such as `order.*`, separated by commas. Default: all types. */
    types: v.optional(v.string()),
  },
  data: EventBatch,
  errors: [EVENTS_EXPIRED],
})
export type ListEventsInput = InputOf<typeof list>

/** Returns the `types` of a list from names and patterns, checked by the compiler. */
export function toTypes(...patterns: readonly EventTypePattern[]): string {
  return patterns.join(',')
}

export interface StreamOptions {
  /** The `sequence` of the last event that you have processed. Default: the stream begins with the oldest stored event. */
  readonly after?: number | undefined
  /** Types of events and patterns; see `toTypes`. Default: all types. */
  readonly types?: string | undefined
  /** Ends the stream, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds between two calls while there are no new events. Default: 1,000. */
  readonly idleMs?: number | undefined
}

/** The most events of one call. */
const BATCH_SIZE = 500
/** The longest pause after a call that failed, in milliseconds. */
const MAX_PAUSE_MS = 30_000

/**
 * Iterates over the events after a place in the feed, then over new ones as they are written, each exactly once. After a failure that passes (no
 * connection, 429, 5xx) it continues where it was. Store `event.sequence` when you have processed an event, and pass it as `after` when your
 * program starts again.
 *
 * Throws the errors of `events.list` that do not pass, such as `EVENTS_EXPIRED`.
 *
 * @example
 * for await (const event of events.stream(gateway, { after: lastSequence, types: 'order.*' })) {
 *   if (event.type === 'order.paid') await ship(event.data.orderNo)
 *   await saveSequence(event.sequence)
 * }
 */
export async function* stream(
  gateway: GatewayClient,
  { after, types, signal, idleMs = 1000 }: StreamOptions = {},
): AsyncGenerator<GatewayEvent, void, undefined> {
  let next = after
  let failures = 0
  for (;;) {
    signal?.throwIfAborted()
    try {
      const batch = await list(gateway, { after: next, limit: BATCH_SIZE, types }, { signal })
      failures = 0
      yield* batch.events
      next = batch.next
      if (!batch.hasMore) await wait(idleMs, signal)
    } catch (error) {
      if (!isMintmarkError(error) || !error.retryable) throw error
      failures += 1
      const pause = Math.min(MAX_PAUSE_MS, idleMs * 2 ** Math.min(failures, 10))
      await wait((error.retryAfter ?? 0) * 1000 || pause * Math.random(), signal)
    }
  }
}
