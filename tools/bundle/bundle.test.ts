import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build, type Plugin, transform } from 'esbuild'
import { rollup } from 'rollup'
import { expect, it } from 'vitest'
import operations from '../operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../workspace.ts'

// Bytes after gzip, 1,000 to the kilobyte: what a program with one operation may weigh.
const MAX_PROGRAM_BYTES = 15_000
/** Of it our own code, without ky and valibot. */
const MAX_OWN_BYTES = 4_300
/** The heaviest operation: a list of records with many fields. */
const MAX_BYTES_OF_ANY_OPERATION = 15_400

/** Operations that are measured with both bundlers, one of each kind. */
const MEASURED: readonly string[] = [
  'walletInfo.get',
  'addressBook.add',
  'words.add',
  'orders.payOrder',
  'commonSales.putOnShelf',
  'productCards.addNftInfo',
  'promoCodeCards.get',
  'promoCodeCards.create',
  'eventCards.create',
  'commemorativeCards.listByCreator',
  'membershipCards.createVerification',
  'contracts.get',
  'nfts.get',
  'assets.get',
  'lazyMinting.getNft',
  'payments.settle',
]

type Bundler = 'esbuild' | 'rollup'
type Entry = "the group's entry" | 'the main entry'

interface Program {
  /** The package's folder. */
  readonly package: string
  readonly id: string
}

const target = 'es2022'

/** A program with one client and one call. */
function sourceOf({ package: folder, id }: Program, entry: Entry): string {
  const [group = '', operation] = id.split('.')
  const client = folder === 'facilitator' ? 'createFacilitator' : 'createGateway'
  const subpath = group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const [imported, called] =
    entry === 'the main entry'
      ? [`{ ${group} } from '@mintmark/${folder}'`, id]
      : [`{ ${operation} } from '@mintmark/${folder}/${subpath}'`, operation]
  return `
    import { ${client} } from '@mintmark/transport'
    import ${imported}
    globalThis.answer = ${called}(${client}(globalThis.settings), globalThis.input)
  `
}

/** Bundles programs by themselves, in their order. What they share is read once. */
async function bundleAll(sources: readonly string[]): Promise<readonly string[]> {
  const programs: Plugin = {
    name: 'programs',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\d+$/ }, ({ path }) => ({ path, namespace: 'program' }))
      onLoad({ filter: /.*/, namespace: 'program' }, ({ path }) => ({
        contents: sources[Number(path)] ?? '',
        resolveDir: repositoryRoot,
      }))
    },
  }
  const { outputFiles } = await build({
    entryPoints: sources.map((_, index) => ({ in: String(index), out: String(index) })),
    outdir: 'bundles',
    plugins: [programs],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target,
  })
  const numberOf = (path: string) => Number.parseInt(basename(path), 10)
  return outputFiles.toSorted((a, b) => numberOf(a.path) - numberOf(b.path)).map(({ text }) => text)
}

async function withEsbuild(source: string): Promise<string> {
  const [code = ''] = await bundleAll([source])
  return code
}

async function roll(source: string) {
  const program = `${repositoryRoot}/program.js`
  const own = {
    name: 'program',
    resolveId: (id: string) => (id === program ? id : null),
    load: (id: string) => (id === program ? source : null),
  }
  const plugins = [own, nodeResolve({ browser: true })]
  const onwarn = ({ message }: { message: string }) => {
    throw new Error(message)
  }
  const bundle = await rollup({ input: program, plugins, onwarn })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0]
}

/** Rollup bundles, esbuild only minifies. */
async function withRollup(source: string): Promise<string> {
  const { code } = await roll(source)
  return (await transform(code, { minify: true, format: 'esm', target })).code
}

const bundle = (bundler: Bundler, source: string) =>
  bundler === 'esbuild' ? withEsbuild(source) : withRollup(source)

const gzippedBytes = (code: string) => gzipSync(code, { level: 9 }).length

/** A program with ky and what another program uses of valibot. */
async function withoutOurs(source: string): Promise<string> {
  const { modules } = await roll(source)
  const valibot = Object.entries(modules).filter(([id]) => id.includes('node_modules/valibot/'))
  const used = [...new Set(valibot.flatMap(([, { renderedExports }]) => renderedExports))].join(', ')
  return `import ky from 'ky'\nimport { ${used} } from 'valibot'\nglobalThis.answer = [ky, ${used}]`
}

/** The groups whose paths are in a bundle. */
function groupsIn(code: string): readonly string[] {
  const found = operations.filter(({ path }) =>
    ['"', "'", '`'].some((quote) => code.includes(quote + path + quote)),
  )
  return [...new Set(found.map(({ id }) => id.split('.')[0] ?? ''))]
}

const cases = MEASURED.flatMap((id) => {
  const found = operations.find((each) => each.id === id)
  return found === undefined ? [] : { id, program: found }
})

it('measures operations that exist', () => {
  expect(cases.map(({ id }) => id)).toEqual(MEASURED)
})

it.each(cases)(
  'a program with $id alone stays within its size and contains no other group',
  async ({ id, program }) => {
    const baselineSource = await withoutOurs(sourceOf(program, "the group's entry"))
    const baseline = {
      esbuild: gzippedBytes(await withEsbuild(baselineSource)),
      rollup: gzippedBytes(await withRollup(baselineSource)),
    }
    for (const [entry, bundler] of [
      ["the group's entry", 'esbuild'],
      ["the group's entry", 'rollup'],
      ['the main entry', 'rollup'],
      // esbuild keeps the whole group behind `export * as`, so its size does not count.
      ['the main entry', 'esbuild'],
    ] as const) {
      const source = sourceOf(program, entry)
      const code = await bundle(bundler, source)
      expect(groupsIn(code), `${bundler} from ${entry}`).toEqual([id.split('.')[0]])
      if (entry === 'the main entry' && bundler === 'esbuild') continue
      const bytes = gzippedBytes(code)
      const own = bytes - baseline[bundler]
      expect(bytes, `${bundler} from ${entry}`).toBeLessThanOrEqual(MAX_PROGRAM_BYTES)
      expect(own, `our part, ${bundler} from ${entry}`).toBeLessThanOrEqual(MAX_OWN_BYTES)
      expect(own).toBeGreaterThan(500)
    }
  },
)

it('a program with any one operation stays within its size', { timeout: 300_000 }, async () => {
  const bundles = await bundleAll(operations.map((each) => sourceOf(each, "the group's entry")))
  expect(bundles).toHaveLength(operations.length)
  const sizes = bundles.map((code, index) => [operations[index]?.id, gzippedBytes(code)] as const)
  const heavy = sizes.filter(([, bytes]) => bytes > MAX_BYTES_OF_ANY_OPERATION)
  expect(heavy).toEqual([])
})
