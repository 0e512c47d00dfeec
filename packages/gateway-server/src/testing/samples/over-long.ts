import type { OperationShape } from '@mintmark/operation'
import type { LimitedField } from '@mintmark/server-kit'
import * as v from 'valibot'
import type { Input } from './calls.ts'

type AnySchema = v.GenericSchema & {
  readonly wrapped?: AnySchema
  readonly pipe?: readonly [AnySchema, ...unknown[]]
  readonly item?: AnySchema
  readonly entries?: Readonly<Record<string, AnySchema>>
}

const SCALARS = ['x', '1', '2026-01-01T00:00:00Z', `0x${'a1'.repeat(20)}`, `0x${'a1'.repeat(32)}`, 1, true]

function unwrap(schema: AnySchema): AnySchema {
  let outer = schema
  while (outer.wrapped) outer = outer.wrapped
  return outer
}

/** A value that a schema takes, with its required fields alone. */
function validValue(schema: AnySchema): unknown {
  const outer = unwrap(schema)
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

/** A value that exceeds a limit by one, where the field's schema takes it. */
function overLongValue(schema: AnySchema, { kind, limit }: LimitedField): unknown {
  const { characters = 0, items, bytes = 0, max = 0 } = limit
  if (kind === 'number') return max + 1
  if (kind === 'object') return { text: 'x'.repeat(bytes) }
  if (kind === 'array') {
    const outer = unwrap(schema)
    const { item } = outer.pipe?.[0] ?? outer
    if (item === undefined || items === undefined) throw new Error('Expected an array with a limit of items')
    return Array.from({ length: items + 1 }, () => validValue(item))
  }
  const most = Math.max(characters, bytes)
  // A date-time may have any number of fraction digits.
  const time = `2026-01-01T00:00:00.${'0'.repeat(most)}Z`
  return v.is(unwrap(schema), time) && !v.is(unwrap(schema), 'x') ? time : 'x'.repeat(most + 1)
}

function replaceAt(
  schema: AnySchema,
  value: unknown,
  steps: readonly string[],
  field: LimitedField,
): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return overLongValue(schema, field)
  const outer = unwrap(schema)
  const core = outer.pipe?.[0] ?? outer
  if (step === '[]') {
    const item = core.item
    if (item === undefined) throw new Error(`${field.path} does not lead through an array`)
    const [first = validValue(item), ...others] = Array.isArray(value) ? value : []
    return [replaceAt(item, first, rest, field), ...others]
  }
  const entry = core.entries?.[step]
  if (entry === undefined) throw new Error(`${field.path} does not lead through an object`)
  const object = (value ?? validValue(core)) as Input
  return { ...object, [step]: replaceAt(entry, object[step], rest, field) }
}

/** A good input with one field longer than its limit, and that field's path as an issue names it. */
export function overLongInput(
  operation: OperationShape,
  input: Input,
  field: LimitedField,
): { input: Input; path: string } {
  const steps = field.path.split(/\.|(?=\[\])/)
  const [name = '', ...rest] = steps
  const schema = { ...operation.params, ...operation.query, ...operation.body }[name] as AnySchema
  return {
    input: { ...input, [name]: replaceAt(schema, input[name], rest, field) },
    path: steps.map((step) => (step === '[]' ? '0' : step)).join('.'),
  }
}
