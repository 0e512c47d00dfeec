import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'
import { filesBelow, type Manifest, type Package, packagesOf, readManifest } from '../workspace.ts'
import { layerOf, refusal } from './layers.ts'
import type { Problem } from './problem.ts'

// What stands in a folder `testing` is for tests as well, and not published either.
const isTest = (file: string) => /\.test(?:-d)?\.ts$|[\\/]testing[\\/]/.test(file)

/** `@mintmark/cards` of `@mintmark/cards/event-cards`, `ky` of `ky/distribution`. */
function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function declared(manifest: Manifest): ReadonlySet<string> {
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  return new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}

interface Import {
  readonly specifier: string
  readonly line: number
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, 'utf8')
  // Every import, export from, import type and import() with a literal, in declarations too.
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: text.slice(0, pos).split('\n').length,
  }))
}

/**
 * Imports that go up or sideways, to what a package.json does not declare, or out of a package; layers that are not named; and
 * dependencies or exports that could only break the rules once somebody used them.
 *
 * Test files are not published: they may also use what the root declares for development, and the tools.
 */
export function checkBoundaries(root: string): readonly Problem[] {
  const packages = packagesOf(root)
  const byName = new Map(packages.map(({ manifest }) => [manifest.name, manifest]))
  const forTests = new Set(Object.keys(readManifest(join(root, 'package.json')).devDependencies ?? {}))

  function checkImport({ folder, manifest }: Package, file: string, specifier: string): string | undefined {
    if (specifier.startsWith('.')) {
      const target = resolve(dirname(file), specifier)
      if (!isTest(file) && isTest(target)) return `imports ${specifier}, which is not published`
      if (isInside(folder, target) || (isTest(file) && isInside(join(root, 'tools'), target)))
        return undefined
      return `imports ${specifier}, which leaves the package: import the other package by its name`
    }
    // `#name`: the package's own module, by the `imports` of its package.json; Node refuses what is not there.
    if (/^(?:node:|#)/.test(specifier)) return undefined
    if (builtinModules.includes(specifier)) return `imports ${specifier}: write node:${specifier}`
    const name = packageName(specifier)
    const sibling = byName.get(name)
    const against = sibling === undefined ? undefined : refusal(manifest, sibling)
    if (against !== undefined) return against
    if (name === manifest.name || declared(manifest).has(name)) return undefined
    if (isTest(file) && (forTests.has(name) || sibling !== undefined)) return undefined
    return `imports ${specifier}, which package.json does not declare`
  }

  return packages.flatMap((each) => {
    const { folder, manifest } = each
    const at = (file: string) => relative(root, file).split(sep).join('/')
    const own = checkManifest(each, byName).map(
      (text): Problem => ({ file: at(join(folder, 'package.json')), text }),
    )
    const sources = filesBelow(join(folder, 'src'), (path) => path.endsWith('.ts'))
    const bad = sources.flatMap((file) =>
      importsOf(file).flatMap(({ specifier, line }): Problem[] => {
        const text = checkImport({ folder, manifest }, file, specifier)
        return text === undefined ? [] : [{ file: at(file), line, text }]
      }),
    )
    return [...own, ...bad]
  })
}

function checkManifest(
  { folder, manifest }: Package,
  byName: ReadonlyMap<string, Manifest>,
): readonly string[] {
  const problems: string[] = []
  if (layerOf(manifest) === undefined)
    problems.push('nx.tags name no layer: one of server, kit, domain, core')
  for (const name of declared(manifest)) {
    const sibling = byName.get(name)
    const against = sibling === undefined ? undefined : refusal(manifest, sibling)
    if (against !== undefined) problems.push(against.replace('imports', 'depends on'))
  }
  for (const [subpath, targets] of Object.entries(manifest.exports ?? {})) {
    if (typeof targets === 'string') {
      if (!existsSync(join(folder, targets))) problems.push(`exports ${subpath}: ${targets} does not exist`)
      continue
    }
    const source = targets['@mintmark/source']
    if (source === undefined || !existsSync(join(folder, source))) {
      problems.push(
        `exports ${subpath}: its source ${source ?? 'is not named'}${source === undefined ? '' : ' does not exist'}`,
      )
      continue
    }
    if (Object.keys(targets).join() !== '@mintmark/source,types,default') {
      problems.push(`exports ${subpath}: the conditions are @mintmark/source, types, default, in this order`)
    }
    const built = source.replace('./src/', './dist/')
    for (const [condition, ending] of [
      ['types', '.d.ts'],
      ['default', '.js'],
    ] as const) {
      const wanted = built.replace(/\.ts$/, ending)
      if (targets[condition] !== wanted) problems.push(`exports ${subpath}: ${condition} should be ${wanted}`)
    }
  }
  for (const [command, target] of Object.entries(manifest.bin ?? {})) {
    const source = target.replace(/^(?:\.\/)?dist\//, 'src/').replace(/\.js$/, '.ts')
    if (!existsSync(join(folder, source)))
      problems.push(`bin ${command}: its source ${source} does not exist`)
  }
  return problems
}
