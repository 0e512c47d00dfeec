import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { filesBelow, packagesOf, repositoryRoot } from '../workspace.ts'

/** A copy of the repository, unbuilt, with its own workspace packages and links to the installed ones. */
export function scratchCheckout() {
  const root = mkdtempSync(join(tmpdir(), 'mintmark-checkout-'))
  for (const file of filesBelow(repositoryRoot, (path) => !path.endsWith('.log')))
    cpSync(file, join(root, relative(repositoryRoot, file)))
  // npm links the workspace packages by relative paths, which lead to the copies. Caches stay with their
  // checkout.
  const installed = ['', 'docs', 'tools/gates'].map((folder) => join(repositoryRoot, folder))
  for (const folder of [...installed, ...packagesOf(repositoryRoot).map((each) => each.folder)]) {
    const modules = existsSync(join(folder, 'node_modules')) ? readdirSync(join(folder, 'node_modules')) : []
    const target = join(root, relative(repositoryRoot, folder), 'node_modules')
    if (modules.length > 0) mkdirSync(target)
    for (const name of modules) {
      const source = join(folder, 'node_modules', name)
      if (name === '@mintmark')
        cpSync(source, join(target, name), { recursive: true, verbatimSymlinks: true })
      else if (!name.startsWith('.') || name === '.bin') symlinkSync(source, join(target, name))
    }
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}
