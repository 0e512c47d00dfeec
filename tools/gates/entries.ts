import { join } from 'node:path'
import type { Package } from '../workspace.ts'

/** What a package lets others import: a key of its `exports` that names a module. */
export interface Entry {
  /** As programs write it: `@mintmark/cards/event-cards`. */
  readonly specifier: string
  /** `event-cards`; `index` for the package's main entry. */
  readonly name: string
  /** Absolute path of its declarations. */
  readonly types: string
}

/** The public entries of a package, in the order of its package.json. */
export function entriesOf({ folder, manifest }: Package): readonly Entry[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, targets]): Entry[] => {
    if (typeof targets === 'string' || targets.types === undefined) return []
    return [
      {
        specifier: manifest.name + subpath.slice(1),
        name: subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '.'),
        types: join(folder, targets.types),
      },
    ]
  })
}
