import type { GatewayEvent } from '@mintmark/events'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

type EventRow = Selectable<Tables['gateway.events']>

/** The version of the API whose records events have. */
const API_VERSION = '1'

export function toGatewayEvent(row: EventRow): GatewayEvent {
  return {
    id: `evt_${row.project_id}_${row.sequence}`,
    type: row.type,
    subject: row.subject,
    sequence: row.sequence,
    time: row.occurred_at.toISOString(),
    projectId: row.project_id,
    apiVersion: API_VERSION,
    data: row.data,
    // The source of the event wrote the data of its type.
  } as GatewayEvent
}

/**
 * The numbers of a project's oldest stored event and of its newest one. Without stored events, the oldest is
 * the next one.
 */
export interface FeedBounds {
  readonly oldest: number
  readonly newest: number
}

export async function findBounds(tenant: Tenant): Promise<FeedBounds> {
  const { rows } = await sql<FeedBounds>`
    select newest, dropped + 1 as oldest from gateway.event_counts
    where project_id = ${tenant.project}`.execute(tenant)
  return rows[0] ?? { oldest: 1, newest: 0 }
}

/** The most bytes that the data of one event has. The limits of records are far below it. */
export const MAX_EVENT_BYTES = 4_194_304

/** The most bytes that the data of one response has, apart from its last event. */
export const BATCH_BYTES = 4_000_000

/** How many events one read searches, so that it never reads the whole feed for a rare type. */
const SCANNED_EVENTS = 10_000

export interface FeedQuery {
  /** Only events with larger numbers. Undefined: from the oldest stored event on. */
  readonly after: number | undefined
  /** Undefined: all types. */
  readonly types: readonly string[] | undefined
  readonly limit: number
  /** The most bytes that the data of all events has, apart from the last one. */
  readonly maxBytes: number
}

/** Events of the feed, with the bounds of the feed at the same moment. */
export interface FeedPart extends FeedBounds {
  /** The place before the first event. */
  readonly after: number
  /** The place up to which the part has all events of the query. */
  readonly next: number
  readonly rows: EventRow[]
}

type BoundsRow = FeedBounds & { readonly after: number }
type FoundRow = EventRow & { readonly found: number }

/**
 * Lists events of the feed, oldest first: at most `limit`, and fewer if their data is large, but always the
 * first one. One statement reads events and bounds, so that events that are deleted at the same time are not
 * skipped. If `after` is smaller than `oldest - 1`, events are missing.
 */
export async function listEventsAfter(
  tenant: Tenant,
  { after, types, limit, maxBytes }: FeedQuery,
): Promise<FeedPart> {
  const ofTypes = types === undefined ? sql`` : sql`and type = any (${types})`
  const { rows } = await sql<BoundsRow & (FoundRow | { [Name in keyof FoundRow]: null })>`
    with bounds as (
      select newest, dropped + 1 as oldest from gateway.event_counts where project_id = ${tenant.project}
    ), place as (
      select newest, oldest, coalesce(${after ?? null}::bigint, oldest - 1) as after from bounds
    ), found as (
      select * from gateway.events
      where project_id = ${tenant.project} and sequence > (select after from place)
        and sequence <= (select after from place) + ${SCANNED_EVENTS}::bigint ${ofTypes}
      order by sequence limit ${limit}
    ), measured as (
      select *, count(*) over () as found,
        sum(data_bytes) over (order by sequence) - data_bytes as bytes_before
      from found)
    select p.newest, p.oldest, p.after, m.* from place p
    left join measured m on m.bytes_before < ${maxBytes} order by m.sequence`.execute(tenant)
  // A project without a row has no events yet.
  const { newest, oldest, after: place } = rows[0] ?? { newest: 0, oldest: 1, after: after ?? 0 }
  const listed = rows.filter((row): row is BoundsRow & FoundRow => row.sequence !== null)
  const found = listed[0]?.found ?? 0
  const isComplete = found < limit && listed.length === found
  const next = isComplete ? Math.min(newest, place + SCANNED_EVENTS) : (listed.at(-1)?.sequence ?? place)
  return { newest, oldest, after: place, next, rows: listed }
}
