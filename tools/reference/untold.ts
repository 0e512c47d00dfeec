import type { Catalogue, RecordOf } from './catalogue.ts'
import type { ErrorWords } from './errors-page.ts'
import { type Field, fieldsOf, fieldsOfRecord } from './fields.ts'
import type { Rule } from './rules.ts'
import { partsOf } from './schema-parts.ts'
import type { NameOf } from './schema-words.ts'

/** What the reference would show without a meaning: each names the docstring that is missing. */
export function untold(
  { groups, recordOf, problems }: Catalogue,
  records: readonly RecordOf[],
  rules: readonly Rule[],
  { kinds, payments }: ErrorWords,
  page: readonly Field[],
): readonly string[] {
  // Records are told at their own place.
  const nameOf: NameOf = (schema) => recordOf(schema)?.name
  // What is said of an object may be enough for its fields.
  const isTold = (name: string, fields: readonly Field[]): boolean =>
    fields.some((field) => field.name === name && field.meaning !== '') ||
    (name.includes('.') && isTold(name.replace(/(?:\[\])?\.\w+$/, ''), fields))
  const missing = (of: string, fields: readonly Field[]) =>
    fields.filter(({ name }) => !isTold(name, fields)).map(({ name }) => `${of}: ${name} has no docstring`)
  const operations = groups.flatMap((group) => group.operations)
  return [
    ...problems,
    ...missing('Page', page),
    ...operations.flatMap(({ shape, told }) => [
      ...missing(shape.id, fieldsOf({ ...shape.params, ...shape.query, ...shape.body }, told.fields, nameOf)),
      ...shape.errors
        .filter((error) => Object(error) !== error && rules.every(({ value }) => value !== error))
        .map((error) => `${shape.id} is refused with ${error}, which no package exports`),
    ]),
    ...operations.flatMap(({ shape, told }) =>
      shape.paged || recordOf(shape.data) !== undefined
        ? []
        : missing(
            `the answer of ${shape.id}`,
            fieldsOf(partsOf(shape.data).entries ?? {}, told.answer ?? {}, nameOf),
          ),
    ),
    ...records.flatMap((record) => missing(record.name, fieldsOfRecord(record, nameOf))),
    ...records.filter(({ summary }) => summary === '').map(({ name }) => `${name} has no docstring`),
    ...rules.flatMap(({ name, told }) => [
      ...(told.meaning === '' ? [`${name} has no docstring`] : []),
      ...(told.meaning !== '' && told.advice === ''
        ? [`${name} does not say what to do: a second paragraph of its docstring`]
        : []),
    ]),
    ...payments.filter(({ meaning }) => meaning === '').map(({ reason }) => `${reason} has no docstring`),
    ...kinds
      .filter(({ told }) => told.meaning === '' || told.advice === '')
      .map(({ kind }) => `${kind} does not say what to do: a second paragraph of its docstring`),
  ]
}
