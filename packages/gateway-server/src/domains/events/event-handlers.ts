import { EVENTS_EXPIRED, type EventBatch, events, eventTypes } from '@mintmark/events'
import type { InputOf } from '@mintmark/operation'
import type { FieldLimits, Refuse } from '@mintmark/server-kit'
import { type GatewayContext, implementWithLimits } from '../../context.ts'
import { TEXT } from '../../http/field-limits.ts'
import { findBounds, listEvents, toGatewayEvent } from './events-store.ts'

const eventLimits: FieldLimits = {
  'events.list/after': { min: 0, integer: true },
  'events.list/limit': { min: 1, max: 500, integer: true },
  types: TEXT,
}

const DEFAULT_LIMIT = 100
/** How many events one call searches, so that it never reads the whole feed for a rare type. */
const SCANNED_EVENTS = 10_000

const TYPE_NAMES = Object.keys(eventTypes)

/** Returns the names of types that match names and patterns such as `order.*`; undefined for all types. */
function readTypes(text: string | undefined, invalid: Refuse<never>['invalid']): string[] | undefined {
  if (text === undefined) return undefined
  const names = new Set<string>()
  for (const pattern of text.split(',').map((each) => each.trim())) {
    if (pattern === '*') return undefined
    const isMatch = pattern.endsWith('.*')
      ? (name: string) => name.startsWith(pattern.slice(0, -1))
      : (name: string) => name === pattern
    const matches = TYPE_NAMES.filter(isMatch)
    if (matches.length === 0) {
      invalid('types', `No type of event matches ${JSON.stringify(pattern.slice(0, 100))}`)
    }
    for (const name of matches) names.add(name)
  }
  return [...names]
}

export const eventRoutes = implementWithLimits(eventLimits)(events, {
  async list(
    input: InputOf<typeof events.list>,
    { tenant, refuse, invalid }: GatewayContext & Refuse<typeof EVENTS_EXPIRED>,
  ): Promise<EventBatch> {
    const { limit = DEFAULT_LIMIT } = input
    const types = readTypes(input.types, invalid)
    const { oldest, newest } = await findBounds(tenant)
    const after = input.after ?? oldest - 1
    if (after > newest) invalid('after', `The newest event has the number ${newest}`)
    if (after < oldest - 1) refuse(EVENTS_EXPIRED, `The oldest stored event has the number ${oldest}`)
    const upTo = Math.min(newest, after + SCANNED_EVENTS)
    const { rows, isComplete } = await listEvents(tenant, { after, upTo, types, limit })
    const next = isComplete ? upTo : (rows.at(-1)?.sequence ?? after)
    return { events: rows.map(toGatewayEvent), next, hasMore: next < newest }
  },
})
