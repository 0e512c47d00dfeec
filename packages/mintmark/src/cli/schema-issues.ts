import { describeIssue, type Issue } from '@mintmark/envelope'
import * as v from 'valibot'

/** Lists the issues of a value; empty when it is valid. */
export function listIssues(schema: v.GenericSchema, value: unknown): readonly Issue[] {
  const { issues } = v.safeParse(schema, value)
  return issues?.map(describeIssue) ?? []
}
