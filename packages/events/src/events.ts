import { Integer } from '@mintmark/envelope'
import { gatewayOperation, gatewayStreamOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { EventBatch, GatewayEvent } from './event.ts'
import type { EventTypePattern } from './event-types.ts'
import { EVENTS_EXPIRED } from './rules.ts'
import { readStream } from './stream.ts'

/**
 * Returns the events after a place in the feed, oldest first. Keep `next` and pass it as `after`: every event
 * is returned exactly once, in the order of its subject. A filter can leave `events` empty while `hasMore` is
 * true.
 *
 * `EVENTS_EXPIRED` (410) if events after `after` were deleted because of their age. Read the records that you
 * need, and continue at `next` of a call without `after`, which begins with the oldest event.
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
    /**
     * The `sequence` of the last event that you have, or `next` of the last call. Default: the feed begins
     * with the oldest event.
     */
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

/**
 * Iterates over the events after a place in the feed, then over new ones as they are written, each exactly
 * once. The gateway sends them in a stream of server-sent events, a fraction of a second after their change
 * was committed. After a failure that passes (a lost connection, 429, 5xx) the function continues where it
 * was. Store `event.sequence` when you have processed an event, and pass it as `after` when your program
 * starts again.
 *
 * Throws the errors that do not pass, such as `EVENTS_EXPIRED` (410) and those of a revoked key (401, 403).
 *
 * @example
 * for await (const event of events.stream(gateway, { after: lastSequence, types: 'order.*' })) {
 *   if (event.type === 'order.paid') await ship(event.data.orderNo)
 *   await saveSequence(event.sequence)
 * }
 */
export const stream = gatewayStreamOperation(
  {
    id: 'events.stream',
    method: 'GET',
    path: '/api/v1/events/stream',
    source: 'own',
    scope: 'events:read',
    query: {
      /**
       * The `sequence` of the last event that you have. Default: the stream begins with the oldest stored
       * event. The header Last-Event-ID replaces it.
       */
      after: v.optional(Integer),
      /** Types of events and patterns such as `order.*`, separated by commas. Default: all types. */
      types: v.optional(v.string()),
    },
    data: GatewayEvent,
    errors: [EVENTS_EXPIRED],
  },
  readStream,
)
