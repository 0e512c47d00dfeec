import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toolchain } from '../toolchains/toolchains.ts'
import { filesBelow, repositoryRoot } from '../workspace.ts'
import { toNames } from './names.ts'
import { listGatewayDomains, planGroup } from './plan.ts'
import { scratchCheckout } from './scratch-checkout.ts'

const SECONDS = 1000

it.each([
  ['gift-cards', 'gift-card', 'GiftCard'],
  ['galleries', 'gallery', 'Gallery'],
  ['batches', 'batch', 'Batch'],
  ['mailing-addresses', 'mailing-address', 'MailingAddress'],
  ['prizes', 'prize', 'Prize'],
  ['essays', 'essay', 'Essay'],
])('the names of a generated group include the singular of its records: %s', (group, record, type) => {
  const names = toNames(group)
  expect([names.one.words, names.one.pascal]).toEqual([record.replace('-', ' '), type])
  expect(toNames(group, record)).toEqual(names)
})

it('the names of a generated group are derived in every spelling', () => {
  expect(toNames('people-of-note', 'person-of-note')).toEqual({
    kebab: 'people-of-note',
    camel: 'peopleOfNote',
    snake: 'people_of_note',
    words: 'people of note',
    one: { camel: 'personOfNote', pascal: 'PersonOfNote', words: 'person of note' },
  })
})

it.each([
  ['GiftCards', 'is not a name'],
  ['../cards', 'is not a name'],
  [`${'very-'.repeat(8)}long-names`, 'at most 40'],
  ['bonuses', 'The singular of "bonuses" is unknown'],
  ['this', '"this" is a reserved word. Choose another group'],
  ['classes', 'The singular "class" is a reserved word. Choose another group, or add another singular'],
  ['interfaces', 'The singular "interface" is a reserved word'],
])('the names of a generated group are refused if they cannot be used: %s', (group, reason) => {
  expect(() => toNames(group)).toThrow(reason)
})

it.each([
  ['facilitator', 'receipts', 'tools/README.md'],
  ['shop', 'receipts', 'cards, contracts, market, orders, wallet'],
  ['wallet', 'event-cards', '@mintmark/cards already has the group eventCards'],
  ['cards', 'payments', '@mintmark/facilitator already has the group payments'],
  ['cards', 'orders', '@mintmark/orders already has the group orders'],
  ['cards', 'cards', '"cards" is the name of a package'],
  ['cards', 'lists', 'Generated code already uses the name list'],
  ['cards', 'schemas', 'Generated code already uses the name Schema'],
  ['orders', 'order-records', 'domains/orders/order-records.ts already exists'],
  ['cards', 'verification-records', 'index.ts already has the name VerificationRecord'],
])('planning a group is refused for %s: %s', (folder, group, reason) => {
  expect(() => planGroup(repositoryRoot, folder, group)).toThrow(reason)
})

describe.each(listGatewayDomains(repositoryRoot))('a planned group of %s', (folder) => {
  const { created, changed } = planGroup(repositoryRoot, folder, 'honor-rolls')

  it('a planned group contains nothing of the group in the template', () => {
    for (const [path, text] of [...created, ...changed]) {
      expect(path + (created.has(path) ? text : '')).not.toMatch(/gift.?card|\bshop\b|0000/i)
      expect(text, path).toMatch(/honor.?rolls?/i)
    }
  })

  it('a planned group has the next migration number', () => {
    const before = readdirSync(join(repositoryRoot, 'packages/gateway-server/src/database/migrations'))
    const [own = ''] = [...created.keys()].filter((path) => path.includes('/migrations/'))
    expect(
      [...before, basename(own)]
        .filter((name) => /^\d/.test(name))
        .sort()
        .at(-1),
    ).toBe(basename(own))
    expect(before.filter((name) => name.startsWith(basename(own).slice(0, 4)))).toEqual([])
  })
})

describe('a group generated in a copy of the repository', () => {
  let checkout: ReturnType<typeof scratchCheckout>
  /** Runs a program of the copy there and returns its output. Throws the output if the program fails. */
  const run = (...parameters: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
      cwd: checkout.root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', NX_DAEMON: 'false' },
    })
    if (status !== 0) throw new Error(`${parameters.join(' ')}\n${stdout}${stderr}`)
    return stdout + stderr
  }
  const tool = (file: string, ...parameters: readonly string[]) =>
    run('--conditions=@mintmark/source', join('tools', file), ...parameters)
  const texts = () =>
    new Map(filesBelow(checkout.root, () => true).map((path) => [path, readFileSync(path, 'utf8')]))

  beforeAll(() => {
    checkout = scratchCheckout()
    tool('new/group.ts', 'cards', 'honor-rolls')
  }, 1800 * SECONDS)
  afterAll(() => checkout[Symbol.dispose]())

  it('a group generated in a copy of the repository cannot be generated twice, and the refusal writes nothing', () => {
    const before = texts()
    const again = () => tool('new/group.ts', 'cards', 'honor-rolls')
    expect(again).toThrow(/already has the group honorRolls\. Nothing was written\n$/)
    expect(() => tool('new/group.ts', 'cards')).toThrow('npm run new:group -- <package> <group>')
    expect(texts()).toEqual(before)
  })

  it('a group generated in a copy of the repository passes Biome and the type checker', {
    timeout: 1800 * SECONDS,
  }, () => {
    const { created, changed } = planGroup(repositoryRoot, 'cards', 'honor-rolls')
    const code = [...created.keys(), ...changed.keys()].filter((path) => !/\.(?:md|sql)$/.test(path))
    run('node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', ...code)
    // It is several times as fast as the compiler of `npm test`.
    run(toolchain('typescript-7'), '-p', 'tsconfig.tests.json')
  })

  it('a group generated in a copy of the repository passes the checks of the repository', () => {
    tool('check/main.ts')
  })

  it('a group generated in a copy of the repository passes its own tests and those of every operation', {
    timeout: 1800 * SECONDS,
  }, () => {
    const vitest = (...parameters: readonly string[]) =>
      run('node_modules/vitest/vitest.mjs', 'run', ...parameters)
    const server = 'packages/gateway-server/src'
    const own = vitest(
      `${server}/domains/cards/honor-rolls.test.ts`,
      'packages/gateway-server/tests/routing.test.ts',
      'tools/operations',
    )
    expect(own).toContain('honor-rolls.test.ts (6 tests)')
    const shared = vitest(
      'packages/gateway-server/tests/every-operation.test.ts',
      'docs/tests/examples.test.ts',
      '-t',
      'honorRolls|docs/cards',
    )
    // Three for each of its five operations, one for each of the two that accept fields, and the page of
    // examples.
    expect(shared).toMatch(/Tests +18 passed/)
  })
})
