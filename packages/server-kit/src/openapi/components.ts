import { Timestamp } from '@mintmark/envelope'
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Json } from './schema-limits.ts'
import { type SchemaNames, toItemName, toTypeName } from './schema-names.ts'

/** Docstrings of fields by name. A field of an object inside is named `phases.price`. */
export type FieldDescriptions = Readonly<Record<string, string>>

/** The docstrings of records by name. */
export type RecordDescriptions = Readonly<Record<string, { summary: string; fields?: FieldDescriptions }>>

/** The schemas of a document that have names. The other parts of the document refer to them. */
export interface Components {
  readonly schemas: Record<string, Json>
  /** Adds a schema that has no object inside, and returns the reference to it. */
  add(name: string, schema: Json): Json
  /** Defines the schema to which operations with this schema refer. */
  define(schema: v.GenericSchema, name: string, json: Json): void
  /** Converts the schema of an object, without making it a component. */
  toFields(schema: v.GenericSchema, place: string, descriptions?: FieldDescriptions): Json
  /**
   * Converts a schema; objects inside that have no name stay in their place.
   *
   * @param findName Returns the name of a component for an object that is converted elsewhere.
   */
  toInline(schema: v.GenericSchema, findName: (entries: unknown) => string | undefined): Json
  /** Converts a schema. Objects inside become components; those without a name are named by `place`. */
  convert(schema: v.GenericSchema, place: string, descriptions?: FieldDescriptions): Json
  /** Moves the objects inside a JSON Schema to components. */
  extractParts(schema: Json, place: string, descriptions?: FieldDescriptions): Json
}

/** The parts of a time. Its type hides them; every schema with checks has them as a field. */
const TIME_PARTS: readonly unknown[] = (Timestamp as unknown as { readonly pipe: readonly unknown[] }).pipe

export const toReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/**
 * Converts a valibot schema to a JSON Schema, without the checks for which JSON Schema has no keyword.
 *
 * @param refer Returns a reference to a schema that has a name. Undefined converts the schema in its place.
 */
function toSchema(schema: v.GenericSchema, refer: (schema: unknown) => Json | undefined): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode: 'input',
    overrideSchema: ({ valibotSchema }) => (valibotSchema === schema ? undefined : refer(valibotSchema)),
    overrideAction: ({ valibotAction, jsonSchema }) =>
      TIME_PARTS.includes(valibotAction) ? { ...jsonSchema, format: 'date-time' } : undefined,
  })
  return json
}

/** Describes whole numbers by their format, as generators know it, instead of the bounds of a double. */
function toInteger({ minimum, maximum, ...schema }: Json): Json {
  return {
    ...schema,
    format: 'int64',
    ...(minimum !== Number.MIN_SAFE_INTEGER && minimum !== undefined && { minimum }),
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
  }
}

/** Puts a field's docstring before the description of its limit. */
function withDescription(schema: Json, docstring: string | undefined): Json {
  if (!docstring) return schema
  const limit = schema.description
  return { ...schema, description: limit === undefined ? docstring : `${docstring}\n\n${limit}` }
}

/** Names a member of a union by a field that has one value, such as the program of a card. */
function toMemberName(place: string, member: Json, index: number): string {
  const values = Object.values((member.properties ?? {}) as Record<string, Json>).map((each) => each.const)
  const value = values.find((each) => typeof each === 'string' || typeof each === 'number')
  return place + toTypeName(String(value ?? index + 1))
}

export function createComponents(names: SchemaNames, records: RecordDescriptions = {}): Components {
  const schemas: Record<string, Json> = {}
  const owners = new Map<string, unknown>()

  function add(name: string, schema: Json): Json {
    if (schemas[name] !== undefined && JSON.stringify(schemas[name]) !== JSON.stringify(schema))
      throw new Error(`Two schemas of the OpenAPI document have the name ${name}`)
    schemas[name] = schema
    return toReference(name)
  }

  /** Refers to a record by its name, and adds it at its first use. */
  function refer(schema: unknown): Json | undefined {
    const name = names.get(schema)
    if (name === undefined || !isObjectSchema(schema)) return undefined
    const owner = owners.get(name) ?? schema
    if (owner !== schema) throw new Error(`Two records of the OpenAPI document have the name ${name}`)
    if (!owners.has(name)) {
      owners.set(name, schema)
      const { summary, fields } = records[name] ?? {}
      const json = extractParts(toSchema(schema, refer), name, fields)
      schemas[name] = summary ? { description: summary, ...json } : json
    }
    return toReference(name)
  }

  function extractParts(
    schema: Json,
    place: string,
    descriptions: FieldDescriptions = {},
    prefix = '',
  ): Json {
    const { properties, items, anyOf, oneOf, additionalProperties, propertyNames: _, ...rest } = schema
    const result = rest.type === 'integer' ? toInteger(rest) : rest
    const part = (inner: unknown, name: string, path = prefix) =>
      extract(inner as Json, name, descriptions, path)
    if (properties !== undefined)
      result.properties = Object.fromEntries(
        Object.entries(properties as Record<string, Json>).map(([name, each]) => [
          name,
          withDescription(
            part(each, place + toTypeName(name), `${prefix}${name}.`),
            descriptions[prefix + name],
          ),
        ]),
      )
    if (items !== undefined) result.items = part(items, toItemName(place))
    for (const [keyword, members] of Object.entries({ anyOf, oneOf })) {
      if (Array.isArray(members))
        result[keyword] = members.map((each: Json, index) => part(each, toMemberName(place, each, index)))
    }
    if (typeof additionalProperties === 'object')
      result.additionalProperties = part(additionalProperties, toItemName(place))
    else if (additionalProperties === false) result.additionalProperties = false
    if (Array.isArray(result.required) && result.required.length === 0) delete result.required
    return result
  }

  function extract(schema: Json, place: string, descriptions: FieldDescriptions = {}, prefix = ''): Json {
    const { description, ...parts } = extractParts(schema, place, descriptions, prefix)
    if (parts.type !== 'object') return description === undefined ? parts : { ...parts, description }
    const fields = Object.keys(parts.properties ?? {}).length > 0 || parts.additionalProperties !== undefined
    const reference = fields ? add(place, parts) : add('JsonObject', JSON_OBJECT)
    return description === undefined ? reference : { ...reference, description }
  }

  return {
    schemas,
    add,
    define(schema, name, json) {
      owners.set(name, schema)
      schemas[name] = json
    },
    toFields: (schema, place, descriptions) => extractParts(toSchema(schema, refer), place, descriptions),
    convert: (schema, place, descriptions) =>
      refer(schema) ?? extract(toSchema(schema, refer), place, descriptions),
    toInline: (schema, findName) =>
      toSchema(schema, (inner) => {
        const name = findName(Object(inner).entries)
        return name === undefined ? refer(inner) : toReference(name)
      }),
    extractParts,
  }
}

const JSON_OBJECT: Json = { type: 'object', description: 'An object with any fields.' }

/** Whether a schema is that of an object, or of one of several objects. */
function isObjectSchema(schema: unknown): schema is v.GenericSchema {
  const { entries, options } = Object(schema)
  return entries !== undefined || (Array.isArray(options) && options.every(isObjectSchema))
}
