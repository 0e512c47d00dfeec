// `node tools/setup.mjs toolchains`: installs the runtimes and compilers that the packages are tried with, some 750 MB. Starting and
// building need none of them, so they are kept apart from what the repository itself needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installToolchains, type Toolchain, toolchain, versionOf } from './toolchains.ts'

console.log(installToolchains() ? 'Installed:' : 'Installed before:')
const { dependencies }: { dependencies: Record<Toolchain, string> } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
)
for (const name of Object.keys(dependencies) as Toolchain[]) {
  toolchain(name)
  console.log(`${name} ${versionOf(name)}`)
}
