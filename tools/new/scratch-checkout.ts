import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { filesBelow, repositoryRoot } from '../workspace.ts'

/** Links what one folder of installed packages holds into another, so that our own packages can be others there. */
function linkModules(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    // Caches are each checkout's own; the commands are not.
    if (name === '@mintmark' || (name.startsWith('.') && name !== '.bin')) continue
    symlinkSync(join(from, name), join(to, name))
  }
}

/** A copy of the repository, unbuilt, with its own workspace packages and links to the installed ones. */
export function scratchCheckout() {
  const root = mkdtempSync(join(tmpdir(), 'mintmark-checkout-'))
  for (const file of filesBelow(repositoryRoot, (path) => !path.endsWith('.log'))) {
    cpSync(file, join(root, relative(repositoryRoot, file)))
  }
  linkModules(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'node_modules/@mintmark'))
  for (const name of readdirSync(join(root, 'packages'))) {
    const packaged = join(root, 'packages', name)
    symlinkSync(packaged, join(root, 'node_modules/@mintmark', name))
    const nested = join(repositoryRoot, 'packages', name, 'node_modules')
    if (readdirSync(join(repositoryRoot, 'packages', name)).includes('node_modules')) {
      linkModules(nested, join(packaged, 'node_modules'))
    }
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}
