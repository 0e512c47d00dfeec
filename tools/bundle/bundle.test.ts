import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Package, packagesOf, repositoryRoot } from '../workspace.ts'
import { type Bundle, type Bundler, baselineOf, bundle, type Installation, installBuilt } from './bundle.ts'
import { type Program, programs, sourceOf } from './programs.ts'

/** Bytes, of 1000 to the kilobyte. */
const MOST_IN_ALL = 15_000
const MOST_OF_OURS = 4_000

const bundlers: readonly Bundler[] = ['esbuild', 'rollup']
const entries = ['barrel', 'subpath'] as const
const cases = programs.flatMap((program) =>
  entries.flatMap((from) =>
    bundlers.map((bundler) => ({
      name: `${program.folder}: ${program.group}.${program.operation}, from the ${from}, by ${bundler}`,
      program,
      from,
      bundler,
    })),
  ),
)

let installation: Installation
/** Every path of an operation, by the group it belongs to. */
const paths = new Map<string, string>()

function isClient({ manifest }: Package): boolean {
  return manifest.sideEffects === false
}

beforeAll(async () => {
  const packages = packagesOf(repositoryRoot).filter(isClient)
  const modules = join(repositoryRoot, 'node_modules')
  installation = installBuilt(packages, { ky: join(modules, 'ky'), valibot: join(modules, 'valibot') })
  for (const { folder, manifest } of packages.filter(({ manifest }) =>
    manifest.nx?.tags?.includes('layer:domain'),
  )) {
    const main: Record<string, Record<string, unknown>> = await import(join(folder, 'src/index.ts'))
    for (const [group, members] of Object.entries(main)) {
      for (const operation of Object.values(members)) {
        if (typeof operation === 'function' && 'path' in operation && typeof operation.path === 'string') {
          paths.set(operation.path, `${manifest.name} ${group}`)
        }
      }
    }
  }
})
afterAll(() => installation[Symbol.dispose]())

function pathsIn(code: string): string[] {
  return [...paths.keys()].filter((path) =>
    ['"', "'", '`'].some((quote) => code.includes(quote + path + quote)),
  )
}

function groupOf({ folder, group }: Program): string {
  return `@mintmark/${folder} ${group}`
}

describe('a program with one operation', () => {
  it('is looked for among the paths of all groups', () => {
    expect(new Set(paths.values())).toEqual(new Set([...paths.values(), ...programs.map(groupOf)]))
  })

  it.each(cases)('is small: $name', async ({ program, from, bundler }) => {
    const source = sourceOf(program, from)
    const whole: Bundle = await bundle(bundler, installation, source)
    const baseline = await bundle(bundler, installation, await baselineOf(installation, source))
    const ours = whole.gzipped - baseline.gzipped
    const hint = 'after tsc alone nothing is marked as pure: npm run build'
    expect(whole.gzipped, hint).toBeLessThanOrEqual(MOST_IN_ALL)
    expect(ours, hint).toBeLessThanOrEqual(MOST_OF_OURS)
    // A difference that is too good means that the baseline holds more than the program does.
    expect(ours).toBeGreaterThan(500)
  })

  it.each(cases)('brings no other operation along: $name', async ({ program, from, bundler }) => {
    const { code } = await bundle(bundler, installation, sourceOf(program, from))
    const found = pathsIn(code)
    expect(new Set(found.map((path) => paths.get(path)))).toEqual(new Set([groupOf(program)]))
    // esbuild keeps a whole group behind `export * as`; that is what the groups' own entries are for.
    if (from === 'subpath' || bundler === 'rollup') expect(found).toHaveLength(1)
  })
})
