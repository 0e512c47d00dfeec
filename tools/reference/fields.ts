import type { Entries } from '@mintmark/envelope'
import type * as v from 'valibot'
import type { RecordOf } from './catalogue.ts'
import { code } from './markdown.ts'
import { needed, partsOf } from './schema-parts.ts'
import { type NameOf, wordsOf } from './schema-words.ts'

/** A field as a table shows it. */
export interface Field {
  /** With what it stands in: `phases[].price`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string
}

/** The object that a field holds, as it stands: not one that has a name. `list` where the field is a list of them. */
function inside(schema: v.GenericSchema, nameOf: NameOf): { entries: Entries; list: boolean } | undefined {
  const wanted = needed(schema)
  if (nameOf(wanted) !== undefined) return undefined
  const { entries, item, value } = partsOf(wanted)
  if (entries !== undefined) return { entries, list: false }
  const member = item ?? value
  const found = member && inside(member, nameOf)
  return found && { entries: found.entries, list: true }
}

/** The fields of entries, and after each what stands inside of it. `told` has the docstrings by `outer.inner`. */
export function fieldsOf(
  entries: Entries,
  told: Readonly<Record<string, string>>,
  nameOf: NameOf,
  outer: { readonly shown: string; readonly key: string } = { shown: '', key: '' },
): readonly Field[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const key = outer.key + name
    const field: Field = {
      name: outer.shown + name,
      type: wordsOf(schema, nameOf),
      required: partsOf(schema).wrapped === undefined,
      meaning: told[key] ?? '',
    }
    const found = inside(schema, nameOf)
    if (found === undefined) return [field]
    const within = { shown: `${field.name}${found.list ? '[]' : ''}.`, key: `${key}.` }
    return [field, ...fieldsOf(found.entries, told, nameOf, within)]
  })
}

/** The fields of a record, as rows: those that may be absent say so. */
export function answeredRows(fields: readonly Field[]): readonly (readonly string[])[] {
  return fields.map(({ name, type, required, meaning }) => [
    code(name),
    required ? type : `${type}, may be absent`,
    meaning,
  ])
}

/** A record's fields. */
export function fieldsOfRecord({ entries, fields }: RecordOf, nameOf: NameOf): readonly Field[] {
  return fieldsOf(entries, fields, nameOf)
}
