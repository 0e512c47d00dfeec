import { Timestamp } from '@mintmark/envelope'
import { inputSchema, type OperationShape } from '@mintmark/operation'
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Description } from './descriptions.ts'

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: string[]
  readonly [keyword: string]: unknown
}

/** A time as agents must write it. `date-time` requires a time zone. */
const TIME_SCHEMA: JsonSchema = { type: 'string', format: 'date-time', examples: ['2026-01-01T00:00:00Z'] }
/** The parts of the schema of times. Its type hides them; every schema with checks has them as a field. */
const TIME_PARTS: readonly unknown[] = (Timestamp as unknown as { readonly pipe: readonly unknown[] }).pipe

/**
 * Converts the schema of an object, as the OpenAPI document does: checks for which JSON Schema has no keyword
 * are left out.
 */
export function toObjectSchema(schema: v.GenericSchema): ObjectSchema {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode: 'input',
    overrideAction: ({ valibotAction }) => (TIME_PARTS.includes(valibotAction) ? TIME_SCHEMA : undefined),
  })
  return { ...json, type: 'object' } as ObjectSchema
}

interface DescribedSchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, DescribedSchema>>
  readonly items?: DescribedSchema
}

function addDescriptions(
  schema: DescribedSchema,
  fields: Readonly<Record<string, string>>,
  path: string,
): DescribedSchema {
  const described: { -readonly [K in keyof DescribedSchema]: DescribedSchema[K] } = { ...schema }
  if (fields[path] !== undefined) described.description = fields[path]
  if (schema.items !== undefined && !Array.isArray(schema.items)) {
    const { description: _, ...items } = addDescriptions(schema.items, fields, path)
    described.items = items
  }
  if (schema.properties !== undefined) {
    const prefix = path === '' ? '' : `${path}.`
    const entries = Object.entries(schema.properties).map(([name, property]) => [
      name,
      addDescriptions(property, fields, prefix + name),
    ])
    described.properties = Object.fromEntries(entries)
  }
  return described
}

/** Returns the JSON Schema of an operation's input, with the docstrings of its fields. */
export function toInputSchema(operation: OperationShape, description: Description | undefined): ObjectSchema {
  const { oneOf } = operation
  const schema = {
    ...toObjectSchema(inputSchema(operation)),
    ...(oneOf && { oneOf: oneOf.map((name) => ({ required: [name] })) }),
  }
  return addDescriptions(schema as DescribedSchema, description?.fields ?? {}, '') as ObjectSchema
}
