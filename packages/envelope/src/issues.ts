import type * as v from 'valibot'
import type { Issue } from './envelope.ts'

/**
 * Converts an issue of valibot to ours, without the received value. A value may be a secret or a signature,
 * and errors are printed and logged.
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
            ? // The text before the value, which is the whole message if that has none.
              (message.split(/( but|:) received/i)[0] as string)
            : // valibot's `received` is the class of an object, and NaN. For anything else it is the value.
              // biome-ignore lint/suspicious/noSelfCompare: only NaN differs from itself, and every byte is in all programs.
              `Expected ${expected}, received ${input === input && typeof input !== 'object' ? typeof input : received}`,
  }
}
