import { posix } from 'node:path'
import type { OperationShape } from '@mintmark/transport/operation'
import type * as v from 'valibot'
import { slugOf } from '../links/headings.ts'
import type { Catalogue, Group, RecordOf } from './catalogue.ts'
import { code } from './markdown.ts'
import { needed, partsOf } from './schema-parts.ts'
import type { NameOf } from './schema-words.ts'

/** The page of records that several groups answer. */
export const SHARED_RECORDS = 'records.md'

/** A group's page, below `docs/reference`. */
export function pageOf({ packageName, name }: Group): string {
  return `${packageName}/${name}.md`
}

/** A link from one page to a heading of another, or of its own; both are named from `docs/reference` on. */
export function linkTo(from: string, to: string, heading: string): string {
  const anchor = `#${slugOf(heading)}`
  return from === to ? anchor : `${posix.relative(posix.dirname(from), to)}${anchor}`
}

/** The records that an answer holds, outermost first. */
function recordsIn(
  schema: v.GenericSchema,
  recordOf: Catalogue['recordOf'],
  found: Set<RecordOf> = new Set(),
): ReadonlySet<RecordOf> {
  const wanted = needed(schema)
  const record = recordOf(wanted)
  if (record !== undefined && found.has(record)) return found
  if (record !== undefined) found.add(record)
  const { entries, item, value } = partsOf(wanted)
  for (const part of [...Object.values(entries ?? {}), item, value]) {
    if (part !== undefined) recordsIn(part, recordOf, found)
  }
  return found
}

/** Which records stand on which page, each once: on the page of the one group that answers it, or on the shared page. */
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

/** Names records by links to where they stand, and bodies that another operation of the group takes by that operation. */
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
    return same && `what [${code(same.id)}](${linkTo(page, page, same.id)}) takes`
  }
}
