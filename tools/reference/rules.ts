import { globSync } from 'node:fs'
import { join } from 'node:path'
import { layerOf } from '../check/layers.ts'
import { packagesOf } from '../workspace.ts'
import { importModule, shortName } from './catalogue.ts'
import { type Docstring, docstringsOf } from './docstrings.ts'

/** A rule that refuses calls: its constant, and its five-digit code (gateway) or its reason (facilitator). */
export interface Rule {
  readonly name: string
  readonly value: number | string
  /** The packages that export the constant. */
  readonly packages: readonly string[]
  readonly told: Docstring
}

const UNTOLD: Docstring = { meaning: '', advice: '', members: {} }

function isRule(name: string, value: unknown): value is number | string {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return false
  return typeof value === 'string' || (typeof value === 'number' && value > 9999 && value < 100_000)
}

/** Every rule that the domain packages export, by code; and those of signing, which every call of the gateway can meet. */
export async function readRules(root: string): Promise<readonly Rule[]> {
  const all = packagesOf(root)
  const docstrings = new Map<string, Docstring>()
  for (const { folder, manifest } of all) {
    if (!['domain', 'core'].includes(layerOf(manifest) ?? '')) continue
    for (const file of globSync('src/{rules,errors,minting}.ts', { cwd: folder })) {
      for (const [name, told] of docstringsOf(join(folder, file))) docstrings.set(name, told)
    }
  }
  const rules = new Map<string, Rule>()
  const exporting = all.filter(
    ({ manifest }) => layerOf(manifest) === 'domain' || manifest.name === '@mintmark/envelope',
  )
  for (const each of exporting) {
    for (const [name, value] of Object.entries(await importModule(join(each.folder, 'src/index.ts')))) {
      if (!isRule(name, value)) continue
      const packages = [...(rules.get(`${name} ${value}`)?.packages ?? []), shortName(each)]
      rules.set(`${name} ${value}`, { name, value, packages, told: docstrings.get(name) ?? UNTOLD })
    }
  }
  return [...rules.values()].sort((a, b) => (String(a.value) < String(b.value) ? -1 : 1))
}
