import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { MOST_IN_ALL, MOST_OF_ANY, MOST_OF_FURTHER, MOST_OF_OURS } from './budgets.ts'
import { type Bundle, type Bundler, baselineOf, bundle, type Installation, installClients } from './bundle.ts'
import { type Program, programs, sourceOf } from './programs.ts'
import { overBudget, type Weight, weigh } from './weights.ts'

/** What comes on top by esbuild from the barrel: it keeps a whole group behind `export * as`. The groups' own entries do without. */
const MOST_OF_A_GROUP = 1_750
/** Groups that are over that: twenty operations with the records of presales, whitelists and mints. Each is held to what it takes today. */
const GROUPS_OVER: Record<string, number> = { lazyMinting: 2_550, productCards: 2_550 }
/**
 * Operations that are over that for what is their own: the fifty fields of an order, those of a listing, the fields and the walking of a page, the fields
 * of a new card. Each is held to what it takes today.
 */
const OVER: Record<string, number> = {
  'orders.payOrder': 4_180,
  'commonSales.putOnShelf': 4_160,
  'promoCodeCards.create': 4_060,
  'eventCards.create': 4_060,
  'commemorativeCards.listByCreator': 4_300,
}

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

type Case = (typeof cases)[number]

let installation: Installation
/** Every path of an operation, by the group it belongs to. */
const paths = new Map<string, string>()

beforeAll(async () => {
  installation = installClients()
  for (const { folder, manifest } of packagesOf(repositoryRoot).filter(({ manifest }) =>
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

/** Bundles each program once, for all that is asked of it. */
const done = new Map<string, Promise<Bundle>>()
function once(key: string, make: () => Promise<Bundle>): Promise<Bundle> {
  const made = done.get(key) ?? make()
  done.set(key, made)
  return made
}
const bundled = ({ name, program, from, bundler }: Case) =>
  once(name, () => bundle(bundler, installation, sourceOf(program, from)))
const baseline = ({ name, program, from, bundler }: Case) =>
  once(`below ${name}`, async () =>
    bundle(bundler, installation, await baselineOf(installation, sourceOf(program, from))),
  )

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

  it.each(cases)('is small: $name', async (each) => {
    const whole = await bundled(each)
    const ours = whole.gzipped - (await baseline(each)).gzipped
    const { group, operation } = each.program
    const ofGroup = GROUPS_OVER[group] ?? MOST_OF_A_GROUP
    const more = each.from === 'barrel' && each.bundler === 'esbuild' ? ofGroup : 0
    expect(whole.gzipped).toBeLessThanOrEqual(MOST_IN_ALL + more)
    expect(ours).toBeLessThanOrEqual((OVER[`${group}.${operation}`] ?? MOST_OF_OURS) + more)
    // A difference that is too good means that the baseline holds more than the program does.
    expect(ours).toBeGreaterThan(500)
  })

  it.each(cases)('brings no other operation along: $name', async (each) => {
    const { program, from, bundler } = each
    const found = pathsIn((await bundled(each)).code)
    expect(new Set(found.map((path) => paths.get(path)))).toEqual(new Set([groupOf(program)]))
    // esbuild keeps a whole group behind `export * as`; that is what the groups' own entries are for.
    if (from === 'subpath' || bundler === 'rollup') expect(found).toHaveLength(1)
  })
})

describe('all operations, each from the entry of its group', () => {
  it('are not much heavier alone, and cost little beside another', { timeout: 300_000 }, async () => {
    const weights = await weigh(installation)
    expect(weights.length).toBeGreaterThan(100)
    expect(overBudget(weights)).toEqual([])
    // An operation that costs nothing was not in the program.
    for (const { further } of weights)
      expect(Math.min(...further.map(({ bytes }) => bytes))).toBeGreaterThan(0)
  })

  it('are told from those within the budget when they are over it', () => {
    const weight: Weight = {
      package: 'cards',
      id: 'a.get',
      alone: MOST_OF_ANY,
      further: [{ beside: 'a.list', bytes: MOST_OF_FURTHER }],
    }
    expect(overBudget([weight])).toEqual([])
    expect(overBudget([{ ...weight, alone: MOST_OF_ANY + 1 }])).toEqual([
      expect.stringContaining('a.get alone weighs'),
    ])
    const further = [{ beside: 'a.list', bytes: MOST_OF_FURTHER + 1 }]
    expect(overBudget([{ ...weight, further }])).toEqual([expect.stringContaining('to a.list')])
  })
})
