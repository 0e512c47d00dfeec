import type { Schema } from '@mintmark/envelope'

/** A type of event: when it is written, and its data. */
export interface EventType<Data = unknown> {
  /** When events of this type are written. */
  readonly description: string
  /** The schema of the event's data. */
  readonly data: Schema<Data>
}

/** The types of events of a domain, by their names, such as `order.created`. */
export type EventTypes = Readonly<Record<string, EventType>>

/** The data of events, by the names of their types. */
export type EventDataOf<Types> = {
  readonly [Name in keyof Types]: Types[Name] extends EventType<infer Data> ? Data : never
}

/** Declares the types of events of a domain. */
/* @__NO_SIDE_EFFECTS__ */
export function defineEvents<const Types extends EventTypes>(types: Types): Types {
  return types
}
