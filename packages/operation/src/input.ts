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

/** Finds what is wrong if an input does not have exactly one of the fields in `oneOf`. */
export function findOneOfIssue(
  { oneOf }: OperationShape,
  input: Readonly<Record<string, unknown>>,
): Issue | undefined {
  const given = oneOf?.filter((name) => input[name] !== undefined)
  if (oneOf === undefined || given?.length === 1) return undefined
  return { path: given?.[1] ?? oneOf[0] ?? '', message: `Expected either ${oneOf.join(' or ')}` }
}

/** Lists the issues of an input; empty when it is valid. */
export function inputIssues(operation: OperationShape, input: unknown): readonly Issue[] {
  const { issues, output } = v.safeParse(inputSchema(operation), input)
  if (issues) return issues.map(describeIssue)
  const issue = findOneOfIssue(operation, output)
  return issue === undefined ? [] : [issue]
}

/**
 * Throws an `InvalidInputError` that names the invalid fields. It leaves `oneOf` to types and servers, because
 * every program with a client contains this function.
 */
export function checkInput(operation: OperationShape, input: unknown): void {
  const { issues } = v.safeParse(inputSchema(operation), input)
  if (issues) throw createInputError(operation, issues.map(describeIssue))
}
