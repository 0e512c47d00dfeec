import { posix } from 'node:path'
import type { OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import type { Catalogue, Group, RecordOf } from './catalogue.ts'
import { code, slugOf } from './markdown.ts'
import { type NameOf, partsOf, required } from './schemas.ts'

/** The page of records that several groups return. */
export const SHARED_RECORDS = 'records.md'

/** A group's page, below `docs/reference`. */
export function pageOf({ packageName, name }: Group): string {
  return `${packageName}/${name}.md`
}

/** A link from one page to a heading of another, or of its own; both are relative to `docs/reference`. */
export function linkTo(from: string, to: string, heading: string): string {
  const anchor = `#${slugOf(heading)}`
  return from === to ? anchor : `${posix.relative(posix.dirname(from), to)}${anchor}`
}

/** The records in an answer, outermost first. */
function recordsIn(
  schema: v.GenericSchema,
  recordOf: Catalogue['recordOf'],
  found: Set<RecordOf> = new Set(),
): ReadonlySet<RecordOf> {
  const inner = required(schema)
  const record = recordOf(inner)
  if (record !== undefined && found.has(record)) return found
  if (record !== undefined) found.add(record)
  const { entries, item, value } = partsOf(inner)
  for (const part of [...Object.values(entries ?? {}), item, value]) {
    if (part !== undefined) recordsIn(part, recordOf, found)
  }
  return found
}

/** Assigns each record to the page of the only group that returns it, or to the shared page. */
export function placeRecords(catalogue: Catalogue): ReadonlyMap<string, readonly RecordOf[]> {
  const pages = new Map<RecordOf, Set<string>>()
  for (const group of catalogue.groups) {
    for (const { shape } of group.operations) {
      for (const record of recordsIn(shape.data, catalogue.recordOf)) {
        pages.set(record, (pages.get(record) ?? new Set()).add(pageOf(group)))
      }
    }
  }
  const placed = new Map<string, RecordOf[]>()
  for (const [record, [first = SHARED_RECORDS, ...others]] of pages) {
    const page = others.length === 0 ? first : SHARED_RECORDS
    placed.set(page, [...(placed.get(page) ?? []), record])
  }
  return placed
}

/** Names records by links to their section, and bodies that another operation of the group has by that operation. */
export function namesOn(
  page: string,
  catalogue: Catalogue,
  placed: ReadonlyMap<string, readonly RecordOf[]>,
  bodies: readonly OperationShape[] = [],
): NameOf {
  return (schema) => {
    const record = catalogue.recordOf(schema)
    if (record !== undefined) {
      const [where = SHARED_RECORDS] = [...placed].find(([, records]) => records.includes(record)) ?? []
      return `[${record.name}](${linkTo(page, where, record.name)})`
    }
    const { entries } = partsOf(schema)
    const same = entries && bodies.find(({ body }) => body === entries)
    return same && `the body of [${code(same.id)}](${linkTo(page, page, same.id)})`
  }
}
