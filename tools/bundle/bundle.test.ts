import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build, transform } from 'esbuild'
import { type OutputChunk, type RollupCache, rollup } from 'rollup'
import { expect, it } from 'vitest'
import operations from '../operations/operations.json' with { type: 'json' }
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'

// Bytes after gzip, 1,000 to the kilobyte: what a program with one operation may weigh.
const MAX_PROGRAM_BYTES = 15_200
/** Of it our own code, without ky and valibot. */
const MAX_OWN_BYTES = 4_620
/** The heaviest operation: a list of records with many fields. */
const MAX_BYTES_OF_ANY_OPERATION = 15_690

/** Operations that `npm test` measures with both bundlers: the heaviest of the packages. */
const HEAVIEST: readonly string[] = [
  'walletInfo.get',
  'orders.payOrder',
  'promoCodeCards.create',
  'payments.settle',
]
/** Operations that `npm run test:release` measures with both bundlers, one of each kind. */
const ALL_KINDS: readonly string[] = [
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

type Entry = "the group's entry" | 'the main entry'

interface Program {
  /** The package's folder. */
  readonly package: string
  readonly id: string
}

const target = 'es2022'
/** What Vite, webpack and Next.js select for the programs that they build for users. */
const conditions = ['production']

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

/** Bundles programs by themselves, and returns their code by their names. What they share is read once. */
async function bundleAll(sources: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  using scratch = scratchFolder(
    Object.fromEntries([...sources].map(([name, source]) => [`${name}.js`, source])),
  )
  const { outputFiles } = await build({
    entryPoints: [...sources.keys()].map((name) => join(scratch.root, `${name}.js`)),
    nodePaths: [join(repositoryRoot, 'node_modules')],
    outdir: scratch.root,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target,
    conditions,
  })
  return new Map(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]))
}

/** What rollup read for the last program. Programs share most of it. */
let cache: RollupCache | undefined

async function bundleByRollup(source: string): Promise<OutputChunk> {
  const program = `${repositoryRoot}/program.js`
  const own = {
    name: 'program',
    resolveId: (id: string) => (id === program ? id : null),
    load: (id: string) => (id === program ? source : null),
  }
  const plugins = [own, nodeResolve({ browser: true, exportConditions: conditions })]
  const onwarn = ({ message }: { message: string }) => {
    throw new Error(message)
  }
  const bundle = await rollup({ input: program, plugins, onwarn, ...(cache && { cache }) })
  cache = bundle.cache
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0]
}

async function minify(code: string): Promise<string> {
  return (await transform(code, { minify: true, format: 'esm', target })).code
}

const gzippedBytes = (code: string) => gzipSync(code, { level: 9 }).length

/** A program with ky and what another program, which rollup has bundled, uses of valibot. */
function sourceWithoutOurs({ modules }: OutputChunk): string {
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

function programOf(id: string): Program {
  const program = operations.find((each) => each.id === id)
  if (program === undefined) throw new Error(`No operation has the id ${id}`)
  return program
}

it.each(process.env.MEASURED_PROGRAMS === 'all' ? ALL_KINDS : HEAVIEST)(
  'a program with %s alone stays within its size and contains no other group',
  async (id) => {
    const program = programOf(id)
    const [main, group] = [sourceOf(program, 'the main entry'), sourceOf(program, "the group's entry")]
    const rolledGroup = await bundleByRollup(group)
    const libraries = sourceWithoutOurs(rolledGroup)
    const byEsbuild = await bundleAll(new Map(Object.entries({ main, group, libraries })))
    const byRollup = new Map([
      ['main', await minify((await bundleByRollup(main)).code)],
      ['group', await minify(rolledGroup.code)],
      ['libraries', await minify((await bundleByRollup(libraries)).code)],
    ])
    // esbuild keeps the whole group behind `export * as`, so the size of its bundle from the main entry does
    // not count.
    expect(groupsIn(byEsbuild.get('main') ?? ''), 'esbuild from the main entry').toEqual([id.split('.')[0]])
    for (const [bundles, entry] of [
      [byEsbuild, 'group'],
      [byRollup, 'group'],
      [byRollup, 'main'],
    ] as const) {
      const name = `${bundles === byEsbuild ? 'esbuild' : 'rollup'} from the ${entry} entry`
      const code = bundles.get(entry) ?? ''
      expect(groupsIn(code), name).toEqual([id.split('.')[0]])
      const bytes = gzippedBytes(code)
      const own = bytes - gzippedBytes(bundles.get('libraries') ?? '')
      expect(bytes, name).toBeLessThanOrEqual(MAX_PROGRAM_BYTES)
      expect(own, `our part of ${name}`).toBeLessThanOrEqual(MAX_OWN_BYTES)
      expect(own).toBeGreaterThan(500)
    }
  },
)

it('a program with any one operation stays within its size', async () => {
  const sources = operations.map((each) => [each.id, sourceOf(each, "the group's entry")] as const)
  const bundles = await bundleAll(new Map(sources))
  expect(bundles.size).toBe(operations.length)
  const sizes = [...bundles].map(([id, code]) => [id, gzippedBytes(code)] as const)
  expect(sizes.filter(([, bytes]) => bytes > MAX_BYTES_OF_ANY_OPERATION)).toEqual([])
})
