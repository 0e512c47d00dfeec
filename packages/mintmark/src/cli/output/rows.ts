import type { Page } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import { toParts } from '../schema-parts.ts'

/** The records of a response, one of which is a line of the output. */
export interface Rows {
  readonly rows: readonly unknown[]
  /** Whether the response is a list, so that no rows mean an empty list. */
  readonly isList: boolean
  /** The page, if the response is one. */
  readonly page?: Page<unknown>
}

/**
 * Splits the data of a response into records: the items of a page or of a list, otherwise the data itself.
 */
export function toRows(operation: OperationShape, data: unknown): Rows {
  if (operation.paged) {
    // The client has compared the response with the operation's schema.
    const page = data as Page<unknown>
    return { rows: page.list, isList: true, page }
  }
  if (Array.isArray(data)) return { rows: data, isList: true }
  return { rows: data === undefined ? [] : [data], isList: false }
}

/** Lists the fields of an operation's records in the order of the schema. Empty if they are no objects. */
export function listColumns({ data, paged }: OperationShape): string[] {
  const { entries, item } = toParts(data)
  const record = paged ? entries?.list && toParts(entries.list).item : item
  const fields = record === undefined ? entries : toParts(record).entries
  return Object.keys(fields ?? {})
}

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lists the columns of rows: those of the schema, then those that only the response has. */
export function mergeColumns(columns: readonly string[], rows: readonly unknown[]): string[] {
  const merged = new Set(columns)
  for (const row of rows) {
    if (isRecord(row)) for (const name of Object.keys(row)) merged.add(name)
  }
  return [...merged]
}
