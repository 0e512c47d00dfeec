import type { Entries } from '@mintmark/envelope'
import * as envelope from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import { UsageError } from './errors.ts'
import { toKebabCase } from './names.ts'
import { findNumber, listNumberNames, replaceNumberNames } from './output/named-numbers.ts'
import { isRequired, listLimits, toParts, toRequired } from './schema-parts.ts'
import { normalizeName, suggestName } from './similar-names.ts'

/** How the text of a flag or of a cell becomes a value. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'json'

/** A field of an operation's input. */
export interface InputField {
  readonly name: string
  /** Such as `--nft-address`. */
  readonly flag: string
  readonly kind: FieldKind
  readonly schema: v.GenericSchema
  readonly required: boolean
  /** What the help shows for a value, such as `<time>`. */
  readonly placeholder: string
  /** The values of a choice. */
  readonly choices: readonly unknown[]
  readonly limits: readonly string[]
}

/** Placeholders for the schemas that all packages share. */
const PLACEHOLDERS = new Map<v.GenericSchema, string>([
  [envelope.Timestamp, 'time'],
  [envelope.Integer, 'integer'],
  [envelope.Positive, 'integer'],
  [envelope.Address, 'address'],
  [envelope.Amount, 'amount'],
  [envelope.Hash, 'hash'],
])

/** Limits that the placeholder states already. */
const KNOWN_LIMITS =
  /^(?:text that is not empty|ISO 8601 date-time|integer(?: from 1)?$|address|amount|0x and)/

function getKind(schema: v.GenericSchema): FieldKind {
  const { type, item } = toParts(schema)
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'boolean') return type
  if (type === 'picklist') return 'choice'
  // A list of texts is a flag that can be repeated. A list of objects is JSON.
  if (type === 'array' && item !== undefined && getKind(item) === 'text') return 'list'
  return 'json'
}

function getPlaceholder(schema: v.GenericSchema, kind: FieldKind): string {
  const shared = PLACEHOLDERS.get(toRequired(schema))
  if (shared !== undefined) return `<${shared}>`
  if (kind === 'boolean') return '[true|false]'
  if (kind === 'choice') return '<value>'
  return kind === 'list' ? '<text>' : `<${kind}>`
}

/** Lists the fields of entries, those that are required first. */
export function listFields(entries: Entries): InputField[] {
  const fields = Object.entries(entries).map(([name, schema]): InputField => {
    const kind = getKind(schema)
    return {
      name,
      flag: `--${toKebabCase(name)}`,
      kind,
      schema,
      required: isRequired(schema),
      placeholder: getPlaceholder(schema, kind),
      choices: toParts(schema).options ?? [],
      limits: listLimits(schema).filter((limit) => !KNOWN_LIMITS.test(limit)),
    }
  })
  return fields.sort((a, b) => Number(b.required) - Number(a.required))
}

/** Lists the fields of an operation's input, those that are required first. */
export function listInputFields({ params, query, body }: OperationShape): InputField[] {
  return listFields({ ...params, ...query, ...body })
}

/**
 * A date-time without a time zone, which servers read as UTC. A person who types one usually means a local
 * time.
 */
const ZONELESS_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/**
 * Throws a UsageError for a time without a time zone, also inside a list or a record.
 *
 * @param path Where the value is inside the field, such as `0.startTime`.
 */
export function checkTimeZones(schema: v.GenericSchema, value: unknown, name: string, path = ''): void {
  if (typeof value === 'string') {
    if (toRequired(schema) !== envelope.Timestamp || !ZONELESS_TIME.test(value)) return
    const place = path === '' ? name : `${name} (${path})`
    throw new UsageError(`${place}: ${value} has no time zone. Append Z for UTC, or an offset such as +02:00`)
  }
  if (typeof value !== 'object' || value === null) return
  const { item, entries } = toParts(schema)
  for (const [key, each] of Object.entries(value)) {
    const part = item ?? entries?.[key]
    if (part !== undefined) checkTimeZones(part, each, name, path === '' ? key : `${path}.${key}`)
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${name}: Expected JSON. Put it in single quotes, or pass it with --input`)
  }
}

/**
 * Converts a text to the value of a field.
 *
 * @param name Is named in errors: the flag or the column.
 */
export function parseFieldText(field: InputField, text: string, name = field.flag): unknown {
  switch (field.kind) {
    case 'number': {
      const named = findNumber(field.name, text)
      if (named !== undefined) return named
      const names = listNumberNames(field.name)
      if (!NUMBER.test(text.trim()) && names.length > 0)
        throw new UsageError(
          `${name}: Expected ${names.join(', ')}, received "${text}"${suggestName(text, names)}`,
        )
      if (!NUMBER.test(text.trim())) throw new UsageError(`${name}: Expected a number, received "${text}"`)
      return Number(text)
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false')
        throw new UsageError(`${name}: Expected true or false, received "${text}"`)
      return text === 'true'
    case 'choice': {
      const choice =
        field.choices.find((each) => String(each) === text) ??
        field.choices.find((each) => normalizeName(String(each)) === normalizeName(text))
      if (choice === undefined)
        throw new UsageError(`${name}: Expected ${field.choices.join(', ')}, received "${text}"`)
      return choice
    }
    case 'json': {
      const value = replaceNumberNames(parseJson(text, name), field.name)
      checkTimeZones(field.schema, value, name)
      return value
    }
    default:
      checkTimeZones(field.schema, text, name)
      return text
  }
}
