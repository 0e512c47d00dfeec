import type { Entries } from '@mintmark/envelope'
import type * as v from 'valibot'

/** What valibot's schemas hold of what they are made of, as far as our operations use it. */
interface SchemaParts {
  readonly type: string
  /** Of an optional schema. */
  readonly wrapped?: v.GenericSchema
  /** Of a list. */
  readonly item?: v.GenericSchema
  /** Of a record by key. */
  readonly value?: v.GenericSchema
  readonly entries?: Entries
  readonly options?: readonly unknown[]
  /** The schema that a pipe begins with, and the actions after it. */
  readonly pipe?: readonly v.GenericSchema[]
  readonly message?: unknown
}

export function partsOf(schema: v.GenericSchema): SchemaParts {
  // The generic type does not tell the parts; every schema of valibot has them as fields.
  return schema as unknown as SchemaParts
}

/** The schema without its "may be left out". */
export function needed(schema: v.GenericSchema): v.GenericSchema {
  const { wrapped } = partsOf(schema)
  return wrapped === undefined ? schema : needed(wrapped)
}
