import type { EventData } from '@mintmark/events'
import type { Selectable } from 'kysely'
import type { Tables } from './tables.ts'
import type { Tenant } from './tenant.ts'

/** An event before it is numbered. */
export type NewEvent = {
  [Type in keyof EventData]: {
    readonly type: Type
    /** What the event is about: a kind and an id, such as `order/123`. */
    readonly subject: string
    /** The record after the change, as the API returns it; for a removed record, before it. */
    readonly data: EventData[Type]
  }
}[keyof EventData]

type RowOf<Table extends keyof Tables> = Selectable<Tables[Table]>

/** A row that a committed transaction inserted, updated or deleted. */
export type RowChange<Row> =
  | { readonly before: undefined; readonly after: Row }
  | { readonly before: Row; readonly after: Row }
  | { readonly before: Row; readonly after: undefined }

/** What sources of events need apart from the changed row. */
export interface EventContext {
  /** The project of the row. Reads see other rows as they are now, perhaps after later changes. */
  readonly tenant: Tenant
  /** This server's public URL, without a trailing slash. */
  readonly publicUrl: string
}

/** Turns changes of a table's rows into events. The domain that owns the table has its source. */
export interface EventSource {
  /** The table's name without the schema. */
  readonly table: string
  toEvents(
    change: RowChange<never>,
    context: EventContext,
  ): readonly NewEvent[] | Promise<readonly NewEvent[]>
}

/** Defines the events of a table. */
export function eventSource<Table extends keyof Tables>(
  table: Table,
  toEvents: (
    change: RowChange<RowOf<Table>>,
    context: EventContext,
  ) => readonly NewEvent[] | Promise<readonly NewEvent[]>,
): EventSource {
  return { table: table.slice(table.indexOf('.') + 1), toEvents: toEvents as EventSource['toEvents'] }
}

/** Declares that changes of a table are no events. They are in the audit log only. */
export function withoutEvents(table: string): EventSource {
  return { table, toEvents: () => [] }
}

/** Whether a change records that a time of the row has passed. Nothing else of the row has changed then. */
export function isPassing(
  before: { readonly time_passed_at: Date | null } | undefined,
  after: { readonly time_passed_at: Date | null },
  time: Date | null,
): boolean {
  const passed = after.time_passed_at?.getTime()
  if (before === undefined || passed === undefined) return false
  return before.time_passed_at?.getTime() !== passed && time?.getTime() === passed
}
