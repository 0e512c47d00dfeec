import * as v from 'valibot'

/** A schema by its types alone: the part of a valibot schema that operations need. */
export type Schema<In, Out = In> = v.GenericSchema<In, Out>

/** The fields of a record or of a request part, by name. */
export type Entries = Record<string, v.GenericSchema>

/**
 * The schema of a record. At run time it keeps unknown fields, because a newer server may send them. In types
 * it is closed, so a misspelled field does not compile.
 */
export interface RecordSchema<E extends Entries>
  extends v.BaseSchema<
    v.InferInput<v.ObjectSchema<E, undefined>>,
    v.InferOutput<v.ObjectSchema<E, undefined>>,
    v.BaseIssue<unknown>
  > {
  /** The schemas of the fields. */
  readonly entries: E
}

/**
 * Defines a record.
 *
 * @example
 * const fan = record({ address: v.string(), since: Timestamp })
 * export interface Fan extends v.InferOutput<typeof fan> {}
 * export const Fan: Schema<Fan> = fan
 */
/* @__NO_SIDE_EFFECTS__ */
export function record<const E extends Entries>(entries: E): RecordSchema<E> {
  // looseObject infers an index signature for unknown fields; the interface above omits it on purpose.
  return v.looseObject(entries) as unknown as RecordSchema<E>
}

/**
 * The empty object that some operations return as their data (operation 5 of the specification, removals).
 */
export type Empty = Record<string, never>
// TypeScript infers no usable type for an object without fields, so the type is stated above.
export const Empty: Schema<Empty> = /* @__PURE__ */ record({}) as unknown as Schema<Empty>
