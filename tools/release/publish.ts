import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { commitCopy } from './copy.ts'
import type { Registry } from './registry.ts'
import { runAside } from './run.ts'

/** Publishes what the registry lacks, by `changeset publish`; answers it as `name@version`. */
export async function publish(copy: string, registry: Registry): Promise<readonly string[]> {
  writeFileSync(join(copy, '.npmrc'), registry.npmrc)
  commitCopy(copy, 'The versions of a release')
  const before = registry.published.length
  const changesets = join(repositoryRoot, 'node_modules/@changesets/cli/bin.js')
  await runAside(process.execPath, [changesets, 'publish'], copy, { ...process.env, CI: 'true' })
  return registry.published.slice(before)
}
