import type { OperationShape } from '@mintmark/operation'
import type { FieldLimit, LimitedField } from '@mintmark/server-kit'
import * as v from 'valibot'
import type { Input } from './calls.ts'

type AnySchema = v.GenericSchema & {
  readonly wrapped?: AnySchema
  readonly pipe?: readonly [AnySchema, ...unknown[]]
  readonly item?: AnySchema
  readonly entries?: Readonly<Record<string, AnySchema>>
}

const SCALARS = ['x', '1', '2026-01-01T00:00:00Z', `0x${'a1'.repeat(20)}`, `0x${'a1'.repeat(32)}`, 1, true]

/** Returns the parts of a schema, without what wraps it. */
export function partsOf(schema: v.GenericSchema): Pick<AnySchema, 'type' | 'item' | 'entries'> {
  const outer = unwrap(schema as AnySchema)
  return (outer.pipe?.[0] ?? outer) as AnySchema
}

/** Whether an operation returns a list, or a page of one. */
export function returnsList({ data }: OperationShape): boolean {
  const { type, entries = {} } = partsOf(data)
  return type === 'array' || 'list' in entries
}

function unwrap(schema: AnySchema): AnySchema {
  let outer = schema
  while (outer.wrapped) outer = outer.wrapped
  return outer
}

/** Returns a value that a schema accepts, with its required fields only. */
export function validValue(schema: v.GenericSchema): unknown {
  const outer = unwrap(schema as AnySchema)
  const core = outer.pipe?.[0] ?? outer
  if (core.type === 'array' && core.item) return [validValue(core.item)]
  if (core.entries) {
    const required = Object.entries(core.entries).filter(([, entry]) => !v.is(entry, undefined))
    return Object.fromEntries(required.map(([name, entry]) => [name, validValue(entry)]))
  }
  const found = SCALARS.find((value) => v.is(outer, value))
  if (found === undefined) throw new Error(`No sample value fits a schema of type ${core.type}`)
  return found
}

/** Texts that many formats refuse, of the schemas that have formats. */
const MALFORMED_TEXTS = [
  ...['?', '0', '2026-02-30T00:00:00Z', '2001-01-01T00:00:00Z'],
  ...['\u200B', 'a\u202Eb', 'javascript:alert(1)'],
]

/** Returns values just beyond a limit, which the field's schema accepts. */
function valuesBeyond(schema: AnySchema, { kind, limit }: LimitedField): unknown[] {
  const { items, bytes = 0 } = limit
  if (kind === 'number') return numbersBeyond(limit)
  if (kind === 'object') return [{ text: 'x'.repeat(bytes) }, []]
  if (kind === 'text') return textsBeyond(schema, limit)
  const outer = unwrap(schema)
  const { item } = outer.pipe?.[0] ?? outer
  if (item === undefined || items === undefined) throw new Error('Expected an array with a limit of items')
  return [Array.from({ length: items + 1 }, () => validValue(item))]
}

function numbersBeyond({ min, max, integer }: FieldLimit): number[] {
  return [
    ...(min === undefined ? [] : [min - 1]),
    ...(max === undefined ? [] : [max + 1]),
    ...(integer ? [(min ?? 0) + 0.5] : []),
  ]
}

function textsBeyond(schema: AnySchema, { characters = 0, bytes = 0, oneOf, format }: FieldLimit): string[] {
  const accepts = (text: string) => v.is(unwrap(schema), text)
  const most = Math.max(characters, bytes)
  // A date-time may have any number of fraction digits.
  const time = `2026-01-01T00:00:00.${'0'.repeat(most)}Z`
  const tooLong = accepts(time) && !accepts('x') ? time : 'x'.repeat(most + 1)
  const malformed = MALFORMED_TEXTS.filter((text) => accepts(text) && format?.findProblem(text) !== undefined)
  return [tooLong, ...(oneOf === undefined ? [] : [`${oneOf.join('')}?`]), ...malformed]
}

function replaceAt(
  schema: AnySchema,
  value: unknown,
  steps: readonly string[],
  replacement: unknown,
): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return replacement
  const outer = unwrap(schema)
  const core = outer.pipe?.[0] ?? outer
  if (step === '[]') {
    const item = core.item
    if (item === undefined) throw new Error(`${step} does not lead through an array`)
    const [first = validValue(item), ...others] = Array.isArray(value) ? value : []
    return [replaceAt(item, first, rest, replacement), ...others]
  }
  const entry = core.entries?.[step]
  if (entry === undefined) throw new Error(`${step} does not lead through an object`)
  const object = (value ?? validValue(core)) as Input
  return { ...object, [step]: replaceAt(entry, object[step], rest, replacement) }
}

function schemaAt(schema: AnySchema, [step, ...rest]: readonly string[]): AnySchema {
  if (step === undefined) return schema
  const outer = unwrap(schema)
  const core = outer.pipe?.[0] ?? outer
  const inner = step === '[]' ? core.item : core.entries?.[step]
  if (inner === undefined) throw new Error(`A schema of type ${core.type} has no ${step}`)
  return schemaAt(inner, rest)
}

/** Returns good inputs with one field beyond its limit, and that field's path as an issue names it. */
export function inputsBeyondLimit(
  operation: OperationShape,
  input: Input,
  field: LimitedField,
): { inputs: Input[]; path: string } {
  const steps = field.path.split(/\.|(?=\[\])/)
  const [name = '', ...rest] = steps
  const schema = { ...operation.params, ...operation.query, ...operation.body }[name] as AnySchema
  // An input has one of the fields in `oneOf`.
  const isOther = (each: string) => operation.oneOf?.includes(name) && operation.oneOf.includes(each)
  const others = Object.fromEntries(Object.entries(input).filter(([each]) => !isOther(each)))
  return {
    inputs: valuesBeyond(schemaAt(schema, rest), field).map((value) => ({
      ...others,
      [name]: replaceAt(schema, input[name], rest, value),
    })),
    path: steps.map((step) => (step === '[]' ? '0' : step)).join('.'),
  }
}
