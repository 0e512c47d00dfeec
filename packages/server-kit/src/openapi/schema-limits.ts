import type { OperationShape } from '@mintmark/operation'
import { type FieldLimits, type LimitedField, listLimitedFields } from '../http/field-limits.ts'

/** A JSON Schema, or a part of one. */
export type Json = { [name: string]: unknown }

/** Describes what JSON Schema has no keyword for, and a pattern, which people cannot read. */
function describeLimit({ kind, limit: { bytes, format } }: LimitedField): string {
  if (kind === 'number') return ''
  const size = bytes === undefined ? '' : `at most ${bytes.toLocaleString('en-US')} bytes`
  if (kind !== 'text') return size === '' ? '' : `${size} of JSON`
  // A format with a pattern bounds the length.
  if (format?.pattern !== undefined) return format.description
  return [format?.description ?? '', size].filter((text) => text !== '').join(', ')
}

/** Adds the limits of an operation's fields to the JSON Schemas of its top-level fields, in place. */
export function addLimits(
  schemas: { readonly [field: string]: Json },
  operation: OperationShape,
  limits: FieldLimits,
): void {
  for (const field of listLimitedFields(operation, limits)) {
    const [name = '', ...steps] = field.path.split(/\.|(?=\[\])/)
    const schema = schemas[name]
    const inner = schema && findInner(schema, steps)
    if (inner !== undefined) Object.assign(inner, toKeywords(inner, field))
  }
}

/** Follows a path of names and `[]` through a schema. */
function findInner(schema: Json, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return schema
  const inner = step === '[]' ? schema.items : (schema.properties as Json | undefined)?.[step]
  return typeof inner === 'object' && inner !== null ? findInner(inner as Json, rest) : undefined
}

/** Converts a limit to keywords of JSON Schema. The description contains limits without a keyword. */
function toKeywords(schema: Json, field: LimitedField): Json {
  const { kind, limit } = field
  const { characters, items, min, max, oneOf, format } = limit
  const words = describeLimit(field)
  const description = words === '' ? undefined : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
  const keywords: Json = {
    description:
      [schema.description, description].filter((text) => text !== undefined).join(' ') || undefined,
    minimum: min,
    maximum: max,
    maxItems: kind === 'array' ? items : undefined,
  }
  if (kind === 'text' && schema.type === 'string') {
    keywords.enum = oneOf
    keywords.pattern = format?.pattern && toAnchored(format.pattern, schema)
    keywords.maxLength = format?.pattern === undefined ? characters : undefined
  }
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined))
}

/**
 * Anchors a pattern. Formats do not apply to an empty text, so the pattern also accepts one if the schema
 * does.
 */
function toAnchored(pattern: string, { minLength }: Json): string {
  return minLength === undefined ? `^(?:${pattern})?$` : `^${pattern}$`
}
