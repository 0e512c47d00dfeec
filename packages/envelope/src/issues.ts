import type * as v from 'valibot'
import type { Issue } from './envelope.ts'

/**
 * valibot's issue without the value received: what a field held may be a secret or a signature, and errors are
 * printed and logged.
 */
export function describeIssue(issue: v.BaseIssue<unknown>): Issue {
  const { input, expected } = issue
  const path = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
  const message =
    expected === 'never'
      ? 'Unknown field'
      : input === undefined
        ? 'Required'
        : issue.kind === 'validation'
          ? issue.message.replace(/(?: but|:) received .*/is, '')
          : `Expected ${expected}, received ${Array.isArray(input) ? 'an array' : input === null ? 'null' : `a value of type ${typeof input}`}`
  return { path, message }
}
