import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Package } from '../workspace.ts'
import { type Entry, entriesOf } from './entries.ts'

const SPECIFIER = /(['"])(\.{1,2}\/[^'"]+)\.ts\1/g
const NAMESPACE = /^export \* as (\w+) from (['"]@.*);$/gm

function declarationsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(folder, path))
    .sort()
}

/** The declarations that a file names by a relative path. */
function namedBy(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].map(([, , path = '']) =>
    resolve(dirname(file), `${path}.d.ts`),
  )
}

/** The declarations that a file stands on, itself included. */
function below(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file) || !existsSync(file)) return found
  found.add(file)
  for (const each of namedBy(file)) below(each, found)
  return found
}

/**
 * Copies the declarations that a package was built to, rewritten so that one entry of the package names another as a program would:
 * `@mintmark/cards/event-cards` instead of `./event-cards.ts`. A report of the main entry then says which groups there are, and only
 * the report of the group says what is in it. Answers the entries as they stand in the copy.
 */
export function copyDeclarations(each: Package, to: string): readonly Entry[] {
  const { folder, manifest } = each
  const entries = entriesOf(each)
  const specifiers = new Map(entries.map(({ types, specifier }) => [types, specifier]))
  const standsOn = new Map(entries.map(({ types }) => [types, below(types)]))
  mkdirSync(to, { recursive: true })
  // Without `exports`: the package's own name then leads to the package that is installed, which is not analysed again.
  const { name, version } = manifest
  writeFileSync(join(to, 'package.json'), JSON.stringify({ name, version, type: 'module' }))
  const own = join(folder, 'node_modules')
  if (existsSync(own)) symlinkSync(own, join(to, 'node_modules'))
  for (const file of declarationsBelow(join(folder, 'dist'))) {
    const text = readFileSync(file, 'utf8')
      .replace(SPECIFIER, (whole, quote: string, path: string) => {
        const target = resolve(dirname(file), `${path}.d.ts`)
        const specifier = specifiers.get(target)
        // What an entry itself is made of goes on naming it by its path.
        if (specifier === undefined || standsOn.get(target)?.has(file)) return whole
        return quote + specifier + quote
      })
      // API Extractor knows a namespace of another package by this form alone.
      .replace(NAMESPACE, 'import * as $1 from $2;\nexport { $1 };')
    const copy = join(to, relative(folder, file))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, text)
  }
  return entries.map((entry) => ({ ...entry, types: join(to, relative(folder, entry.types)) }))
}
