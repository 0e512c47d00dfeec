import { describeIssue, type Entries, type Issue } from '@mintmark/envelope'
import * as v from 'valibot'
import { invalid } from './failure.ts'
import type { OperationShape } from './operation.ts'

/** The schema of an operation's flat input: `params`, `query` and `body` together, strict unless the body is open. */
export function inputSchema(operation: OperationShape): v.GenericSchema<unknown, Record<string, unknown>> {
  const entries: Entries = { ...operation.params, ...operation.query, ...operation.body }
  return operation.openBody ? v.looseObject(entries) : v.strictObject(entries)
}

/** Every reason why the input does not fit the operation; none when it does. */
export function inputIssues(operation: OperationShape, input: unknown): readonly Issue[] {
  const result = v.safeParse(inputSchema(operation), input)
  return result.success ? [] : result.issues.map(describeIssue)
}

/** Throws `InvalidInputError` that names the fields, before anything is sent. */
export function checkInput(operation: OperationShape, input: unknown): void {
  const { issues } = v.safeParse(inputSchema(operation), input)
  if (issues) throw invalid(operation, issues.map(describeIssue))
}
