import type { Entries } from '@mintmark/envelope'
import type * as v from 'valibot'

/** The parts of a valibot schema that operations use. */
export interface SchemaParts {
  readonly type: string
  /** Of an optional schema. */
  readonly wrapped?: v.GenericSchema
  /** Of a list. */
  readonly item?: v.GenericSchema
  readonly entries?: Entries
  /** Of an object whose names are data. */
  readonly value?: v.GenericSchema
  readonly options?: readonly unknown[]
  /** Of a schema with one value. */
  readonly literal?: unknown
  /** The schema that a pipe begins with, and its actions. */
  readonly pipe?: readonly v.GenericSchema[]
  readonly message?: unknown
}

function getParts(schema: v.GenericSchema): SchemaParts {
  // The generic type does not declare the parts; every schema of valibot has them as fields.
  return schema as unknown as SchemaParts
}

/** Returns the schema inside `optional`. */
export function toRequired(schema: v.GenericSchema): v.GenericSchema {
  const { wrapped } = getParts(schema)
  return wrapped === undefined ? schema : toRequired(wrapped)
}

/** Returns the parts of a schema, without `optional` and without the actions of a pipe. */
export function toParts(schema: v.GenericSchema): SchemaParts {
  const parts = getParts(toRequired(schema))
  const [base] = parts.pipe ?? []
  return base === undefined ? parts : toParts(base)
}

export function isRequired(schema: v.GenericSchema): boolean {
  return getParts(schema).wrapped === undefined
}

/**
 * Lists the limits that a schema states, such as `from 1 to 100`. Messages of limits begin with "Expected".
 */
export function listLimits(schema: v.GenericSchema): string[] {
  const { pipe = [] } = getParts(toRequired(schema))
  return pipe.flatMap((part, index) => {
    if (index === 0) return listLimits(part)
    const { message } = getParts(part)
    return typeof message === 'string' ? [message.replace(/^Expected (?:an? )?/, '')] : []
  })
}
