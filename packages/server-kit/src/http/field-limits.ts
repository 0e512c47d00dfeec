import { Address, Amount, type Entries, Hash, type Issue, type Schema, Timestamp } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import type { TextFormat } from './field-formats.ts'

/** Limits of one input field, in addition to its type. All declared limits apply. */
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
  /**
   * Whether an open object may also be an array. The handler then rejects arrays itself. False by default.
   */
  readonly acceptsArray?: boolean
  /** The format of a text, or of each text of an array. Applied after the other limits: see `withFormats`. */
  readonly format?: TextFormat
}

/**
 * Limits by field. A nested field has its path, such as `cards[].name`; without an entry for the path, the
 * entry of the last name applies (`name`), so that one entry serves every operation of a group. An entry for
 * a single operation has the operation's id before the path: `cards.list/pageSize`.
 */
export type FieldLimits = Readonly<Record<string, FieldLimit>>

/**
 * A character has at most this many bytes in UTF-8. Applies to JSON too, where an escaped control character
 * has six.
 */
export const MAX_BYTES_PER_CHARACTER = 4

/** The limit of a field without a declared limit. */
export const DEFAULT_FIELD_LIMIT = { characters: 4000, items: 1000, bytes: 65_536 } as const

/** Limits of the texts of every page query. */
const PAGE_LIMITS: FieldLimits = { orderBy: { characters: 200 }, cursor: { bytes: 8192 } }

/**
 * Limits of the scalars. The schemas bound all lengths except a timestamp's: its fraction may have any number
 * of digits.
 */
const SCALAR_LIMITS = new Map<unknown, FieldLimit>([
  [Timestamp, { characters: 64 }],
  [Amount, { characters: 78 }],
  [Address, { characters: 42 }],
  [Hash, { characters: 66 }],
])

/** The part of a valibot schema that is used here. */
interface SchemaNode {
  readonly type: string
  readonly wrapped?: SchemaNode
  readonly pipe?: readonly SchemaNode[]
  readonly item?: SchemaNode
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly options?: readonly SchemaNode[]
}

/** Returns the first limit that a value exceeds, with the path of the value. */
type Check = (value: unknown, path: string) => Issue | undefined

/** A text, an array, an open object or a limited number of an operation's input, with its limit. */
export interface LimitedField {
  /** For example `cards[].name`. */
  readonly path: string
  readonly kind: 'text' | 'array' | 'object' | 'number'
  readonly limit: FieldLimit
  /** False when the table has no limit for the field, so that `DEFAULT_FIELD_LIMIT` applies. */
  readonly declared: boolean
}

/** The state of building checks: the table of limits, and the limited fields so far. */
interface Builder {
  readonly limits: FieldLimits
  readonly fields: LimitedField[]
}

/** Types whose values have a bounded size. */
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

function buildCheck(schema: SchemaNode, path: string, builder: Builder): Check | undefined {
  let outer = schema
  while (outer.wrapped) outer = outer.wrapped
  const core = outer.pipe?.[0] ?? outer
  const declared = mergeLimits(SCALAR_LIMITS.get(outer), findLimit(path, builder.limits))
  const { item, entries, options } = core
  if (options !== undefined && core.type !== 'picklist' && core.type !== 'enum') {
    return combineChecks(options.map((option) => buildCheck(option, path, builder)))
  }
  if (core.type === 'string') return createTextCheck(addField('text', path, declared, builder))
  if (core.type === 'array' && item) {
    const arrayLimit = declared?.items === undefined ? undefined : declared
    const limit = addField('array', path, arrayLimit, builder)
    const itemCheck = buildCheck(item, `${path}[]`, {
      ...builder,
      limits: getItemLimits(path, arrayLimit, builder),
    })
    return combineChecks([
      createArrayCheck(limit),
      createBytesCheck(limit.bytes),
      itemCheck && createItemsCheck(itemCheck),
    ])
  }
  if (entries !== undefined && Object.keys(entries).length > 0) {
    return combineChecks([
      createBytesCheck(declared?.bytes),
      createEntriesCheck(entries, `${path}.`, builder),
    ])
  }
  if (BOUNDED_TYPES.has(core.type)) {
    if (declared?.max === undefined && declared?.min === undefined) return undefined
    const integer = declared.integer ?? acceptsOnlyIntegers(outer)
    return createRangeCheck(addField('number', path, { ...declared, integer }, builder))
  }
  // Only the size of an open object can be limited. Its schema also accepts arrays.
  const objectLimit = declared?.bytes === undefined ? undefined : declared
  const shapeCheck = declared?.acceptsArray ? undefined : checkIsObject
  return combineChecks([shapeCheck, createBytesCheck(addField('object', path, objectLimit, builder).bytes)])
}

function addField(
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
  if (scalar === undefined) return declared
  return declared === undefined ? scalar : { ...scalar, ...declared }
}

/** Returns the limits with the characters and the format of an array's limit added for its items. */
function getItemLimits(path: string, limit: FieldLimit | undefined, { limits }: Builder): FieldLimits {
  if (limit?.characters === undefined) return limits
  const { characters, format } = limit
  return { ...limits, [`${path}[]`]: { characters, ...(format !== undefined && { format }) } }
}

/** Whether a number's schema accepts integers only. */
function acceptsOnlyIntegers({ pipe = [] }: SchemaNode): boolean {
  return pipe.some((part) => part.type === 'safe_integer' || acceptsOnlyIntegers(part))
}

function createEntriesCheck(
  entries: Readonly<Record<string, SchemaNode>>,
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

function createItemsCheck(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return undefined
    for (const [index, item] of value.entries()) {
      const issue = check(item, `${path}.${index}`)
      if (issue !== undefined) return issue
    }
    return undefined
  }
}

function combineChecks(checks: readonly (Check | undefined)[]): Check | undefined {
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

function createTextCheck({ characters, bytes, oneOf }: FieldLimit): Check | undefined {
  return combineChecks([
    characters === undefined ? undefined : createCharactersCheck(characters),
    createBytesCheck(bytes),
    oneOf === undefined ? undefined : createOneOfCheck(oneOf),
  ])
}

function createOneOfCheck(texts: readonly string[]): Check {
  const message = `Expected ${texts.length === 2 ? texts.join(' or ') : `one of ${texts.join(', ')}`}`
  return (value, path) =>
    typeof value === 'string' && !texts.includes(value) ? { path, message } : undefined
}

function createCharactersCheck(maxCharacters: number): Check {
  const maxBytes = maxCharacters * MAX_BYTES_PER_CHARACTER
  return (value, path) => {
    // A code unit has at most six bytes in JSON, so that most texts pass without counting.
    if (typeof value !== 'string' || value.length * 6 <= maxBytes) return undefined
    // A code point has at most two code units.
    const isTooLong =
      value.length > maxCharacters && (value.length > maxCharacters * 2 || [...value].length > maxCharacters)
    if (isTooLong) return { path, message: `Expected at most ${maxCharacters} characters` }
    if (countJsonBytes(value) <= maxBytes) return undefined
    return { path, message: `Expected at most ${maxCharacters} characters and ${maxBytes} bytes of JSON` }
  }
}

function createBytesCheck(maxBytes: number | undefined): Check | undefined {
  if (maxBytes === undefined) return undefined
  return (value, path) => {
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.length * 6 <= maxBytes) return undefined
    if (countJsonBytes(value) <= maxBytes) return undefined
    return {
      path,
      message: `Expected at most ${maxBytes} bytes${typeof value === 'string' ? '' : ' of JSON'}`,
    }
  }
}

function checkIsObject(value: unknown, path: string): Issue | undefined {
  return Array.isArray(value) ? { path, message: 'Expected an object, received an array' } : undefined
}

function createArrayCheck({ items }: FieldLimit): Check | undefined {
  if (items === undefined) return undefined
  return (value, path) =>
    Array.isArray(value) && value.length > items
      ? { path, message: `Expected at most ${items} items` }
      : undefined
}

function createRangeCheck({ min, max, integer }: FieldLimit): Check {
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

/** Counts the bytes of a value as JSON, without the quotes around a text. */
function countJsonBytes(value: unknown): number {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return typeof value === 'string' ? bytes - 2 : bytes
}

/** Returns the limits of one operation: entries with its id replace the others. */
function getOperationLimits({ id }: OperationShape, limits: FieldLimits): FieldLimits {
  const prefix = `${id}/`
  const ownEntries = Object.entries(limits).filter(([path]) => path.startsWith(prefix))
  return {
    ...limits,
    ...Object.fromEntries(ownEntries.map(([path, limit]) => [path.slice(prefix.length), limit])),
  }
}

function getInputEntries({ params, query, body }: OperationShape): Entries {
  return { ...params, ...query, ...body }
}

/** Creates the check of an operation's input. It returns the first field that exceeds its limit. */
export function createLimitCheck(
  operation: OperationShape,
  limits: FieldLimits = {},
): (input: Record<string, unknown>) => Issue | undefined {
  const check = createEntriesCheck(toSchemaNodes(getInputEntries(operation)), '', {
    limits: getOperationLimits(operation, limits),
    fields: [],
  })
  return (input) => check?.(input, '')
}

/**
 * Lists the texts, arrays and open objects of an operation's input with their limits, for tests and
 * documentation.
 */
export function listLimitedFields(
  operation: OperationShape,
  limits: FieldLimits = {},
): readonly LimitedField[] {
  const fields: LimitedField[] = []
  createEntriesCheck(toSchemaNodes(getInputEntries(operation)), '', {
    limits: getOperationLimits(operation, limits),
    fields,
  })
  return fields
}

// valibot's generic types hide the parts of a schema.
function toSchemaNodes(entries: Record<string, Schema<unknown>>): Readonly<Record<string, SchemaNode>> {
  return entries as unknown as Readonly<Record<string, SchemaNode>>
}
