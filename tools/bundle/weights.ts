import { join } from 'node:path'
import operations from '../operations/operations.json' with { type: 'json' }
import { type Package, packagesOf, repositoryRoot } from '../workspace.ts'
import { MOST_OF_ANY, MOST_OF_FURTHER } from './budgets.ts'
import { type Bundle, bundleAll, type Installation } from './bundle.ts'

interface Listed {
  /** The folder below `packages/`. */
  readonly package: string
  readonly id: string
}

/** What one operation weighs, in bytes after gzip by esbuild, imported from the entry of its group. */
export interface Weight extends Listed {
  /** A program with this operation alone. */
  readonly alone: number
  /** What it adds to a program with another operation: one of its own group, and one of another group of its package where there is one. */
  readonly further: readonly { readonly beside: string; readonly bytes: number }[]
}

const groupOf = ({ id }: Listed) => id.slice(0, id.indexOf('.'))

/** The program of a product team that calls these operations. */
function programOf(called: readonly Listed[]): string {
  const client = called.some(({ package: name }) => name === 'facilitator')
    ? 'createFacilitator'
    : 'createGateway'
  const imports = called.map((each, index) => {
    const entry = groupOf(each).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return `import { ${each.id.slice(groupOf(each).length + 1)} as call${index} } from '@mintmark/${each.package}/${entry}'`
  })
  const calls = called.map((_, index) => `call${index}(client, globalThis.input)`)
  return `
    import { ${client} } from '@mintmark/transport'
    ${imports.join('\n')}
    const client = ${client}(globalThis.settings)
    globalThis.answer = [${calls.join(', ')}]
  `
}

const nameOf = (called: readonly Listed[]) => called.map(({ id }) => id).join(' and ')

/** The operations that answer pages: the first of a program brings the walking of pages along. */
async function pagedOf(): Promise<ReadonlySet<string>> {
  const paged = new Set<string>()
  const isDomain = ({ manifest }: Package) => manifest.nx?.tags?.includes('layer:domain') === true
  for (const { folder } of packagesOf(repositoryRoot).filter(isDomain)) {
    const groups: Record<string, object> = await import(join(folder, 'src/index.ts'))
    for (const members of Object.values(groups)) {
      for (const operation of Object.values(members)) {
        if (operation?.paged === true) paged.add(operation.id)
      }
    }
  }
  return paged
}

/**
 * What each operation of `operations.json` stands beside: one of its own group, whatever that is; and one of another group of its
 * package, of the same kind, so that the walking of pages is counted where it comes from.
 */
function besides(each: Listed, paged: ReadonlySet<string>): readonly Listed[] {
  const others = operations.filter(({ package: name, id }) => name === each.package && id !== each.id)
  const own = others.find((other) => groupOf(other) === groupOf(each))
  const elsewhere = others.filter((other) => groupOf(other) !== groupOf(each))
  const other = elsewhere.find(({ id }) => paged.has(id) === paged.has(each.id)) ?? elsewhere[0]
  return [own, other].filter((found) => found !== undefined)
}

/** Weighs every operation: alone, and as a further one. */
export async function weigh(installation: Installation): Promise<readonly Weight[]> {
  const paged = await pagedOf()
  const asked = operations.map((each) => ({ each, besides: besides(each, paged) }))
  const programs = asked.flatMap(({ each, besides }) => [[each], ...besides.map((other) => [other, each])])
  const sources = new Map(programs.map((called) => [nameOf(called), programOf(called)]))
  const bundles = await bundleAll(installation, sources)
  const sizeOf = (...called: readonly Listed[]) => sizeIn(bundles, nameOf(called))
  return asked.map(({ each, besides }) => ({
    ...each,
    alone: sizeOf(each),
    further: besides.map((other) => ({ beside: other.id, bytes: sizeOf(other, each) - sizeOf(other) })),
  }))
}

function sizeIn(bundles: ReadonlyMap<string, Bundle>, name: string): number {
  const found = bundles.get(name)
  if (found === undefined) throw new Error(`${name} was not bundled`)
  return found.gzipped
}

/** What is over the budgets, an operation each. */
export function overBudget(weights: readonly Weight[]): readonly string[] {
  return weights.flatMap(({ id, alone, further }) => [
    ...(alone > MOST_OF_ANY ? [`${id} alone weighs ${alone} bytes, over ${MOST_OF_ANY}`] : []),
    ...further
      .filter(({ bytes }) => bytes > MOST_OF_FURTHER)
      .map(({ beside, bytes }) => `${id} adds ${bytes} bytes to ${beside}, over ${MOST_OF_FURTHER}`),
  ])
}
