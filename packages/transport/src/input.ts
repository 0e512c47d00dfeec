import { describeIssue, type Entries, type Issue } from '@mintmark/envelope'
import * as v from 'valibot'
import { invalid } from './failure.ts'
import type { OperationShape } from './operation.ts'

const schemas = /* @__PURE__ */ new WeakMap<
  OperationShape,
  v.GenericSchema<unknown, Record<string, unknown>>
>()

/**
 * The schema of an operation's flat input: `params`, `query` and `body` together, strict unless the body is open. Made
 * once an operation, when it is first called.
 */
export function inputSchema(operation: OperationShape): v.GenericSchema<unknown, Record<string, unknown>> {
  let schema = schemas.get(operation)
  if (schema === undefined) {
    const entries: Entries = { ...operation.params, ...operation.query, ...operation.body }
    schema = operation.openBody ? v.looseObject(entries) : v.strictObject(entries)
    schemas.set(operation, schema)
  }
  return schema
}

/** Every reason why the input does not fit the operation; none when it does. */
export function inputIssues(operation: OperationShape, input: unknown): readonly Issue[] {
  const result = v.safeParse(inputSchema(operation), input)
  return result.success ? [] : result.issues.map(describeIssue)
}

/** Throws `InvalidInput` that names the fields, before anything is sent. */
export function checkInput(operation: OperationShape, input: unknown): void {
  const issues = inputIssues(operation, input)
  if (issues.length > 0) throw invalid(operation, issues)
}
