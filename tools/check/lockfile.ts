import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from './problem.ts'

interface Entry {
  readonly resolved?: string
  readonly link?: boolean
}

/**
 * The lockfile names packages by version and integrity, never by the address they were fetched from: an address would tie
 * everybody to one registry. Workspace packages are links with a path.
 */
export function checkLockfile(root: string): readonly Problem[] {
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(packages)
    .filter(
      ([, entry]) =>
        entry.resolved !== undefined && (entry.link !== true || /^[a-z+]+:/.test(entry.resolved)),
    )
    .map(([path]) => ({
      file: 'package-lock.json',
      text: `${path} records an address: npm config set omit-lockfile-registry-resolved true, then npm install --package-lock-only`,
    }))
}
