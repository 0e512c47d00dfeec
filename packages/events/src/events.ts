import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import type { EventData, EventTypeName, EventTypePattern } from './event-types.ts'
import { EVENTS_EXPIRED } from './rules.ts'

/** The fields of every event. */
interface EventFields<Type extends string, Data> {
  /** Identifies the event. Ignore an event whose id you have processed. */
  readonly id: string
  /** What happened, such as `order.paid`. */
  readonly type: Type
  /** What it happened to: a kind and an id, such as `order/123`. */
  readonly subject: string
  /** The place in the feed of the project: 1 for the first event, without gaps. */
  readonly sequence: number
  /** When it happened. */
  readonly time: string
  readonly projectId: number
  /** The version of the API whose records `data` has. */
  readonly apiVersion: string
  /** The record after the change; of a removed record, before it. */
  readonly data: Data
}

/** An event. `type` determines the type of `data`. A newer server may write further types; ignore those that you do not know. */
export type GatewayEvent = {
  [Type in EventTypeName]: EventFields<Type, EventData[Type]>
}[EventTypeName]

const event = record({
  id: v.string(),
  type: v.string(),
  subject: v.string(),
  sequence: Integer,
  time: Timestamp,
  projectId: Integer,
  apiVersion: v.string(),
  data: v.looseObject({}),
})
// The server wrote the data by the declaration of the type. Checking it here would add every record of the API to a program with one operation.
export const GatewayEvent: Schema<GatewayEvent> = event as Schema<unknown> as Schema<GatewayEvent>

const eventBatch = record({
  /** The events after the given sequence, oldest first. */
  events: v.array(GatewayEvent),
  /** Pass this as `after` in the next call. */
  next: Integer,
  /** Whether more events exist at present. */
  hasMore: v.boolean(),
})
/** Consecutive events of the feed. */
export interface EventBatch extends v.InferOutput<typeof eventBatch> {}
export const EventBatch: Schema<EventBatch> = eventBatch

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
