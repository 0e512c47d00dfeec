import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build, transform } from 'esbuild'
import { rollup } from 'rollup'
import { unmarkedIn } from '../build/outputs.ts'
import { type Package, packagesOf, repositoryRoot } from '../workspace.ts'

export type Bundler = 'esbuild' | 'rollup'

/** A folder with packages installed as they would be from the registry: their built files, without the sources. */
export interface Installation {
  readonly folder: string
  [Symbol.dispose](): void
}

/** Installs the packages' built files, and links what they need from elsewhere, into a folder of its own. */
function installBuilt(
  packages: readonly Package[],
  external: Readonly<Record<string, string>>,
): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bundle-'))
  for (const { folder: from, manifest } of packages) {
    if (!existsSync(join(from, 'dist/index.js')))
      throw new Error(`${manifest.name} is not built: npm run build`)
    const to = join(folder, 'node_modules', manifest.name)
    cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true })
    cpSync(join(from, 'package.json'), join(to, 'package.json'))
  }
  for (const [name, from] of Object.entries(external)) {
    const to = join(folder, 'node_modules', name)
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(from, to)
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Installs the client packages, and what they depend on. Throws when the compiler alone built them: nothing is marked then. */
export function installClients(): Installation {
  const packages = packagesOf(repositoryRoot).filter(({ manifest }) => manifest.sideEffects === false)
  const modules = join(repositoryRoot, 'node_modules')
  const installation = installBuilt(packages, { ky: join(modules, 'ky'), valibot: join(modules, 'valibot') })
  const unmarked = packages.filter(({ folder }) => unmarkedIn(join(folder, 'dist')).length > 0)
  if (unmarked.length === 0) return installation
  installation[Symbol.dispose]()
  throw new Error('The packages were built by tsc alone, so nothing is marked: npm run build')
}

/** What a bundler made of a program, minified. */
export interface Bundle {
  readonly code: string
  /** Bytes after gzip at its best. */
  readonly gzipped: number
}

const target = 'es2022'

function measured(code: string): Bundle {
  return { code, gzipped: gzipSync(code, { level: 9 }).length }
}

function entryOf({ folder }: Installation, source: string): string {
  const entry = join(folder, 'program.js')
  writeFileSync(entry, source)
  return entry
}

/** Bundles programs for a browser with esbuild, each by itself; what they share is read once. Answers the bundles by the programs' names. */
export async function bundleAll(
  installation: Installation,
  sources: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Bundle>> {
  const names = [...sources.keys()]
  const entryPoints = names.map((name, index) => {
    const entry = join(installation.folder, `program-${index}.js`)
    writeFileSync(entry, sources.get(name) ?? '')
    return entry
  })
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    outdir: installation.folder,
    format: 'esm',
    target,
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  return new Map(names.map((name, index) => [name, measured(texts.get(`program-${index}.js`) ?? '')]))
}

/** Bundles for a browser with esbuild. */
async function withEsbuild(installation: Installation, source: string): Promise<Bundle> {
  const [bundle] = (await bundleAll(installation, new Map([['program', source]]))).values()
  if (bundle === undefined) throw new Error('esbuild made nothing')
  return bundle
}

async function roll(installation: Installation, source: string) {
  const input = entryOf(installation, source)
  const bundle = await rollup({
    input,
    plugins: [nodeResolve({ browser: true })],
    // A missing export is only a warning to rollup.
    onwarn({ message }) {
      throw new Error(message)
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0]
}

/** Bundles for a browser with rollup; esbuild only makes the result small. */
async function withRollup(installation: Installation, source: string): Promise<Bundle> {
  const { code } = await roll(installation, source)
  return measured((await transform(code, { minify: true, format: 'esm', target })).code)
}

export function bundle(bundler: Bundler, installation: Installation, source: string): Promise<Bundle> {
  return bundler === 'esbuild' ? withEsbuild(installation, source) : withRollup(installation, source)
}

/**
 * A program that has what another takes from ky and valibot, and nothing else: what ours adds is the difference. Which functions
 * of valibot those are is read from what rollup leaves of it.
 */
export async function baselineOf(installation: Installation, source: string): Promise<string> {
  const { modules } = await roll(installation, source)
  const rendered = (name: string) =>
    Object.entries(modules)
      .filter(([id]) => id.includes(`${sep}node_modules${sep}${name}${sep}`))
      .flatMap(([, { renderedExports }]) => renderedExports)
  const used = [...new Set(rendered('valibot'))].sort()
  return `
    import ky from 'ky'
    import { ${used.join(', ')} } from 'valibot'
    globalThis.answer = [${['ky', ...used].join(', ')}]
  `
}
