import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { install, newProject } from '../release/install.ts'
import type { Packed } from '../release/pack.ts'
import { type Package, repositoryRoot } from '../workspace.ts'
import { entriesOf } from './entries.ts'

/** A project of somebody who uses all our packages, installed from their tarballs. */
export interface Consumer {
  readonly folder: string
  /** Programs of the clients: every entry is imported, and the type tests hold of what was packed. */
  readonly clients: readonly string[]
  /** Programs of the servers. */
  readonly servers: readonly string[]
  /** Adds a program, and answers its name. */
  write(name: string, text: string): string
  [Symbol.dispose](): void
}

/** A program that imports every entry of some packages. */
function importing(packages: readonly Package[]): string {
  const specifiers = packages.flatMap(entriesOf).map(({ specifier }) => specifier)
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from '${specifier}'`)
  const names = specifiers.map((_, index) => `entry${index}`)
  return `${imports.join('\n')}\nexport const entries: readonly object[] = [${names.join(', ')}]\n`
}

/** Copies a client's type tests, with the records that they are made of, and answers the tests' paths. */
function copyTypeTests({ folder }: Package, project: string): readonly string[] {
  const name = basename(folder)
  const tests = readdirSync(join(folder, 'src')).filter((file) => file.endsWith('.test-d.ts'))
  if (tests.length === 0) return []
  mkdirSync(join(project, name, 'src'), { recursive: true })
  for (const file of tests) cpSync(join(folder, 'src', file), join(project, name, 'src', file))
  const records = join(folder, 'testdata')
  if (existsSync(records)) cpSync(records, join(project, name, 'testdata'), { recursive: true })
  return tests.map((file) => `${name}/src/${file}`)
}

/** Type tests ask `vitest` for `expectTypeOf` alone; the rest of it, with declarations of many, is none of our consumers' business. */
function provideExpectTypeOf(project: string): void {
  const vitest = join(project, 'node_modules/vitest')
  mkdirSync(vitest)
  writeFileSync(
    join(vitest, 'package.json'),
    JSON.stringify({ name: 'vitest', version: '0.0.0', type: 'module', types: './index.d.ts' }),
  )
  writeFileSync(join(vitest, 'index.d.ts'), "export { expectTypeOf } from 'expect-type'\n")
  symlinkSync(join(repositoryRoot, 'node_modules/expect-type'), join(project, 'node_modules/expect-type'))
}

/** Installs all packages from their tarballs into a new project, with programs that use them. */
export async function consumerOf(packages: readonly Package[], packed: readonly Packed[]): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-consumer-'))
  newProject(folder, '')
  // What runs is tried elsewhere: here the binaries, which are optional, would only be copied.
  await install(folder, ['--omit=optional', '--ignore-scripts', ...packed.map(({ tarball }) => tarball)])
  provideExpectTypeOf(folder)
  const clients = packages.filter(({ manifest }) => manifest.sideEffects === false)
  const servers = packages.filter(({ manifest }) => manifest.sideEffects !== false)
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return name
  }
  const both = 'both-servers.ts'
  return {
    folder,
    clients: [
      write('clients.ts', importing(clients)),
      ...clients.flatMap((each) => copyTypeTests(each, folder)),
    ],
    servers: [
      write('servers.ts', importing(servers)),
      write(both, readFileSync(join(import.meta.dirname, 'programs', both), 'utf8')),
    ],
    write,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
