import * as v from 'valibot'

/** A schema by its types alone: what an operation asks of a valibot schema. */
export type Schema<In, Out = In> = v.GenericSchema<In, Out>

/** The fields of a record or of a request part, by name. */
export type Entries = Record<string, v.GenericSchema>

/**
 * The schema of a record: at run time it keeps fields it does not know (a newer server may send them), in types it is
 * closed (a misspelt field does not compile).
 */
export interface RecordSchema<E extends Entries>
  extends v.BaseSchema<
    v.InferInput<v.ObjectSchema<E, undefined>>,
    v.InferOutput<v.ObjectSchema<E, undefined>>,
    v.BaseIssue<unknown>
  > {
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
  // looseObject infers an index signature for unknown fields; the interface above leaves it out on purpose.
  return v.looseObject(entries) as unknown as RecordSchema<E>
}

/** The empty object that some operations answer as their data (operation 5 of the specification, removals). */
export type Empty = Record<string, never>
// An object type without fields says nothing of what is in it; `record` has the right schema for it.
export const Empty: Schema<Empty> = /* @__PURE__ */ record({}) as unknown as Schema<Empty>
