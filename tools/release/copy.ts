import { cpSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from './run.ts'

/**
 * What a release reads: the packages, with their built files, and the changes that wait. The lockfile is there because changesets
 * tells npm's workspaces by it.
 */
const PARTS = ['package.json', 'package-lock.json', '.changeset', 'packages']
const LEFT_OUT = ['node_modules', 'coverage']
/** What packages are packed from; versions do not depend on it. */
const CONTENT = ['src', 'dist']

/** Commits all of a copy, by nobody in particular. Right after a release there may be nothing new in it. */
export function commitCopy(copy: string, message: string): void {
  const author = ['-c', 'user.name=release', '-c', 'user.email=release@localhost']
  const options = ['--quiet', '--allow-empty', '--no-verify', '--no-gpg-sign', `--message=${message}`]
  run('git', ['add', '--all'], copy)
  run('git', [...author, 'commit', ...options], copy)
}

/**
 * Copies what a release reads from the checkout as it stands, built files and uncommitted changes included, and gives the copy a
 * history of one commit: changesets asks git where a change came from.
 */
export function copyForRelease(from: string, to: string, options: { content?: boolean } = {}): void {
  const leftOut = new Set(options.content === false ? [...LEFT_OUT, ...CONTENT] : LEFT_OUT)
  mkdirSync(to, { recursive: true })
  for (const part of PARTS) {
    cpSync(join(from, part), join(to, part), {
      recursive: true,
      filter: (path) => !leftOut.has(basename(path)),
    })
  }
  run('git', ['init', '--quiet', '--initial-branch=main'], to)
  commitCopy(to, 'The checkout as it stands')
}
