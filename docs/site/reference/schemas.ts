import * as envelope from '@mintmark/envelope'
import type * as v from 'valibot'
import { code, table } from './markdown.ts'

/** The parts of a valibot schema that our operations use. */
interface SchemaParts {
  readonly type: string
  /** Of an optional schema. */
  readonly wrapped?: v.GenericSchema
  /** Of a list. */
  readonly item?: v.GenericSchema
  /** Of a record by key. */
  readonly value?: v.GenericSchema
  readonly entries?: envelope.Entries
  readonly options?: readonly unknown[]
  /** The schema that a pipe begins with, and its actions. */
  readonly pipe?: readonly v.GenericSchema[]
  readonly message?: unknown
}

export function partsOf(schema: v.GenericSchema): SchemaParts {
  // The generic type does not declare the parts; every schema of valibot has them as fields.
  return schema as unknown as SchemaParts
}

/** The schema inside `optional`. */
export function required(schema: v.GenericSchema): v.GenericSchema {
  const { wrapped } = partsOf(schema)
  return wrapped === undefined ? schema : required(wrapped)
}

export function isOptional(schema: v.GenericSchema): boolean {
  return partsOf(schema).wrapped !== undefined
}

/** The words for the schemas that all packages share; the reference's first page explains them. */
const SHARED = new Map<v.GenericSchema, string>([
  [envelope.Timestamp, '`timestamp`'],
  [envelope.Integer, '`integer`'],
  [envelope.Positive, '`integer` from 1'],
  [envelope.Text, '`string`, not empty'],
  [envelope.Address, '`address`'],
  [envelope.Amount, '`amount`'],
  [envelope.Hash, '`hash`'],
  [envelope.Empty, 'an empty object'],
])

const PLAIN: Readonly<Record<string, string>> = {
  string: '`string`',
  number: '`number`',
  boolean: '`boolean`',
  object: 'object',
  loose_object: 'object',
  strict_object: 'object',
  unknown: 'any value',
}

/** The limit that an action of a pipe checks: our messages begin with "Expected". */
function limitOf(action: v.GenericSchema): string | undefined {
  const { message } = partsOf(action)
  return typeof message === 'string' ? message.replace(/^Expected (?:an integer )?/, '') : undefined
}

/**
 * Returns Markdown for a schema with a name of its own: a link to a record, or to an operation with the same
 * body.
 */
export type NameOf = (schema: v.GenericSchema) => string | undefined

/** Describes a schema's type and limits in Markdown. */
export function describeSchema(schema: v.GenericSchema, nameOf: NameOf): string {
  const inner = required(schema)
  const name = nameOf(inner) ?? SHARED.get(inner)
  if (name !== undefined) return name
  const { type, item, value, options, pipe } = partsOf(inner)
  const [base, ...actions] = pipe ?? []
  if (base !== undefined) {
    const limits = actions.map(limitOf).filter((limit) => limit !== undefined)
    const isInteger = actions.some((action) => partsOf(action).type === 'integer')
    const kind = isInteger ? '`integer`' : describeSchema(base, nameOf)
    // A limit replaces those of the schema before it.
    const bare = limits.length > 0 ? kind.replace(/ from .*|, not empty$/, '') : kind
    return [bare, ...limits].join(', ').replaceAll(', from ', ' from ')
  }
  if (item !== undefined) return `list of ${describeSchema(item, nameOf)}`
  if (value !== undefined) return `object of ${describeSchema(value, nameOf)} by name`
  if (options !== undefined) {
    return options.map((each) => code(typeof each === 'string' ? `'${each}'` : String(each))).join(', ')
  }
  const plain = PLAIN[type]
  if (plain === undefined) throw new Error(`The reference has no word for a schema of type ${type}`)
  return plain
}

/** A field as a table shows it. */
export interface Field {
  /** With the names of the fields around it: `phases[].price`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string
}

/** The entries of an unnamed object in a field, or in a list in a field. */
function entriesInside(
  schema: v.GenericSchema,
  nameOf: NameOf,
): { entries: envelope.Entries; list: boolean } | undefined {
  const inner = required(schema)
  if (nameOf(inner) !== undefined) return undefined
  const { entries, item, value } = partsOf(inner)
  if (entries !== undefined) return { entries, list: false }
  const member = item ?? value
  const found = member && entriesInside(member, nameOf)
  return found && { entries: found.entries, list: true }
}

/**
 * The fields of entries, each followed by the fields inside it. `docs` has the docstrings by `outer.inner`.
 */
export function fieldsOf(
  entries: envelope.Entries,
  docs: Readonly<Record<string, string>>,
  nameOf: NameOf,
  outer: { readonly shown: string; readonly key: string } = { shown: '', key: '' },
): readonly Field[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const key = outer.key + name
    const field: Field = {
      name: outer.shown + name,
      type: describeSchema(schema, nameOf),
      required: !isOptional(schema),
      meaning: docs[key] ?? '',
    }
    const found = entriesInside(schema, nameOf)
    if (found === undefined) return [field]
    const inner = { shown: `${field.name}${found.list ? '[]' : ''}.`, key: `${key}.` }
    return [field, ...fieldsOf(found.entries, docs, nameOf, inner)]
  })
}

/** The table of an answer's fields. */
export function answerTable(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, required, meaning }) => [
    code(name),
    required ? type : `${type}, may be absent`,
    meaning,
  ])
  return table(['field', 'type', 'meaning'], rows)
}
