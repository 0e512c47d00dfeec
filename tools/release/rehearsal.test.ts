import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDITIONS, applyEdits, REQUIRED_FIELD } from './additions.ts'
import { clientProjects, type Project, surprises } from './projects.ts'
import { type Outcome, type Rehearsal, startRehearsal } from './rehearsal.ts'

// Installs, compilers and servers: minutes on a machine that is busy with other tests, and more where npm's cache is empty.
const timeout = 600_000

let rehearsal: Rehearsal
beforeAll(async () => {
  rehearsal = await startRehearsal()
}, timeout)
afterAll(async () => await rehearsal?.end(), timeout)

const ofOurs = ({ installed }: Outcome) =>
  installed
    .filter(({ name }) => name.startsWith('@mintmark/'))
    .map(({ path, version }) => `${path.replaceAll('node_modules/', '')} ${version}`)
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

describe('a project installs what it asks for, compiles, and calls the installed servers:', () => {
  it('everything at once', { timeout }, async () => {
    const { wanted } = rehearsal.everything
    const outcome = await rehearsal.tryOut(rehearsal.everything)
    expect(ofOurs(outcome)).toEqual([...wanted].sort().map((name) => `${name} ${versionOf(name)}`))
    expect(outcome.printed).toMatch(/order \w+, 1 cards/)
  })

  it.each(clientProjects)('$name, and nothing else comes along', { timeout }, async (project) => {
    const outcome = await rehearsal.tryOut(project)
    expect(project.installed).toContain('ky')
    expect(surprises(project, outcome.installed)).toEqual([])
    expect(outcome.printed).not.toBe('')
  })
})

describe('a change in cards', () => {
  it('is published alone, and fetched by an update that changes nothing else', { timeout }, async () => {
    const project: Project = {
      name: 'before-the-change',
      program: 'cards',
      wanted: ['@mintmark/transport', '@mintmark/cards'],
    }
    const before = await rehearsal.tryOut(project)
    const published = await rehearsal.release({ '@mintmark/cards': 'patch' })
    expect(published).toEqual([expect.stringMatching(/^@mintmark\/cards@/)])
    const after = await rehearsal.update(project)
    const changed = after.filter(
      ({ name, version }) => version !== before.installed.find((each) => each.name === name)?.version,
    )
    expect(changed.map(({ name, version }) => `${name}@${version}`)).toEqual(published)
    expect(after).toHaveLength(before.installed.length)
  })
})

// The newer copy has optional fields more on all that passes between two copies. It is made of the checkout's own built files: what this
// shows is that such a release is possible, not that a particular one was. Once there are published versions, they can stand here.
describe('cards with an older and a newer transport', () => {
  /** Versions by name, without the scope. */
  let older: Record<string, string>
  let newer: Record<string, string>
  beforeAll(async () => {
    const byName = (published: readonly string[]) =>
      Object.fromEntries(
        published.map((each) => each.replace('@mintmark/', '').split('@') as [string, string]),
      )
    older = byName(rehearsal.published)
    const bumps = {
      '@mintmark/envelope': 'minor',
      '@mintmark/transport': 'minor',
      '@mintmark/cards': 'patch',
    } as const
    newer = byName(await rehearsal.release(bumps, (packages) => applyEdits(packages, ADDITIONS)))
  }, timeout)

  const program = 'two-transports'

  it('the app has the newer, cards came before it: one copy serves both', { timeout }, async () => {
    const wanted = [`@mintmark/transport@${newer.transport}`, `@mintmark/cards@${older.cards}`]
    const outcome = await rehearsal.tryOut({ name: 'newer-transport', program, wanted })
    expect(ofOurs(outcome)).toEqual([
      `@mintmark/cards ${older.cards}`,
      `@mintmark/core-auth ${older['core-auth']}`,
      `@mintmark/envelope ${newer.envelope}`,
      `@mintmark/transport ${newer.transport}`,
    ])
  })

  it('the app stays with the older, newer cards bring their own copy', { timeout }, async () => {
    const wanted = [
      `@mintmark/envelope@${older.envelope}`,
      `@mintmark/transport@${older.transport}`,
      `@mintmark/cards@${newer.cards}`,
    ]
    const outcome = await rehearsal.tryOut({ name: 'older-transport', program, wanted })
    expect(ofOurs(outcome)).toEqual([
      `@mintmark/cards ${newer.cards}`,
      `@mintmark/cards/@mintmark/envelope ${newer.envelope}`,
      `@mintmark/cards/@mintmark/transport ${newer.transport}`,
      `@mintmark/core-auth ${older['core-auth']}`,
      `@mintmark/envelope ${older.envelope}`,
      `@mintmark/transport ${older.transport}`,
    ])
  })

  it('the app has the newer, cards keep an older copy', { timeout }, async () => {
    const wanted = [
      `@mintmark/envelope@${newer.envelope}`,
      `@mintmark/transport@${newer.transport}`,
      `@mintmark/cards@${older.cards}`,
    ]
    const kept = { '@mintmark/envelope': older.envelope, '@mintmark/transport': older.transport }
    const overrides = { '@mintmark/cards': kept }
    const outcome = await rehearsal.tryOut({ name: 'older-cards', program, wanted, overrides })
    expect(ofOurs(outcome)).toEqual([
      `@mintmark/cards ${older.cards}`,
      `@mintmark/cards/@mintmark/envelope ${older.envelope}`,
      `@mintmark/cards/@mintmark/transport ${older.transport}`,
      `@mintmark/core-auth ${older['core-auth']}`,
      `@mintmark/envelope ${newer.envelope}`,
      `@mintmark/transport ${newer.transport}`,
    ])
  })

  it('a field that the older copy would have to answer is found out by the compiler', {
    timeout,
  }, async () => {
    const bumps = { '@mintmark/transport': 'minor', '@mintmark/cards': 'patch' } as const
    const published = await rehearsal.release(bumps, (packages) => applyEdits(packages, REQUIRED_FIELD))
    const [cards = ''] = published.filter((each) => each.startsWith('@mintmark/cards@'))
    const wanted = [`@mintmark/envelope@${older.envelope}`, `@mintmark/transport@${older.transport}`, cards]
    const broken = rehearsal.tryOut({ name: 'not-additive', program, wanted })
    await expect(broken).rejects.toThrow(/program\.ts.*'edition'/s)
  })
})
