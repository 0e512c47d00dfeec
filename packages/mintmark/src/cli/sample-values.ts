import type { Entries } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { isRequired, toParts, toRequired } from './schema-parts.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const LATER = '2026-12-31T23:59:59.000Z'
const DAY = '2026-01-01'
const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const HASH = `0x${'a1'.repeat(32)}`

/** Values for names whose schema is only a text or a number. */
const BY_NAME: readonly (readonly [pattern: RegExp, value: unknown])[] = [
  [/^(?:end|expire|validityPeriod|to$)/, LATER],
  [/(?:Time|Date|^from)$/, TIME],
  [/(?:url|uri)$/i, 'https://example.com/1.png'],
  [/(?:^hash|Hash|transaction)$/, HASH],
  [
    /(?:address|owner|seller|buyer|bidder|creator|recipient|sender|payer|wallet|offerer|payTo|^fan)$/i,
    ADDRESS,
  ],
  [/^chainId$/, '84532'],
  [/^nftType$/, 'ERC721'],
  [/(?:price|amount)$/i, '1000000'],
  [/^nftId$/, '1'],
  [/^name$/, 'A free coffee'],
  [/^store$/i, 'Berlin'],
]

/** Values that some format accepts. */
const CANDIDATES: readonly unknown[] = ['example', '1', 1, TIME, DAY, ADDRESS, HASH, true, 2]

function createScalar(name: string, schema: v.GenericSchema): unknown {
  const named = BY_NAME.filter(([pattern]) => pattern.test(name)).map(([, value]) => value)
  return [...named, ...CANDIDATES].find((value) => v.is(schema, value))
}

/**
 * Creates a value that a schema accepts, for examples and test events.
 *
 * @param name The field's name, which suggests a value.
 */
export function createSample(schema: v.GenericSchema, name = '', isComplete = true): unknown {
  const { type, item, entries, value, options, literal } = toParts(schema)
  if (type === 'union' || type === 'variant') {
    // The options of a union are schemas.
    return createSample(options?.[0] as v.GenericSchema, name, isComplete)
  }
  if (entries !== undefined) return createSampleRecord(entries, isComplete)
  if (value !== undefined) return { example: createSample(value, name, isComplete) }
  if (type === 'array' && item !== undefined) return [createSample(item, name, isComplete)]
  if (literal !== undefined) return literal
  if (options !== undefined) return options[0]
  return createScalar(name, toRequired(schema))
}

/** Creates a record with all of its fields, or only with those that are required. */
function createSampleRecord(entries: Entries, isComplete: boolean): Record<string, unknown> {
  const included = Object.entries(entries).filter(([, schema]) => isComplete || isRequired(schema))
  return Object.fromEntries(included.map(([name, schema]) => [name, createSample(schema, name, isComplete)]))
}

/** Creates an input of an operation with all of its fields, or only with those that are required. */
export function createSampleInput(
  { params, query, body, oneOf: [first, ...others] = [] }: OperationShape,
  isComplete: boolean,
): Record<string, unknown> {
  const entries = Object.entries({ ...params, ...query, ...body }).filter(([name]) => !others.includes(name))
  const alternative = entries.filter(([name]) => name === first)
  return {
    ...createSampleRecord(Object.fromEntries(entries), isComplete),
    ...createSampleRecord(Object.fromEntries(alternative), true),
  }
}
