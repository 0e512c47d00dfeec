import type { ListEvents } from '../../api/read-feed.ts'

/** What redelivering a range of the feed sends. */
export interface RangePreview {
  /** The number of events; those of other types included if `byType` is undefined. */
  readonly events: number
  /** The number of events by type. Undefined for a range that is too long to read. */
  readonly byType: ReadonlyMap<string, number> | undefined
}

/** A time range with types. */
export interface RangeQuery {
  /** ISO 8601. */
  readonly from: string
  /** ISO 8601, exclusive. */
  readonly to: string
  /** Types and patterns of the webhook; empty for all. */
  readonly types: readonly string[]
}

/** A range of more places is not read for its preview. */
const MAX_READ_PLACES = 20_000
const BATCH_EVENTS = 500

/**
 * Counts the stored events of a time range. Finds its ends in the feed by halving it, because the feed is in
 * the order of time.
 */
export async function previewRange(list: ListEvents, { from, to, types }: RangeQuery): Promise<RangePreview> {
  const { events, newest } = await list({ limit: 1 })
  const oldest = events[0]?.sequence ?? newest + 1
  const bounds = { oldest, newest }
  const first = await findFirst(list, bounds, from)
  const last = (await findFirst(list, bounds, to)) - 1
  const places = Math.max(0, last - first + 1)
  if (places > MAX_READ_PLACES) return { events: places, byType: undefined }
  const byType = await countByType(list, { after: first - 1, upTo: last, types })
  return { events: [...byType.values()].reduce((sum, count) => sum + count, 0), byType }
}

/** Finds the place of the first event at a time or later, or the place after the newest event. */
async function findFirst(
  list: ListEvents,
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
  time: string,
): Promise<number> {
  const wanted = Date.parse(time)
  let low = oldest
  let high = newest + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { events } = await list({ after: middle - 1, limit: 1 })
    const [event] = events
    if (event === undefined || Date.parse(event.time) >= wanted) high = middle
    else low = middle + 1
  }
  return low
}

async function countByType(
  list: ListEvents,
  {
    after,
    upTo,
    types,
  }: { readonly after: number; readonly upTo: number; readonly types: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const filter = types.length === 0 ? {} : { types: types.join(',') }
  let place = after
  while (place < upTo) {
    const batch = await list({ after: place, limit: BATCH_EVENTS, ...filter })
    const inRange = batch.events.filter(({ sequence }) => sequence <= upTo)
    for (const { type } of inRange) counts.set(type, (counts.get(type) ?? 0) + 1)
    if (!batch.hasMore) break
    place = batch.next
  }
  return counts
}
