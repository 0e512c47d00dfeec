import type * as v from 'valibot'
import type { Issue } from './envelope.ts'

/**
 * valibot's issue without the value received: what a field held may be a secret or a signature, and errors are
 * printed and logged.
 */
export function describeIssue(issue: v.BaseIssue<unknown>): Issue {
  const { input, expected, message, received } = issue
  return {
    path: issue.path?.map(({ key }) => key).join('.') ?? '',
    message:
      expected === 'never'
        ? 'Unknown field'
        : input === undefined
          ? 'Required'
          : issue.kind === 'validation'
            ? message.replace(/( but|:) received .*/is, '')
            : // Of an object valibot tells the class, of anything else the value.
              `Expected ${expected}, received ${typeof input === 'object' ? received : typeof input}`,
  }
}
