import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import type { EventData, EventTypeName } from './event-types.ts'

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
  /** The project that the event belongs to. */
  readonly projectId: number
  /** The version of the API whose records `data` has. */
  readonly apiVersion: string
  /** The record after the change; of a removed record, before it. */
  readonly data: Data
}

/**
 * An event. `type` determines the type of `data`. A newer server may write further types; ignore those that
 * you do not know.
 */
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
// The server wrote the data by the declaration of the type. Checking it here would add every record of the
// API to a program with one operation.
export const GatewayEvent: Schema<GatewayEvent> = event as Schema<unknown> as Schema<GatewayEvent>

const eventBatch = record({
  /** The events after the given sequence, oldest first. */
  events: v.array(GatewayEvent),
  /** Pass this as `after` in the next call. */
  next: Integer,
  /** Whether more events exist at present. */
  hasMore: v.boolean(),
  /**
   * The `sequence` of the newest event at present; 0 if the project has no events. Pass it as `after` to
   * continue with later events only.
   */
  newest: Integer,
})
/** Consecutive events of the feed. */
export interface EventBatch extends v.InferOutput<typeof eventBatch> {}
export const EventBatch: Schema<EventBatch> = eventBatch
