// Inputs that have every field that an operation stores, and what its response must then contain.
import { isDeepStrictEqual } from 'node:util'
import type { Entries } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import { type FieldLimits, listLimitedFields } from '@mintmark/server-kit'
import * as v from 'valibot'
import { partsOf, validValue } from './beyond-limits.ts'
import type { Input } from './calls.ts'
import { newAddress } from './sample.ts'

/** The fields of the records that an operation returns: an object, or a list of objects. */
function responseEntries({ data }: OperationShape): Entries {
  const { item, entries } = partsOf(data)
  return (item === undefined ? entries : partsOf(item).entries) ?? {}
}

/** The fields of the body; of a batch, those of its items, with the name of the batch. */
function bodyEntries({ body = {} }: OperationShape): { entries: Entries; batch: string | undefined } {
  const [[name, schema] = [], ...others] = Object.entries(body)
  const itemEntries =
    schema && others.length === 0 ? partsOf(partsOf(schema).item ?? schema).entries : undefined
  return itemEntries === undefined
    ? { entries: body, batch: undefined }
    : { entries: itemEntries, batch: name }
}

/** Whether an operation writes a record and returns it. */
export function returnsItsRecord(operation: OperationShape): boolean {
  const returned = responseEntries(operation)
  return (
    operation.effect === 'write' &&
    Object.keys(bodyEntries(operation).entries).some((name) => name !== 'id' && name in returned)
  )
}

/** A correct value for a field that the sample leaves out. */
function sampleValue(name: string, schema: v.GenericSchema, limits: FieldLimits): unknown {
  const { oneOf, format } = limits[name] ?? {}
  const candidates = [
    ...(oneOf ?? []),
    `Sample ${name}`,
    'https://shop.example/sample',
    newAddress(),
    name.startsWith('start') ? '2080-01-01T00:00:00.000Z' : '2091-01-01T00:00:00.000Z',
    '1',
    1,
    true,
    ['Sample'],
  ]
  const fits = (value: unknown) =>
    v.is(schema, value) && (typeof value !== 'string' || format?.findProblem(value) === undefined)
  return candidates.find(fits) ?? validValue(schema)
}

/**
 * Adds every field of the body that a sample's input leaves out, except those that cannot be sent together
 * with the others.
 */
export function completeInput(
  operation: OperationShape,
  input: Input,
  notSent: readonly string[],
  limits: FieldLimits = {},
): Input {
  const { entries, batch } = bodyEntries(operation)
  const byName = Object.fromEntries(
    listLimitedFields(operation, limits).map(({ path, limit }) => [path.replace(/^.*\./, ''), limit]),
  )
  const complete = (part: Input): Input => ({
    ...Object.fromEntries(
      Object.entries(entries)
        .filter(([name]) => !notSent.includes(name) && !(name in part))
        .map(([name, schema]) => [name, sampleValue(name, schema, byName)]),
    ),
    ...part,
  })
  if (batch === undefined) return complete(input)
  return { ...input, [batch]: (input[batch] as Input[]).map(complete) }
}

/** Lists the fields of an input that the response does not contain with the same value. */
export function listMissingFields(operation: OperationShape, input: Input, data: unknown): string[] {
  const { entries, batch } = bodyEntries(operation)
  const inputs = batch === undefined ? [input] : (input[batch] as Input[])
  const records = Array.isArray(data) ? data : [data]
  const missing = inputs.flatMap((each, index) =>
    Object.keys(entries).filter((name) => name in each && !isSame(each[name], records[index]?.[name])),
  )
  return [...new Set(missing)]
}

/**
 * Whether a response contains a value that was sent: addresses in lower case, times in UTC, lists as JSON
 * texts, further fields allowed.
 */
function isSame(sent: unknown, returned: unknown): boolean {
  if (isDeepStrictEqual(sent, returned)) return true
  if (typeof sent === 'string' && typeof returned === 'string') {
    return sent.toLowerCase() === returned.toLowerCase() || Date.parse(sent) === Date.parse(returned)
  }
  if (typeof returned === 'string') return JSON.stringify(sent) === returned
  if (Array.isArray(sent)) {
    return Array.isArray(returned) && sent.every((item) => returned.some((other) => isSame(item, other)))
  }
  if (typeof sent !== 'object' || typeof returned !== 'object' || sent === null || returned === null)
    return false
  return Object.entries(sent).every(([name, value]) => isSame(value, Reflect.get(returned, name)))
}
