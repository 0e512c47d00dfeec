import { Address, Amount, type Entries, Hash, type Issue, type Schema, Timestamp } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import type { TextFormat } from './field-formats.ts'

/** What one input field accepts besides its type. All that are declared apply. */
export interface FieldLimit {
  /** Characters (Unicode code points) of a text, or of each text of an array. */
  readonly characters?: number
  /** Items of an array. */
  readonly items?: number
  /** Bytes of the value as JSON in UTF-8, without the quotes around a text. */
  readonly bytes?: number
  /** The smallest number. */
  readonly min?: number
  /** The largest number. */
  readonly max?: number
  /** Whether a number must be an integer that a double represents exactly. */
  readonly integer?: boolean
  /** The only texts that are accepted. */
  readonly oneOf?: readonly string[]
  /** Whether an open object may also be an array. The handler then reports arrays itself. False by default. */
  readonly acceptsArray?: boolean
  /** How a text, or each text of an array, is written and stored. It is applied after the other limits: see `withFormats`. */
  readonly format?: TextFormat
}

/**
 * Limits by field. A nested field has its path, such as `cards[].name`; without an entry for the path, the entry of the last name counts
 * (`name`), so that one entry serves every operation of a group. An entry for one operation alone has the operation's id before the path:
 * `cards.list/pageSize`.
 */
export type FieldLimits = Readonly<Record<string, FieldLimit>>

/** A character takes at most this many bytes in UTF-8; a text of escaped control characters must not take more either. */
export const MAX_BYTES_PER_CHARACTER = 4

/** The bounds of a field that declares none. */
export const DEFAULT_FIELD_LIMIT = { characters: 4000, items: 1000, bytes: 65_536 } as const

/** The page query's own texts. */
const PAGE_LIMITS: FieldLimits = { orderBy: { characters: 200 }, cursor: { bytes: 8192 } }

/** Scalars whose schema bounds their length. ISO date-times may have any number of fraction digits, so that they have a limit. */
const SCALAR_LIMITS = new Map<unknown, FieldLimit>([
  [Timestamp, { characters: 64 }],
  [Amount, { characters: 78 }],
  [Address, { characters: 42 }],
  [Hash, { characters: 66 }],
])

/** What is used of a valibot schema. */
interface Inner {
  readonly type: string
  readonly wrapped?: Inner
  readonly pipe?: readonly Inner[]
  readonly item?: Inner
  readonly entries?: Readonly<Record<string, Inner>>
  readonly options?: readonly Inner[]
}

/** The first limit that a value exceeds, with the path of the value. */
type Check = (value: unknown, path: string) => Issue | undefined

/** A text, an array, an open object or a limited number of an operation's input, with its limit. */
export interface LimitedField {
  /** Such as `cards[].name`. */
  readonly path: string
  readonly kind: 'text' | 'array' | 'object' | 'number'
  readonly limit: FieldLimit
  /** False where the table has no limit for it, so that it has `DEFAULT_FIELD_LIMIT`. */
  readonly declared: boolean
}

/** Builds the checks of a table, and collects the fields that they are for. */
interface Builder {
  readonly limits: FieldLimits
  readonly fields: LimitedField[]
}

/** Types that hold neither a text nor a list of any length. */
const BOUNDED_TYPES = new Set([
  'number',
  'boolean',
  'literal',
  'picklist',
  'enum',
  'null',
  'undefined',
  'never',
])

function buildCheck(schema: Inner, path: string, builder: Builder): Check | undefined {
  let outer = schema
  while (outer.wrapped) outer = outer.wrapped
  const core = outer.pipe?.[0] ?? outer
  const declared = mergeLimits(SCALAR_LIMITS.get(outer), findLimit(path, builder.limits))
  const { item, entries, options } = core
  if (options !== undefined && core.type !== 'picklist' && core.type !== 'enum') {
    return firstOf(options.map((option) => buildCheck(option, path, builder)))
  }
  if (core.type === 'string') return textCheck(noteField('text', path, declared, builder))
  if (core.type === 'array' && item) {
    const fits = declared?.items === undefined ? undefined : declared
    const limit = noteField('array', path, fits, builder)
    const itemCheck = buildCheck(item, `${path}[]`, { ...builder, limits: itemLimits(path, fits, builder) })
    return firstOf([arrayCheck(limit), bytesCheck(limit.bytes), itemCheck && eachItem(itemCheck)])
  }
  if (entries !== undefined && Object.keys(entries).length > 0) {
    return firstOf([bytesCheck(declared?.bytes), entriesCheck(entries, `${path}.`, builder)])
  }
  if (BOUNDED_TYPES.has(core.type)) {
    if (declared?.max === undefined && declared?.min === undefined) return undefined
    const integer = declared.integer ?? isInteger(outer)
    return rangeCheck(noteField('number', path, { ...declared, integer }, builder))
  }
  // Only the size of an open object can be limited. Its schema accepts arrays too.
  const fits = declared?.bytes === undefined ? undefined : declared
  const shapeCheck = declared?.acceptsArray ? undefined : objectCheck
  return firstOf([shapeCheck, bytesCheck(noteField('object', path, fits, builder).bytes)])
}

function noteField(
  kind: LimitedField['kind'],
  path: string,
  declared: FieldLimit | undefined,
  { fields }: Builder,
): FieldLimit {
  const limit = declared ?? DEFAULT_FIELD_LIMIT
  fields.push({ path, kind, limit, declared: declared !== undefined })
  return limit
}

function findLimit(path: string, limits: FieldLimits): FieldLimit | undefined {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return limits[path] ?? limits[name] ?? PAGE_LIMITS[name]
}

function mergeLimits(
  scalar: FieldLimit | undefined,
  declared: FieldLimit | undefined,
): FieldLimit | undefined {
  return scalar === undefined || declared === undefined ? (declared ?? scalar) : { ...scalar, ...declared }
}

/** The texts of an array have the characters and the format of the array's own limit. */
function itemLimits(path: string, limit: FieldLimit | undefined, { limits }: Builder): FieldLimits {
  if (limit?.characters === undefined) return limits
  const { characters, format } = limit
  return { ...limits, [`${path}[]`]: { characters, ...(format !== undefined && { format }) } }
}

/** Whether a number's schema accepts integers only. */
function isInteger({ pipe = [] }: Inner): boolean {
  return pipe.some((part) => part.type === 'safe_integer' || isInteger(part))
}

function entriesCheck(
  entries: Readonly<Record<string, Inner>>,
  prefix: string,
  builder: Builder,
): Check | undefined {
  const checks: [name: string, check: Check][] = []
  for (const [name, schema] of Object.entries(entries)) {
    const check = buildCheck(schema, `${prefix}${name}`, builder)
    if (check !== undefined) checks.push([name, check])
  }
  if (checks.length === 0) return undefined
  return (value, path) => {
    if (typeof value !== 'object' || value === null) return undefined
    for (const [name, check] of checks) {
      const issue = check(Reflect.get(value, name), path === '' ? name : `${path}.${name}`)
      if (issue !== undefined) return issue
    }
    return undefined
  }
}

function eachItem(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return undefined
    for (const [index, item] of value.entries()) {
      const issue = check(item, `${path}.${index}`)
      if (issue !== undefined) return issue
    }
    return undefined
  }
}

function firstOf(checks: readonly (Check | undefined)[]): Check | undefined {
  const declared = checks.filter((check) => check !== undefined)
  if (declared.length < 2) return declared[0]
  return (value, path) => {
    for (const check of declared) {
      const issue = check(value, path)
      if (issue !== undefined) return issue
    }
    return undefined
  }
}

function textCheck({ characters, bytes, oneOf }: FieldLimit): Check | undefined {
  return firstOf([
    characters === undefined ? undefined : charactersCheck(characters),
    bytesCheck(bytes),
    oneOf === undefined ? undefined : oneOfCheck(oneOf),
  ])
}

function oneOfCheck(texts: readonly string[]): Check {
  const message = `Expected ${texts.length === 2 ? texts.join(' or ') : `one of ${texts.join(', ')}`}`
  return (value, path) =>
    typeof value === 'string' && !texts.includes(value) ? { path, message } : undefined
}

function charactersCheck(most: number): Check {
  const mostBytes = most * MAX_BYTES_PER_CHARACTER
  return (value, path) => {
    // JSON writes a code unit as six bytes at most, so that most texts need no counting.
    if (typeof value !== 'string' || value.length * 6 <= mostBytes) return undefined
    // A code point has at most two code units.
    const tooLong = value.length > most && (value.length > most * 2 || [...value].length > most)
    if (tooLong) return { path, message: `Expected at most ${most} characters` }
    if (jsonBytes(value) <= mostBytes) return undefined
    return { path, message: `Expected at most ${most} characters and ${mostBytes} bytes of JSON` }
  }
}

function bytesCheck(most: number | undefined): Check | undefined {
  if (most === undefined) return undefined
  return (value, path) => {
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.length * 6 <= most) return undefined
    if (jsonBytes(value) <= most) return undefined
    return { path, message: `Expected at most ${most} bytes${typeof value === 'string' ? '' : ' of JSON'}` }
  }
}

function objectCheck(value: unknown, path: string): Issue | undefined {
  return Array.isArray(value) ? { path, message: 'Expected an object, received an array' } : undefined
}

function arrayCheck({ items }: FieldLimit): Check | undefined {
  if (items === undefined) return undefined
  return (value, path) =>
    Array.isArray(value) && value.length > items
      ? { path, message: `Expected at most ${items} items` }
      : undefined
}

function rangeCheck({ min, max, integer }: FieldLimit): Check {
  const kind = integer ? 'an integer' : 'a number'
  const range = [min === undefined ? '' : ` from ${min}`, max === undefined ? '' : ` to ${max}`].join('')
  const message = min === undefined ? `Expected at most ${max}` : `Expected ${kind}${range}`
  return (value, path) => {
    if (typeof value !== 'number') return undefined
    const isInRange = (min === undefined || value >= min) && (max === undefined || value <= max)
    const isWhole = !integer || Number.isSafeInteger(value)
    return isInRange && isWhole ? undefined : { path, message }
  }
}

/** Bytes of a value as JSON, without the quotes around a text. */
function jsonBytes(value: unknown): number {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return typeof value === 'string' ? bytes - 2 : bytes
}

/** The table of one operation: its own entries replace the others. */
function limitsOf({ id }: OperationShape, limits: FieldLimits): FieldLimits {
  const prefix = `${id}/`
  const own = Object.entries(limits).filter(([path]) => path.startsWith(prefix))
  return { ...limits, ...Object.fromEntries(own.map(([path, limit]) => [path.slice(prefix.length), limit])) }
}

function entriesOf({ params, query, body }: OperationShape): Entries {
  return { ...params, ...query, ...body }
}

/** Makes the check of an operation's input; it answers the first field that exceeds its limit. */
export function limitCheck(
  operation: OperationShape,
  limits: FieldLimits = {},
): (input: Record<string, unknown>) => Issue | undefined {
  const check = entriesCheck(innerOf(entriesOf(operation)), '', {
    limits: limitsOf(operation, limits),
    fields: [],
  })
  return (input) => check?.(input, '')
}

/** Lists the texts, arrays and open objects of an operation's input with their limits: for tests and documents. */
export function listLimitedFields(
  operation: OperationShape,
  limits: FieldLimits = {},
): readonly LimitedField[] {
  const fields: LimitedField[] = []
  entriesCheck(innerOf(entriesOf(operation)), '', { limits: limitsOf(operation, limits), fields })
  return fields
}

// valibot's generic types hide what a schema is made of.
function innerOf(entries: Record<string, Schema<unknown>>): Readonly<Record<string, Inner>> {
  return entries as unknown as Readonly<Record<string, Inner>>
}
