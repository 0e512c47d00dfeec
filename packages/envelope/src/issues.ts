import type * as v from 'valibot'
import type { Issue } from './envelope.ts'

/**
 * Converts an issue of valibot to ours, without the received value. A value may be a secret or a signature, and errors are printed and
 * logged.
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
            : // For an object, valibot's `received` is the class. For anything else it is the value.
              `Expected ${expected}, received ${typeof input === 'object' ? received : typeof input}`,
  }
}
