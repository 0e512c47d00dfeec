import { type ErrorDocs, type Rule, valueOfRule } from '../../../tools/build/error-docs.ts'
import type { Catalog, RecordOf } from './catalog.ts'
import { type Field, fieldsOf, type NameOf, partsOf } from './schemas.ts'

/** The docstrings that are missing, a sentence each. */
export function missingDocs(
  { groups, recordOf, problems }: Catalog,
  records: readonly RecordOf[],
  rules: readonly Rule[],
  { kinds, payments }: ErrorDocs,
  page: readonly Field[],
): readonly string[] {
  // Records have a section of their own.
  const nameOf: NameOf = (schema) => recordOf(schema)?.name
  // The docstring of an object can be enough for its fields.
  const isDocumented = (name: string, fields: readonly Field[]): boolean =>
    fields.some((field) => field.name === name && field.meaning !== '') ||
    (name.includes('.') && isDocumented(name.replace(/(?:\[\])?\.\w+$/, ''), fields))
  const missing = (of: string, fields: readonly Field[]) =>
    fields
      .filter(({ name }) => !isDocumented(name, fields))
      .map(({ name }) => `${of}: ${name} has no docstring`)
  const operations = groups.flatMap((group) => group.operations)
  return [
    ...problems,
    ...missing('Page', page),
    ...operations.flatMap(({ shape, docs }) => [
      ...missing(shape.id, fieldsOf({ ...shape.params, ...shape.query, ...shape.body }, docs.fields, nameOf)),
      ...shape.errors
        .filter((error) => 'reason' in error)
        .filter((error) => rules.every(({ value }) => value !== valueOfRule(error)))
        .map(({ reason }) => `${shape.id} is refused with ${reason}, which no package exports`),
    ]),
    ...operations.flatMap(({ shape, docs }) =>
      // The messages of a stream are described in the document of its package.
      shape.paged || shape.result === 'event-stream' || recordOf(shape.data) !== undefined
        ? []
        : missing(
            `the answer of ${shape.id}`,
            fieldsOf(partsOf(shape.data).entries ?? {}, docs.answer ?? {}, nameOf),
          ),
    ),
    ...records.flatMap((record) => missing(record.name, fieldsOf(record.entries, record.fields, nameOf))),
    ...records.filter(({ summary }) => summary === '').map(({ name }) => `${name} has no docstring`),
    ...rules.flatMap(({ name, docstring }) => [
      ...(docstring.meaning === '' ? [`${name} has no docstring`] : []),
      ...(docstring.meaning !== '' && docstring.advice === ''
        ? [`${name} does not say what to do: a second paragraph of its docstring`]
        : []),
    ]),
    ...payments.filter(({ meaning }) => meaning === '').map(({ reason }) => `${reason} has no docstring`),
    ...kinds
      .filter(({ docstring }) => docstring.meaning === '' || docstring.advice === '')
      .map(({ kind }) => `${kind} does not say what to do: a second paragraph of its docstring`),
  ]
}
