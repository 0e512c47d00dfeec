import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPayments } from '../tour/payments.ts'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { compile } from './compile.ts'
import { copyForRelease } from './copy.ts'
import { type Installed, install, installedIn, newProject, update } from './install.ts'
import { build, type Packed, pack, problemsOfTarball } from './pack.ts'
import { entriesOf, everything, type Project } from './projects.ts'
import { publish } from './publish.ts'
import { startRegistry } from './registry.ts'
import { runAside } from './run.ts'
import { type Servers, startServers } from './servers.ts'
import { addChange, type Bump, changeset, writeVersions } from './versions.ts'

/** What became of a project: what npm put there, and what its program printed. */
export interface Outcome {
  readonly installed: readonly Installed[]
  readonly printed: string
}

/** A release that was published to a registry of this machine and nowhere else. */
export interface Rehearsal {
  readonly packed: readonly Packed[]
  readonly problems: readonly string[]
  /** As `name@version`, in the order of their publishing. */
  readonly published: readonly string[]
  /** The project that has everything; the servers that the others call run in it. */
  readonly everything: Project
  /** Installs what a project wants, compiles its program and every entry of what it wants, and runs both. */
  tryOut(project: Project): Promise<Outcome>
  /** What a project that was tried out has after `npm update`. */
  update(project: Project): Promise<readonly Installed[]>
  /** Publishes a change after the first release, having edited the copy where that is wanted; answers what was published. */
  release(
    bumps: Readonly<Record<string, Bump>>,
    edit?: (packages: string) => void,
  ): Promise<readonly string[]>
  end(): Promise<void>
}

const PROGRAMS = join(import.meta.dirname, 'programs')

/**
 * Rehearses a release: in a copy of the checkout as it stands it writes the versions, packs, and publishes to a registry of its own; then
 * it installs everything from there and starts both servers.
 */
export async function startRehearsal(): Promise<Rehearsal> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-rehearsal-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, maxRetries: 3 })]
  const end = async () => {
    for (const each of ends.splice(0).reverse()) await each()
  }
  try {
    build()
    const copy = join(folder, 'copy')
    copyForRelease(repositoryRoot, copy)
    writeVersions(copy)
    const packed = pack(packagesOf(copy), join(folder, 'tarballs'))
    const registry = await startRegistry()
    ends.push(() => registry.close())
    const published = await publish(copy, registry)
    const all = everything(packed.map(({ manifest }) => manifest.name))

    const folderOf = ({ name }: Project) => join(folder, 'projects', name)
    newProject(folderOf(all), registry.npmrc)
    await install(folderOf(all), all.wanted)
    const servers = await startServers(folderOf(all))
    ends.push(() => servers.stop())

    return {
      packed,
      problems: packed.flatMap(problemsOfTarball),
      published,
      everything: all,
      async tryOut(project) {
        const at = folderOf(project)
        if (project !== all) {
          newProject(at, registry.npmrc, project.overrides)
          await install(at, project.wanted)
        }
        await giveTo(at, servers)
        cpSync(join(PROGRAMS, `${project.program ?? project.name}.ts`), join(at, 'program.ts'))
        writeFileSync(join(at, 'entries.ts'), programOfEntries(entriesOf(project.wanted, packed)))
        await compile(at, ['program.ts', 'entries.ts'])
        await runAside(process.execPath, ['entries.ts'], at)
        const printed = await runAside(process.execPath, ['program.ts'], at)
        return { installed: installedIn(at), printed: printed.trim() }
      },
      async update(project) {
        await update(folderOf(project))
        return installedIn(folderOf(project))
      },
      async release(bumps, edit) {
        addChange(copy, bumps)
        changeset(copy, 'version')
        edit?.(join(copy, 'packages'))
        return await publish(copy, registry)
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Loads every entry of the packages that a project wants. */
function programOfEntries(entries: readonly string[]): string {
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}'\n`)
  const all = entries.map((_, index) => `entry${index}`).join(', ')
  return `${imports.join('')}if ([${all}].some((entry) => Object.keys(entry).length === 0)) throw new Error('an entry is empty')\n`
}

/** Lays beside a project's program what it is given: the servers' addresses, keys, and a payment that is signed for it. */
async function giveTo(folder: string, { credentials }: Servers): Promise<void> {
  const { gateway, facilitator, chain, demo } = credentials
  const chainId = String(chain.chainId)
  const write = (file: string, given: object) => writeFileSync(join(folder, file), JSON.stringify(given))
  const { wallet, creator, nftAddress } = demo
  write('gateway.json', { ...gateway, wallet, creator, nftAddress, chainId })
  const { paymentPayload, paymentRequirements } = await demoPayments(credentials).signPayment(demo.creator)
  const { payload } = paymentPayload
  write('facilitator.json', { ...facilitator, network: `eip155:${chainId}`, paymentRequirements, payload })
}
