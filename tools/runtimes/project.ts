import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, transform } from 'esbuild'
import { readRelease } from '../release/pack.ts'
import { run } from '../run.ts'

/**
 * A user's project with the client packages installed from their tarballs, and the program in every form that
 * runtimes need.
 */
export interface Project {
  /** Absolute path of its folder. */
  readonly folder: string
  /** The names of the installed packages. */
  readonly packages: readonly string[]
}

/** The program as an ES module. */
export const PROGRAM = 'program.js'

/** Runs the program with its argument and prints the result, for runtimes that start a file. */
const COMMANDS = {
  'command.js': `
    import { program } from './${PROGRAM}'
    console.log(JSON.stringify(await program(JSON.parse(process.argv[2]))))
  `,
  'command.cjs': `
    const { program } = require('./program.cjs')
    program(JSON.parse(process.argv[2])).then((seen) => console.log(JSON.stringify(seen)))
  `,
  'command.ts': `
    import { program } from './program.ts'
    console.log(JSON.stringify(await program(JSON.parse(Deno.args[0] ?? ''))))
  `,
}

export type Command = keyof typeof COMMANDS

export async function createProject(stops: AsyncDisposableStack): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-runtimes-'))
  stops.defer(() => rmSync(folder, { recursive: true, force: true }))
  const write = (file: string, content: string) => writeFileSync(join(folder, file), content)
  const clients = readRelease().packages.filter(({ manifest }) => manifest.sideEffects === false)
  const dependencies = Object.fromEntries(
    clients.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
  )
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...options], { cwd: folder })
  const source = readFileSync(join(import.meta.dirname, 'program.ts'), 'utf8')
  write('program.ts', source)
  const target = 'es2022'
  write(PROGRAM, (await transform(source, { loader: 'ts', format: 'esm', target })).code)
  write('program.cjs', (await transform(source, { loader: 'ts', format: 'cjs', target })).code)
  for (const [file, code] of Object.entries(COMMANDS)) write(file, code)
  await build({
    absWorkingDir: folder,
    entryPoints: [PROGRAM],
    outfile: 'program.bundled.js',
    bundle: true,
    format: 'esm',
    target,
    logLevel: 'silent',
  })
  const lockfile: { packages: object } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const packages = Object.keys(lockfile.packages).flatMap((path) => path.split('node_modules/').slice(1))
  return { folder, packages }
}
