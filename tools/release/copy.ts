import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from './run.ts'

const LEFT_OUT = new Set(['node_modules', '.git', '.nx', '.mintmark', 'coverage'])

/**
 * Copies the repository as it stands, built files and uncommitted changes included, and gives the copy a history of one commit:
 * changesets asks git where a change came from.
 */
export function copyRepository(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
  const author = ['-c', 'user.name=release', '-c', 'user.email=release@localhost']
  run('git', ['init', '--quiet', '--initial-branch=main'], to)
  run('git', ['add', '--all'], to)
  run('git', [...author, 'commit', '--quiet', '--no-verify', '--message', join('release', 'copy')], to)
}
