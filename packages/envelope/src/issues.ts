import type * as v from 'valibot'
import type { Issue } from './envelope.ts'

/**
 * valibot's issue without the value received: what a field held may be a secret or a signature, and errors are
 * printed and logged.
 */
export function describeIssue(issue: v.BaseIssue<unknown>): Issue {
  const path = (issue.path ?? []).map((item) => String(item.key)).join('.')
  if (issue.expected === 'never') return { path, message: 'Unknown field' }
  if (issue.input === undefined) return { path, message: 'Required' }
  if (issue.kind === 'validation') return { path, message: issue.message.split(' but received ')[0] ?? '' }
  const input = issue.input
  const received =
    input === null ? 'null' : Array.isArray(input) ? 'an array' : `a value of type ${typeof input}`
  return { path, message: `Expected ${issue.expected ?? 'another value'}, received ${received}` }
}
