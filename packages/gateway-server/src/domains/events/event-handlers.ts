import { EVENTS_EXPIRED, type EventBatch, events } from '@mintmark/events'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, type Refuse, refusal } from '@mintmark/server-kit'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import { TEXT } from '../../http/field-limits.ts'
import { BATCH_BYTES, type FeedBounds, findBounds, listEventsAfter, toGatewayEvent } from './events-store.ts'
import type { EventStreams } from './stream/event-streams.ts'
import { readTypes } from './type-patterns.ts'

const eventLimits: FieldLimits = {
  'events.list/after': { min: 0, integer: true },
  'events.list/limit': { min: 1, max: 500, integer: true },
  'events.stream/after': { min: 0, integer: true },
  types: TEXT,
}

const DEFAULT_LIMIT = 100

/** The open streams of events of this process. */
export interface EventPorts {
  readonly eventStreams: EventStreams
}

type EventContext = GatewayContext & EventPorts & Refuse

/** Refuses a place that is not in the feed. */
function checkPlace(
  field: string,
  after: number,
  { oldest, newest }: FeedBounds,
  { invalid }: EventContext,
): void {
  if (after > newest) invalid(field, `The newest event has the number ${newest}`)
  if (after < oldest - 1) throw refusal(EVENTS_EXPIRED, `The oldest stored event has the number ${oldest}`)
}

/** Returns the number in a Last-Event-ID header. Undefined without the header, or if it is empty. */
function readLastEventId(text: string | undefined, { invalid }: EventContext): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,15}$/.test(text)) return invalid('Last-Event-ID', 'Expected the id of a message')
  return Number(text)
}

export const eventRoutes = implementWithLimits<EventPorts>(eventLimits)(events, {
  async list(input: InputOf<typeof events.list>, context: EventContext): Promise<EventBatch> {
    const { limit = DEFAULT_LIMIT } = input
    const types = readTypes(input.types, context.invalid)
    const query = { after: input.after, types, limit, maxBytes: BATCH_BYTES }
    const part = await listEventsAfter(context.tenant, query)
    checkPlace('after', part.after, part, context)
    const { next, newest } = part
    return { events: part.rows.map(toGatewayEvent), next, hasMore: next < newest, newest }
  },

  async stream(
    input: InputOf<typeof events.stream>,
    context: EventContext,
  ): Promise<ReadableStream<Uint8Array>> {
    const { tenant, caller, connection, eventStreams } = context
    const types = readTypes(input.types, context.invalid)
    // A browser repeats the address of the first call, and sends the header when it resumes.
    const lastEventId = readLastEventId(connection.lastEventId, context)
    const bounds = await findBounds(tenant)
    const after = lastEventId ?? input.after ?? bounds.oldest - 1
    checkPlace(lastEventId === undefined ? 'after' : 'Last-Event-ID', after, bounds, context)
    const isAuthorized = () => caller.isAuthorized()
    const disconnect = () => connection.disconnect()
    return eventStreams.open({ tenant, after, newest: bounds.newest, types, isAuthorized, disconnect })
  },
})
