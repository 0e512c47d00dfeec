import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { run } from '../run.ts'
import { type Package, packagesOf, repositoryRoot } from '../workspace.ts'
import { compile } from './compile.ts'
import { addStorePhones, insertInto, PHONES_PROGRAM, STORES_PROGRAM } from './newer-release.ts'
import { entriesOf, importAll, programOf, type Rehearsal, startRehearsal } from './rehearsal.ts'
import { createCard, getInstalledCommand, runSandbox } from './sandbox.ts'

// Installations, compilers and servers take minutes on a loaded machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let rehearsal: Rehearsal
beforeAll(async () => {
  rehearsal = await startRehearsal()
})
afterAll(() => rehearsal?.close())

const isOurs = ({ name }: { name: string }) => name === 'mintmark' || name.startsWith('@mintmark/')
const packages = packagesOf(repositoryRoot)
const clients = packages.filter(({ manifest }) => manifest.sideEffects === false)
const manifestsOf = (some: readonly Package[]) => some.map(({ manifest }) => manifest)

it('a release publishes every package after the packages that it depends on', () => {
  const names = rehearsal.published.map((each) => each.replace(/@[^@]+$/, ''))
  expect([...names].sort()).toEqual(rehearsal.manifests.map(({ name }) => name).sort())
  for (const manifest of rehearsal.manifests) {
    const before = names.slice(0, names.indexOf(manifest.name))
    const needed = Object.keys({ ...manifest.dependencies }).filter((name) => isOurs({ name }))
    expect(before).toEqual(expect.arrayContaining(needed))
  }
})

it('a release supports a project with all packages and both installed servers', async () => {
  expect(await rehearsal.runEverything()).toMatch(/order \w+, 1 cards/)
})

describe('the sandbox', () => {
  let project: string
  beforeAll(async () => {
    const packages = ['@mintmark/sandbox', '@mintmark/cards', '@mintmark/facilitator']
    project = await rehearsal.install('sandbox', packages)
  })

  it('the installed sandbox starts by its command with demo data, serves a card, and ends in order', async () => {
    const { output, status, errors, result } = await runSandbox(
      project,
      getInstalledCommand(project),
      createCard,
    )
    expect(output).toMatch(/gateway .*facilitator .*Ready after/s)
    expect(result).toBe('Opening night')
    expect(status, errors).toBe(0)
  })

  it('the installed sandbox starts in a program, which compiles', async () => {
    writeFileSync(join(project, 'program.ts'), programOf('sandbox'))
    await compile(project, ['program.ts'])
    expect(await run(process.execPath, ['program.ts'], { cwd: project })).toBe('1 expired\n')
  })

  it('the installed sandbox contains neither the tour nor its dependencies', () => {
    const manifest = rehearsal.manifests.find(({ name }) => name === '@mintmark/sandbox')
    expect(Object.keys(manifest?.dependencies ?? {}).filter((name) => name.startsWith('@x402/'))).toEqual([])
  })
})

/** A call of each gateway domain for projects that install it alone. The facilitator has a longer program. */
const CALLS: Readonly<Record<string, string>> = {
  cards: 'domain.promoCodeCards.list(gateway)',
  contracts: `domain.contracts.add(gateway, { nftAddress: '0x00000000000000000000000000000000000000cc', name: 'Prints', nftType: 'ERC1155', chainId })`,
  market: 'domain.commonSales.list(gateway)',
  orders: 'domain.orders.list(gateway, { recipient: wallet })',
  wallet: `domain.walletInfo.add(gateway, { address: wallet, name: 'Ada' })`,
}

/** The domains that share the vocabulary of presales and mint signatures. */
const SELLS_BEFORE_MINTING: readonly string[] = ['contracts', 'market', 'orders']

function clientProgram(domain: string): string {
  const call = CALLS[domain]
  if (call === undefined) return programOf(domain)
  return `
    import * as domain from '@mintmark/${domain}'
    import { createGateway } from '@mintmark/transport'
    import given from './given.json' with { type: 'json' }
    const { baseUrl, apiKey, secret, wallet, chainId } = given.gateway
    const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
    const answer = await ${call}
    console.log(JSON.stringify({ answer, wallet, chainId }))
  `
}

it.each(['cards', 'contracts', 'facilitator', 'market', 'orders', 'wallet'])(
  'a project that installs one domain gets that domain, compiles, and calls the installed server: %s',
  async (domain) => {
    const requested = ['@mintmark/transport', `@mintmark/${domain}`]
    const project = { name: domain, program: clientProgram(domain), packages: requested }
    const { installed, printed } = await rehearsal.tryProject(project)
    const expected = [
      ...requested,
      ...(SELLS_BEFORE_MINTING.includes(domain) ? ['@mintmark/minting'] : []),
      '@mintmark/core-auth',
      '@mintmark/envelope',
      '@mintmark/operation',
      'ky',
      'valibot',
    ]
    expect(installed.map(({ path }) => path).sort()).toEqual(expected.sort())
    expect(printed).not.toBe('')
  },
)

it('a project that installs one domain receives a change in cards by an update that changes nothing else', async () => {
  const name = 'before-the-change'
  const requested = ['@mintmark/transport', '@mintmark/cards']
  const before = await rehearsal.tryProject({ name, program: clientProgram('cards'), packages: requested })
  const published = await rehearsal.publishChange({ '@mintmark/cards': 'patch' })
  expect(published).toEqual([expect.stringMatching(/^@mintmark\/cards@/)])
  const versions = new Map(before.installed.map((each) => [each.name, each.version]))
  const after = await rehearsal.update(name)
  const changed = after.filter((each) => each.version !== versions.get(each.name))
  expect(changed.map((each) => `${each.name}@${each.version}`)).toEqual(published)
  expect(after).toHaveLength(before.installed.length)
})

describe('a program that uses the published packages', () => {
  /** Copies the type tests of the client packages, which import the packages by name. */
  function copyTypeTests(project: string): readonly string[] {
    // Type tests import `expectTypeOf` from vitest, whose other declarations do not matter here.
    const vitest = join(project, 'node_modules/vitest')
    mkdirSync(vitest)
    writeFileSync(join(vitest, 'package.json'), JSON.stringify({ name: 'vitest', types: './index.d.ts' }))
    writeFileSync(join(vitest, 'index.d.ts'), "export { expectTypeOf } from 'expect-type'\n")
    symlinkSync(join(repositoryRoot, 'node_modules/expect-type'), join(project, 'node_modules/expect-type'))
    return clients.flatMap(({ folder }) => {
      const name = basename(folder)
      const testdata = join(folder, 'testdata')
      if (existsSync(testdata)) cpSync(testdata, join(project, name, 'testdata'), { recursive: true })
      const files = readdirSync(join(folder, 'src')).filter((file) => file.endsWith('.test-d.ts'))
      for (const file of files) cpSync(join(folder, 'src', file), join(project, name, 'src', file))
      return files.map((file) => `${name}/src/${file}`)
    })
  }

  let files: readonly string[]
  beforeAll(() => {
    const project = rehearsal.everything.folder
    const servers = packages.filter(({ manifest }) => manifest.sideEffects !== false)
    writeFileSync(join(project, 'clients.ts'), importAll(manifestsOf(clients)))
    writeFileSync(join(project, 'clients.cts'), importAll(manifestsOf(clients)))
    writeFileSync(join(project, 'servers.ts'), importAll(manifestsOf(servers)))
    writeFileSync(join(project, 'both-servers.ts'), programOf('both-servers'))
    files = ['clients.ts', ...copyTypeTests(project)]
    expect(files.length).toBeGreaterThan(5)
    expect(manifestsOf(clients).flatMap(entriesOf).length).toBeGreaterThan(20)
  })

  it.each(['typescript-6', 'typescript-7'] as const)(
    'a program that uses the published packages compiles for Node and for bundlers with %s',
    async (compiler) => {
      const project = rehearsal.everything.folder
      await compile(project, [...files, 'servers.ts', 'both-servers.ts'], compiler, 'nodenext')
      await compile(project, files, compiler, 'bundler')
      writeFileSync(
        join(project, 'wrong.ts'),
        `import { promoCodeCards } from '@mintmark/cards'\npromoCodeCards.gte\n`,
      )
      await expect(compile(project, ['wrong.ts'], compiler)).rejects.toThrow('wrong.ts(2,16): error TS2339')
    },
  )

  it.each(['typescript-6', 'typescript-7'] as const)(
    'a CommonJS program with every client package compiles with `module: node16` and the types of %s',
    async (compiler) => {
      const project = rehearsal.everything.folder
      await compile(project, ['clients.cts'], compiler, 'node16')
      writeFileSync(
        join(project, 'wrong.cts'),
        `import { promoCodeCards } from '@mintmark/cards'\npromoCodeCards.gte\n`,
      )
      await expect(compile(project, ['wrong.cts'], compiler, 'node16')).rejects.toThrow(
        'wrong.cts(2,16): error TS2339',
      )
    },
  )
})

describe('cards with an older and a newer core', () => {
  /**
   * Optional fields on everything that passes between two copies of a core package: what a minor release may
   * add.
   */
  const ADDITIONS = [
    ['operation/dist/types.d.ts', 'readonly kind: S;', 'readonly edition?: string;'],
    ['operation/dist/types.d.ts', 'export interface CallOptions {', "priority?: 'low' | 'high' | undefined;"],
    [
      'operation/dist/types.d.ts',
      'export interface CallResult<Data = unknown> {',
      'edition?: string | undefined;',
    ],
    ['operation/dist/types.d.ts', 'export interface OperationShape {', 'readonly edition?: string;'],
    ['operation/dist/define.js', 'errors: [],', "edition: 'newer',"],
    ['transport/dist/client.js', '        kind,\n', "edition: 'newer',"],
  ] as const

  const byName = (published: readonly string[]): Record<string, string> =>
    Object.fromEntries(published.map((each) => each.replace('@mintmark/', '').split('@')))
  let older: Record<string, string>
  let newer: Record<string, string>
  beforeAll(async () => {
    older = byName(rehearsal.published)
    const bumps = {
      '@mintmark/envelope': 'minor',
      '@mintmark/operation': 'minor',
      '@mintmark/transport': 'minor',
      '@mintmark/cards': 'patch',
    } as const
    newer = byName(await rehearsal.publishChange(bumps, (folder) => insertInto(folder, ADDITIONS)))
  })

  /** Installs these versions and returns what npm installed, as `path version`. */
  async function install(
    name: string,
    versions: Record<string, string | undefined>,
    overrides: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly string[]> {
    const requested = Object.entries(versions).map(([each, version]) => `@mintmark/${each}@${version}`)
    const project = { name, program: programOf('two-cores'), packages: requested, overrides }
    const { installed } = await rehearsal.tryProject(project)
    return installed
      .filter(isOurs)
      .map(({ path, version }) => `${path.replaceAll('@mintmark/', '')} ${version}`)
  }

  it('a program with an older and a newer core works when newer cards bring their own newer copy', async () => {
    const { envelope, operation, transport } = older
    const app = { envelope, operation, transport, cards: newer.cards }
    expect(await install('older-core', app)).toEqual([
      `cards ${newer.cards}`,
      `cards/envelope ${newer.envelope}`,
      `cards/operation ${newer.operation}`,
      `core-auth ${older['core-auth']}`,
      `envelope ${older.envelope}`,
      `operation ${older.operation}`,
      `transport ${older.transport}`,
    ])
  })

  it('a program with an older and a newer core works when older cards keep an older copy', async () => {
    const { envelope, operation, transport } = newer
    const app = { envelope, operation, transport, cards: older.cards }
    const kept = { '@mintmark/envelope': older.envelope, '@mintmark/operation': older.operation }
    expect(await install('older-cards', app, { '@mintmark/cards': kept })).toEqual([
      `cards ${older.cards}`,
      `cards/envelope ${older.envelope}`,
      `cards/operation ${older.operation}`,
      `core-auth ${older['core-auth']}`,
      `envelope ${newer.envelope}`,
      `operation ${newer.operation}`,
      `transport ${newer.transport}`,
    ])
  })
})

describe('the clients of one release and the servers of the next', () => {
  type Installation = Rehearsal['everything']
  let older: Installation
  let newer: Installation
  beforeAll(async () => {
    older = rehearsal.everything
    const bumps = { '@mintmark/cards': 'minor', '@mintmark/gateway-server': 'minor' } as const
    await rehearsal.publishChange(bumps, addStorePhones)
    newer = await rehearsal.installNewest()
  })

  it('the clients of a release work with the servers of the next one, and keep fields that these add', async () => {
    expect(await older.run(programOf('everything'), newer.servers)).toMatch(/order \w+, 1 cards/)
    expect(await older.run(STORES_PROGRAM, newer.servers)).toBe('{"name":"Berlin","phone":""}')
  })

  it('the clients of a release work with the servers of the one before, which refuse only what is new', async () => {
    expect(await newer.run(programOf('everything'), older.servers)).toMatch(/order \w+, 1 cards/)
    const refused = ['{"name":"Berlin"}', '{"kind":"InvalidInput"}', '{"kind":"NotFound"}']
    expect(await newer.run(PHONES_PROGRAM, older.servers)).toBe(refused.join('\n'))
    const accepted = ['Berlin', 'Hamburg', 'Berlin'].map((name) => ({
      name,
      phone: name === 'Hamburg' ? '040' : '',
    }))
    expect(await newer.run(PHONES_PROGRAM)).toBe(accepted.map((each) => JSON.stringify(each)).join('\n'))
  })
})
