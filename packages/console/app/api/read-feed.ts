import { isMintmarkError } from '@mintmark/envelope'
import { EVENTS_EXPIRED, type EventBatch, type GatewayEvent } from '@mintmark/events'

/** Reads events after a place of the feed: the operation `events.list`. */
export type ListEvents = (input: { after?: number; limit?: number; types?: string }) => Promise<EventBatch>

/** Which events to show. */
export interface FeedFilter {
  /** Types and patterns, separated by commas; `''` for all. */
  readonly types: string
  /** A subject, or a value that the record of an event has, such as an order number; `''` for all. */
  readonly text: string
}

/** A part of the feed, newest first. */
export interface FeedPage {
  readonly events: readonly GatewayEvent[]
  /** The place up to which the next older part reaches; undefined at the beginning of the feed. */
  readonly older: number | undefined
  /** The number of the newest event when the part was read. */
  readonly newest: number
}

/** A part has at least so many events, unless many places have to be searched for them. */
const PAGE_EVENTS = 50
/** The largest `limit` of the operation. */
const BATCH_EVENTS = 500
/** At most, because the server searches a limited number of places for types in one call. */
const TYPED_PLACES = 5000
/** After so many windows, a person decides whether to search further. */
const MAX_WINDOWS = 8

/**
 * Reads the events up to a place, newest first. The operation reads forwards only, so this reads windows of
 * the feed, each forwards, from the newest one back.
 *
 * @param upTo The newest place to read. Undefined: the end of the feed.
 */
export async function readOlderEvents(
  list: ListEvents,
  filter: FeedFilter,
  upTo: number | undefined,
): Promise<FeedPage> {
  const newest = (await list({ limit: 1 })).newest
  const width = filter.types !== '' ? TYPED_PLACES : filter.text !== '' ? BATCH_EVENTS : PAGE_EVENTS
  const events: GatewayEvent[] = []
  let end = upTo ?? newest
  for (let windows = 0; windows < MAX_WINDOWS && events.length < PAGE_EVENTS && end > 0; windows += 1) {
    const window = await readWindow(list, filter, { after: Math.max(0, end - width), end })
    events.push(...window.events.filter((event) => isMatch(event, filter.text)).reverse())
    end = window.isFirst ? 0 : Math.max(0, end - width)
  }
  return { events, older: end > 0 ? end : undefined, newest }
}

/** Reads the events after a place up to the end of a window, oldest first. */
async function readWindow(
  list: ListEvents,
  { types }: FeedFilter,
  { after, end }: { readonly after: number; readonly end: number },
): Promise<{ readonly events: readonly GatewayEvent[]; readonly isFirst: boolean }> {
  const events: GatewayEvent[] = []
  const query = { limit: Math.min(BATCH_EVENTS, end - after), ...(types !== '' && { types }) }
  // The place 0 may be before the oldest stored event, where a feed without `after` begins.
  let isFirst = after === 0
  let place: number | undefined = isFirst ? undefined : after
  for (;;) {
    const batch: EventBatch | undefined = await readBatch(list, {
      ...query,
      ...(place !== undefined && { after: place }),
    })
    if (batch === undefined) {
      // The oldest events were deleted: the window begins with those that are left.
      isFirst = true
      place = undefined
      events.length = 0
      continue
    }
    events.push(...batch.events.filter(({ sequence }) => sequence <= end))
    if (!batch.hasMore || batch.next >= end) return { events, isFirst }
    place = batch.next
  }
}

/** Reads one batch. Undefined if events after the place were deleted because of their age. */
async function readBatch(
  list: ListEvents,
  input: { after?: number; limit: number; types?: string },
): Promise<EventBatch | undefined> {
  try {
    return await list(input)
  } catch (error) {
    if (isMintmarkError(error) && error.reason === EVENTS_EXPIRED.reason && input.after !== undefined)
      return undefined
    throw error
  }
}

/** Reads all events after a place, oldest first. */
export async function readNewerEvents(
  list: ListEvents,
  { types }: FeedFilter,
  after: number,
): Promise<{ readonly events: readonly GatewayEvent[]; readonly next: number }> {
  const events: GatewayEvent[] = []
  let next = after
  for (;;) {
    const batch = await list({ after: next, limit: BATCH_EVENTS, ...(types !== '' && { types }) })
    events.push(...batch.events)
    next = batch.next
    if (!batch.hasMore) return { events, next }
  }
}

/** Whether an event has a text as its subject, its id, or a value of its record. */
export function isMatch({ id, subject, data }: GatewayEvent, text: string): boolean {
  if (text === '') return true
  const wanted = text.toLowerCase()
  return [id, subject, ...listScalars(data)].some((value) => value.toLowerCase() === wanted)
}

/** Lists the texts and numbers of a record, also those of records inside of it. */
function listScalars(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return value instanceof Object ? Object.values(value).flatMap(listScalars) : []
}
