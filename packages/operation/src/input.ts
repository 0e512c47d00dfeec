import { describeIssue, type Entries, type Issue } from '@mintmark/envelope'
import * as v from 'valibot'
import { createInputError } from './errors.ts'
import type { OperationShape } from './types.ts'

/**
 * The schema of an operation's flat input: `params`, `query` and `body` together, strict unless the body is
 * open.
 */
export function inputSchema(operation: OperationShape): v.GenericSchema<unknown, Record<string, unknown>> {
  const entries: Entries = { ...operation.params, ...operation.query, ...operation.body }
  return operation.openBody ? v.looseObject(entries) : v.strictObject(entries)
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
