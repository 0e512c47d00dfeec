import type { GatewayEvent } from '@mintmark/events'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { Tenant } from '../../tenant.ts'

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

/** The numbers of a project's oldest stored event and of its newest one. Without stored events, the oldest is the next one. */
export interface FeedBounds {
  readonly oldest: number
  readonly newest: number
}

export async function findBounds(tenant: Tenant): Promise<FeedBounds> {
  const { rows } = await sql<FeedBounds>`
    select c.newest, coalesce(
      (select e.sequence from gateway.events e where e.project_id = c.project_id order by e.sequence limit 1),
      c.newest + 1) as oldest
    from gateway.event_counts c where c.project_id = ${tenant.project}`.execute(tenant)
  return rows[0] ?? { oldest: 1, newest: 0 }
}

export interface FeedQuery {
  /** Only events with larger numbers. */
  readonly after: number
  /** Only events up to this number. */
  readonly upTo: number
  /** Undefined: all types. */
  readonly types: readonly string[] | undefined
  readonly limit: number
}

/** The most bytes that the data of one event has. The limits of records are far below it. */
export const MAX_EVENT_BYTES = 4_194_304

/** The most bytes that the data of a batch has, apart from its last event. */
export const BATCH_BYTES = 4_000_000

/** Lists events of the feed, oldest first: at most `limit`, and fewer if their data is large, but always the first one. */
export async function listEvents(
  tenant: Tenant,
  { after, upTo, types, limit }: FeedQuery,
): Promise<{ rows: EventRow[]; isComplete: boolean }> {
  const ofTypes = types === undefined ? sql`` : sql`and type = any (${types})`
  const { rows } = await sql<EventRow & { found: number }>`
    with found as (
      select * from gateway.events
      where project_id = ${tenant.project} and sequence > ${after} and sequence <= ${upTo} ${ofTypes}
      order by sequence limit ${limit}
    ), measured as (
      select *, count(*) over () as found,
        sum(octet_length(data::text)) over (order by sequence) - octet_length(data::text) as bytes_before
      from found)
    select * from measured where bytes_before < ${BATCH_BYTES} order by sequence`.execute(tenant)
  const found = rows[0]?.found ?? 0
  return { rows, isComplete: found < limit && rows.length === found }
}
