import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { packAll } from '../release/pack.ts'
import { run } from '../release/run.ts'

/** A project as a product team has it: the packages installed from their tarballs, and a program. */
export interface Project {
  /** Absolute path of its folder. */
  readonly folder: string
  /** What the client packages and what they need are called, as `node_modules` has them. */
  readonly packages: readonly string[]
  remove(): void
}

/** The program as JavaScript: an ES module. */
export const PROGRAM = 'program.js'

/** Files that run the program on what their first argument says, and print what it saw: for whoever can start a file. */
export const COMMANDS = {
  esm: 'command.js',
  commonjs: 'command.cjs',
  deno: 'command.ts',
} as const

const commands: Readonly<Record<string, string>> = {
  [COMMANDS.esm]: `
    import { program } from './${PROGRAM}'
    console.log(JSON.stringify(await program(JSON.parse(process.argv[2]))))
  `,
  [COMMANDS.commonjs]: `
    const { program } = require('./program.cjs')
    program(JSON.parse(process.argv[2])).then((seen) => console.log(JSON.stringify(seen)))
  `,
  [COMMANDS.deno]: `
    import { program } from './program.ts'
    console.log(JSON.stringify(await program(JSON.parse(Deno.args[0] ?? ''))))
  `,
}

/** Packs the client packages as they are built, and installs them with npm into a folder of its own. */
export async function createProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-runtimes-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const clients = packAll(join(folder, 'tarballs')).filter(({ manifest }) => manifest.sideEffects === false)
    const dependencies = Object.fromEntries(
      clients.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
    )
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies }),
    )
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder)
    const source = readFileSync(join(import.meta.dirname, 'program.ts'), 'utf8')
    for (const [file, format] of [
      [PROGRAM, 'esm'],
      ['program.cjs', 'cjs'],
    ] as const) {
      const { code } = await transform(source, { loader: 'ts', format, target: 'es2022' })
      writeFileSync(join(folder, file), code)
    }
    writeFileSync(join(folder, 'program.ts'), source)
    for (const [file, code] of Object.entries(commands)) writeFileSync(join(folder, file), code)
    const installed: { packages: Record<string, unknown> } = JSON.parse(
      readFileSync(join(folder, 'package-lock.json'), 'utf8'),
    )
    const packages = Object.keys(installed.packages).flatMap((path) => path.split('node_modules/').slice(1))
    return { folder, packages, remove }
  } catch (error) {
    remove()
    throw error
  }
}
