import type { Installed } from './install.ts'
import type { Packed } from './pack.ts'

/** A project of somebody who wants some of our packages and nothing else. */
export interface Project {
  readonly name: string
  /** The file in `programs/`; the project's name unless told. */
  readonly program?: string
  /** What they type after `npm install`: names, with a version where they ask for one. */
  readonly wanted: readonly string[]
  /** The `overrides` of their package.json: what a package gets instead of what it asks for. */
  readonly overrides?: Readonly<Record<string, unknown>>
  /** All that npm may put there for it; where it is left out, the servers' dependencies make it long and changing. */
  readonly installed?: readonly string[]
}

/** What calling anything takes. */
const CALLING = ['@mintmark/core-auth', '@mintmark/envelope', '@mintmark/transport', 'ky', 'valibot']

function clientProject(name: string, ...domains: readonly string[]): Project {
  const packages = domains.map((domain) => `@mintmark/${domain}`)
  return {
    name,
    wanted: ['@mintmark/transport', ...packages],
    installed: [...packages, ...CALLING].sort(),
  }
}

/** Each domain by itself, and two together. */
export const clientProjects: readonly Project[] = [
  clientProject('cards', 'cards'),
  clientProject('cards-and-orders', 'cards', 'orders'),
  clientProject('contracts', 'contracts'),
  clientProject('facilitator', 'facilitator'),
  clientProject('market', 'market'),
  clientProject('orders', 'orders'),
  clientProject('wallet', 'wallet'),
]

/** Everything that we publish; the servers that the other projects call run here. */
export function everything(published: readonly string[]): Project {
  return { name: 'everything', wanted: published }
}

/** Every entry of some packages, as a program imports it. */
export function entriesOf(wanted: readonly string[], packed: readonly Packed[]): readonly string[] {
  const names = wanted.map((each) => each.replace(/(?<=.)@.*$/, ''))
  return packed
    .filter(({ manifest }) => names.includes(manifest.name))
    .flatMap(({ manifest }) =>
      Object.entries(manifest.exports ?? {})
        // What is no module, such as package.json, is exported by its path alone.
        .filter(([, targets]) => typeof targets !== 'string')
        .map(([subpath]) => `${manifest.name}${subpath.slice(1)}`),
    )
}

/** What came along without being asked for, and what is missing. */
export function surprises(project: Project, installed: readonly Installed[]): readonly string[] {
  if (project.installed === undefined) return []
  const expected = new Set(project.installed.map((name) => `node_modules/${name}`))
  const present = new Set(installed.map(({ path }) => path))
  return [
    ...[...present]
      .filter((path) => !expected.has(path))
      .map((path) => `${project.name}: ${path} came along`),
    ...[...expected]
      .filter((path) => !present.has(path))
      .map((path) => `${project.name}: ${path} is not there`),
  ]
}
