import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { filesBelow } from '../workspace.ts'
import type { Problem } from './problem.ts'

const REFUSED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\b(?:TODO|FIXME|XXX|HACK)\b/, 'a left-over mark: do it, or open an issue'],
  [/@ts-(?:ignore|nocheck)\b/, 'types waved through: say what the compiler cannot know, with a reason'],
  [/(?:^|[\s"'`(=:])\/(?:work|root|home|Users)\/\w/, 'a path of one machine'],
  [/https?:\/\/(?:registry|deb)\./, 'the address of a package registry'],
  [/\b(?:it|test|describe|suite)\.only\(/, 'only this test would run: take .only away'],
]

const TEXT = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|sh|sql|sol|html|css)$|\/(?:run|LICENSE|\.gitignore|\.npmrc)$/
/** What other tools write, or what has to spell out the words that are looked for. */
const EXEMPT =
  /^(?:package-lock\.json|tools\/devchain\/artifacts\/.*|tools\/check\/repository(?:\.test)?\.ts)$/

/** Marks, paths and addresses that do not belong into a repository that others read. */
export function checkRepository(root: string): readonly Problem[] {
  return filesBelow(root, (path) => TEXT.test(path)).flatMap((path) => {
    const file = relative(root, path).split(sep).join('/')
    if (EXEMPT.test(file)) return []
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index): Problem[] =>
        REFUSED.filter(([pattern]) => pattern.test(line)).map(([, text]) => ({
          file,
          line: index + 1,
          text,
        })),
      )
  })
}
