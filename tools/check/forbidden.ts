const FORBIDDEN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\b(?:TODO|FIXME|XXX|HACK)\b/, 'Remove the mark: do it, or open an issue'],
  // A directive begins its line. Generated declarations have one in a text.
  [/^\s*\{?(?:\/\/|\/?\*+)\s*@ts-(?:ignore|nocheck)\b/, 'Use @ts-expect-error with a reason'],
  [/(?:^|[\s"'`(=:])\/(?:work|root|home|Users)\/\w/, 'This path exists on one machine only'],
  [
    /https?:\/\/(?:registry|deb|localhost|mirrors?)\./,
    'This address of a registry or a private host does not work for everybody',
  ],
  [/\]\(http:/, 'Link to https'],
  [/\b(?:it|test|describe|suite)\.only\(/, 'Remove .only: no other test would run'],
  [/(?:^|[\s(,{[])\.\.\.\{/, 'Write the fields themselves instead of spreading an object literal'],
]

/** The lines of a text that nobody should commit, from 1. */
export function findForbidden(text: string): readonly { readonly line: number; readonly reason: string }[] {
  return text.split('\n').flatMap((content, index) =>
    FORBIDDEN.filter(([pattern]) => pattern.test(content)).map(([, reason]) => ({
      line: index + 1,
      reason,
    })),
  )
}
