import { cardEvents } from '@mintmark/cards'
import { contractEvents } from '@mintmark/contracts'
import { marketEvents } from '@mintmark/market'
import type { EventDataOf } from '@mintmark/operation'
import { orderEvents } from '@mintmark/orders'
import { walletEvents } from '@mintmark/wallet'
import { webhookEvents } from './webhook-events.ts'

/** Every type of event: when it is written, and the schema of its data. */
export const eventTypes = {
  ...walletEvents,
  ...contractEvents,
  ...cardEvents,
  ...marketEvents,
  ...orderEvents,
  ...webhookEvents,
}

/** The data of each type of event. */
export interface EventData extends EventDataOf<typeof eventTypes> {}

/** The name of a type of event, such as `order.paid`. */
export type EventTypeName = keyof EventData

/** The group of a type of event: `order` of `order.paid`. */
type GroupOf<Name extends string> = Name extends `${infer Group}.${string}` ? Group : never

/** A type of event, a group with a wildcard, such as `order.*`, or `*` for all types. */
export type EventTypePattern = EventTypeName | `${GroupOf<EventTypeName>}.*` | '*'
