import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDITIONS, applyEdits, REQUIRED_FIELD } from './additions.ts'
import { clientProjects, type Project } from './projects.ts'
import { type Outcome, type Rehearsal, startRehearsal } from './rehearsal.ts'

// Installs, compilers and servers: minutes on a machine that is busy with other tests, and more where npm's cache is empty.
const timeout = 600_000

let rehearsal: Rehearsal
beforeAll(async () => {
  rehearsal = await startRehearsal()
}, timeout)
afterAll(async () => await rehearsal?.end(), timeout)

const ofOurs = ({ installed }: Outcome) =>
  installed.filter(({ name }) => name.startsWith('@mintmark/')).map(({ path, version }) => `${path.replaceAll('node_modules/', '')} ${version}`)
const versionOf = (name: string) =>
  rehearsal.packed.find(({ manifest }) => manifest.name === name)?.manifest.version

describe('a release', () => {
  it('publishes every package, each after those that it depends on', () => {
    const names = rehearsal.published.map((each) => each.replace(/@[^@]+$/, ''))
    expect([...names].sort()).toEqual(rehearsal.packed.map(({ manifest }) => manifest.name).sort())
    for (const { manifest } of rehearsal.packed) {
      const before = names.slice(0, names.indexOf(manifest.name))
      const ours = Object.keys({ ...manifest.dependencies }).filter((name) => name.startsWith('@mintmark/'))
      expect(before).toEqual(expect.arrayContaining(ours))
    }
  })

  it('packs what each package names, and nothing that belongs to its tests', () => {
    expect(rehearsal.problems).toEqual([])
  })
})
