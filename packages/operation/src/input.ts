import { describeIssue, type Entries, type Issue } from '@mintmark/envelope'
import * as v from 'valibot'
import { createInputError } from './errors.ts'
import type { OperationShape } from './types.ts'

/** Creates the check that an input has exactly one of the given fields. */
function checkOneOf(names: readonly string[]) {
  return v.rawCheck<Record<string, unknown>>(({ dataset: { typed, value }, addIssue }) => {
    if (!typed) return
    const given = names.filter((name) => value[name] !== undefined)
    if (given.length === 1) return
    const key = given[1] ?? names[0] ?? ''
    const path = [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] as const
    addIssue({ message: `Expected either ${names.join(' or ')}`, path: [...path] })
  })
}

/**
 * The schema of an operation's flat input: `params`, `query` and `body` together, strict unless the body is
 * open.
 */
export function inputSchema(operation: OperationShape): v.GenericSchema<unknown, Record<string, unknown>> {
  const entries: Entries = { ...operation.params, ...operation.query, ...operation.body }
  const schema = operation.openBody ? v.looseObject(entries) : v.strictObject(entries)
  return operation.oneOf === undefined ? schema : v.pipe(schema, checkOneOf(operation.oneOf))
}

/** Lists the issues of an input; empty when it is valid. */
export function inputIssues(operation: OperationShape, input: unknown): readonly Issue[] {
  const { issues } = v.safeParse(inputSchema(operation), input)
  return issues ? issues.map(describeIssue) : []
}

/** Throws an `InvalidInputError` that names the invalid fields. */
export function checkInput(operation: OperationShape, input: unknown): void {
  const { issues } = v.safeParse(inputSchema(operation), input)
  if (issues) throw createInputError(operation, issues.map(describeIssue))
}
