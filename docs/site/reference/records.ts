import type { OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import type { Catalog, Group, RecordOf } from './catalog.ts'
import { code, slugOf } from './markdown.ts'
import { type NameOf, partsOf, required } from './schemas.ts'

/** The page of records that several groups return. */
export const SHARED_RECORDS = 'records.md'

/** A group's page, below `docs/reference`. */
export function pageOf({ packageName, name }: Group): string {
  return `${packageName}/${name}.md`
}

/** Adds the records in an answer, outermost first. */
function collectRecords(schema: v.GenericSchema, recordOf: Catalog['recordOf'], found: Set<RecordOf>): void {
  const inner = required(schema)
  const record = recordOf(inner)
  if (record !== undefined && found.has(record)) return
  if (record !== undefined) found.add(record)
  const { entries, item, value } = partsOf(inner)
  for (const part of [...Object.values(entries ?? {}), item, value]) {
    if (part !== undefined) collectRecords(part, recordOf, found)
  }
}

/** Assigns each record to the page of the only group that returns it, or to the shared page. */
export function placeRecords({ groups, recordOf }: Catalog): ReadonlyMap<string, readonly RecordOf[]> {
  const pages = new Map<RecordOf, string>()
  for (const group of groups) {
    const returned = new Set<RecordOf>()
    for (const { shape } of group.operations) collectRecords(shape.data, recordOf, returned)
    for (const record of returned) pages.set(record, pages.has(record) ? SHARED_RECORDS : pageOf(group))
  }
  return new Map(
    [...Map.groupBy(pages, ([, page]) => page)].map(([page, placed]) => [
      page,
      placed.map(([record]) => record),
    ]),
  )
}

/**
 * Names records by links to their section, and bodies that another operation of the group has by that
 * operation.
 */
export function namesOn(
  page: string,
  { recordOf }: Catalog,
  own: readonly RecordOf[],
  bodies: readonly OperationShape[] = [],
): NameOf {
  // A record of one group is on its page, so other records are shared.
  const shared = page === SHARED_RECORDS ? '' : `../${SHARED_RECORDS}`
  return (schema) => {
    const record = recordOf(schema)
    if (record !== undefined)
      return `[${record.name}](${own.includes(record) ? '' : shared}#${slugOf(record.name)})`
    const { entries } = partsOf(schema)
    const same = entries && bodies.find(({ body }) => body === entries)
    return same && `the body of [${code(same.id)}](#${slugOf(same.id)})`
  }
}
