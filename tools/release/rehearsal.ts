import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoCredentials, signPayment } from '@mintmark/sandbox'
import { run } from '../run.ts'
import type { Manifest } from '../workspace.ts'
import { compile } from './compile.ts'
import { addChange, type Bump, changeset, commitCopy, readRelease } from './pack.ts'
import { startRegistry } from './registry.ts'
import { type Servers, startServers } from './servers.ts'

/** A project of a user. */
export interface Project {
  readonly name: string
  /** The source of its program. */
  readonly program: string
  /** What the user types after `npm install`. */
  readonly packages: readonly string[]
  /** The `overrides` of its package.json. */
  readonly overrides?: Readonly<Record<string, unknown>>
}

/**
 * A package in a project's `node_modules`. Its path is relative to the project: another copy of a package is
 * deeper.
 */
export interface Installed {
  readonly name: string
  readonly version: string
  readonly path: string
}

const NPM_OPTIONS = ['--no-audit', '--no-fund', '--loglevel=error']

/** The program of `programs/` with this name. */
export function programOf(name: string): string {
  return readFileSync(join(import.meta.dirname, 'programs', `${name}.ts`), 'utf8')
}

/** The modules that a package exports, as programs import them. */
export function entriesOf({ name, exports = {} }: Manifest): readonly string[] {
  // Subpaths with a wildcard are modules for the tests of this repository, which are not published.
  const modules = Object.entries(exports).filter(
    ([subpath, targets]) => typeof targets !== 'string' && !subpath.includes('*'),
  )
  return modules.map(([subpath]) => `${name}${subpath.slice(1)}`)
}

/** Entries that need an optional peer dependency. Users who import them install it. */
const WITH_OPTIONAL_PEER: readonly string[] = ['@mintmark/transport/opentelemetry']

/** A program that fails when an entry does not load or exports nothing. */
export function importAll(manifests: readonly Manifest[]): string {
  const entries = manifests.flatMap(entriesOf).filter((entry) => !WITH_OPTIONAL_PEER.includes(entry))
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}'\n`)
  const names = entries.map((_, index) => `entry${index}`).join(', ')
  const check = 'some((entry) => Object.keys(entry).length === 0)'
  return `${imports.join('')}if ([${names}].${check}) throw new Error('an entry is empty')\n`
}

/** All packages that npm installed in a project. */
function installedIn(folder: string): readonly Installed[] {
  const record: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  )
  return Object.entries(record.packages).map(([path, { version }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    path: path.replaceAll('node_modules/', ''),
  }))
}

/**
 * Writes what programs import as `given.json`: the servers' addresses and keys, and a payment signed for this
 * project.
 */
async function writeGiven(folder: string, credentials: DemoCredentials): Promise<void> {
  const { gateway, facilitator, chain, demo } = credentials
  const terms = { payTo: demo.creator }
  const { paymentPayload, paymentRequirements } = await signPayment(chain, terms, Date.now())
  const { payload } = paymentPayload
  const payment = { network: `eip155:${chain.chainId}`, paymentRequirements, payload }
  const given = {
    gateway: { ...gateway, ...demo, chainId: String(chain.chainId) },
    facilitator: { ...facilitator, ...payment },
  }
  writeFileSync(join(folder, 'given.json'), JSON.stringify(given))
}

/** Creates a project and installs packages from the registry of an `.npmrc`. Returns its folder. */
async function installProject(
  folder: string,
  npmrc: string,
  packages: readonly string[],
  overrides: Project['overrides'] = {},
): Promise<string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }))
  writeFileSync(join(folder, '.npmrc'), npmrc)
  await run('npm', ['install', ...NPM_OPTIONS, '--prefer-offline', ...packages], { cwd: folder })
  return folder
}

/**
 * Compiles a program and every entry of a project's packages, and runs both. Returns what the program prints.
 */
async function runProgram(
  folder: string,
  program: string,
  manifests: readonly Manifest[],
  credentials: DemoCredentials,
): Promise<string> {
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'entries.ts'), importAll(manifests))
  await writeGiven(folder, credentials)
  await compile(folder, ['program.ts', 'entries.ts'])
  await run(process.execPath, ['entries.ts'], { cwd: folder })
  return (await run(process.execPath, ['program.ts'], { cwd: folder })).trim()
}

/**
 * Publishes the next release to a registry on this machine. `folder` is removed at the end, with what else is
 * in it.
 */
export async function publishRelease(stops: AsyncDisposableStack) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-rehearsal-'))
  stops.defer(() => rmSync(folder, { recursive: true, maxRetries: 3 }))
  const release = readRelease()
  const copy = join(folder, 'copy')
  cpSync(release.copy, copy, { recursive: true })
  const registry = await startRegistry()
  stops.defer(() => registry.close())
  writeFileSync(join(copy, '.npmrc'), registry.publishingNpmrc)

  /** Publishes the versions of the copy. Returns what was published, as `name@version`. */
  async function publish(): Promise<readonly string[]> {
    const before = registry.published.length
    await commitCopy(copy, 'The versions of a release')
    await changeset(copy, 'publish')
    return registry.published.slice(before)
  }

  const published = await publish()
  return { folder, release, copy, registry, published, publish }
}

/**
 * Publishes the next release to a registry on this machine, installs everything from there and starts both
 * servers. Other projects install from the same registry and call these servers.
 */
export async function startRehearsal() {
  await using stops = new AsyncDisposableStack()
  const { folder, release, copy, registry, published, publish } = await publishRelease(stops)

  const folderOf = (name: string) => join(folder, 'projects', name)
  const install = (name: string, packages: readonly string[], overrides?: Project['overrides']) =>
    installProject(folderOf(name), registry.npmrc, packages, overrides)

  const manifests = release.packages.map(({ manifest }) => manifest)
  /** Installs the newest versions of all packages in a project, and starts their servers. */
  async function installNewest(name: string, stack: AsyncDisposableStack) {
    const specifiers = manifests.map((each) => registry.specifierOf(each.name))
    const at = await install(name, specifiers)
    const servers = await startServers(at)
    stack.defer(() => servers.stop())
    return {
      folder: at,
      servers,
      /** Runs a program with these packages in a project of its own of these servers, or of others. */
      async run(program: string, called: Servers = servers): Promise<string> {
        const credentials = await called.createProject(`program ${projects++}`)
        return await runProgram(at, program, [], credentials)
      },
    }
  }
  let projects = 0
  const everything = await installNewest('everything', stops)

  const owned = stops.move()
  return {
    manifests,
    published,
    /** The project that has all packages of the first release, where the servers run. */
    everything,
    runEverything: () =>
      runProgram(everything.folder, programOf('everything'), manifests, everything.servers.credentials),
    /** Installs all packages of the newest release, and starts their servers beside those of the first. */
    installNewest: () => installNewest('newest', owned),
    /** Installs a project's packages, compiles its program and every entry of the packages, and runs both. */
    async tryProject({ name, program, packages, overrides }: Project) {
      const at = await install(name, packages, overrides)
      const names = packages.map((each) => each.replace(/(?<=.)@.*$/, ''))
      const requested = manifests.filter((manifest) => names.includes(manifest.name))
      const printed = await runProgram(at, program, requested, everything.servers.credentials)
      return { installed: installedIn(at), printed }
    },
    /** Installs packages in an empty project. Returns its folder. */
    install: (name: string, packages: readonly string[]) => install(name, packages),
    /** Runs `npm update` in a project that was tried before. */
    async update(name: string): Promise<readonly Installed[]> {
      await run('npm', ['update', ...NPM_OPTIONS], { cwd: folderOf(name) })
      return installedIn(folderOf(name))
    },
    /** Publishes a change after the first release, with edits of the built packages. */
    async publishChange(bumps: Readonly<Record<string, Bump>>, edit = (_packages: string): void => {}) {
      addChange(copy, bumps)
      await changeset(copy, 'version')
      edit(join(copy, 'packages'))
      return await publish()
    },
    close: () => owned.disposeAsync(),
  }
}

export type Rehearsal = Awaited<ReturnType<typeof startRehearsal>>
