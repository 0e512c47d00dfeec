import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, EmbeddedPostgresError } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import type { Home } from './embedded-home.ts'
import { isAlive } from './embedded-postmaster.ts'
import { hasCode, pathExists } from './path-exists.ts'

/** A database cluster on disk. */
export interface Cluster {
  /** PostgreSQL's data folder. */
  readonly data: string
  readonly password: string
}

/** The superuser of every embedded cluster, and the name of its database. */
export const CLUSTER_USER = 'mintmark'

const MAJOR_VERSION = '18'

/**
 * Opens the home's cluster, and creates it on first use: under a temporary name that is renamed at the end,
 * so that an interrupted creation is never used, and of two concurrent creations the first one wins.
 *
 * @throws EmbeddedPostgresError when the cluster cannot be created or has another version of PostgreSQL.
 */
export async function openCluster(home: Home, binaries: Binaries): Promise<Cluster> {
  const place = join(home.folder, 'cluster')
  if (!(await pathExists(place))) await createCluster(home, binaries, place)
  const data = join(place, 'data')
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  if (version !== MAJOR_VERSION) {
    throw new EmbeddedPostgresError(
      `The database in ${data} belongs to PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}.`,
    )
  }
  return { data, password: await readFile(join(place, 'password'), 'utf8') }
}

async function createCluster(home: Home, binaries: Binaries, place: string): Promise<void> {
  await removeAbandoned(home.folder)
  const unfinished = join(home.folder, `making-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(unfinished)
    await chmod(unfinished, home.account ? 0o711 : 0o700)
    const data = join(unfinished, 'data')
    await mkdir(data, { mode: 0o700 })
    if (home.account) await chown(data, home.account.uid, home.account.gid)

    const password = randomBytes(24).toString('base64url')
    await writeFile(join(unfinished, 'password'), password, { mode: 0o600 })
    await initialize(binaries, data, password, join(unfinished, 'handed-over'), home.account)
    await rename(unfinished, place)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM') || !(await pathExists(place))) throw error
  }
}

async function initialize(
  binaries: Binaries,
  data: string,
  password: string,
  passwordFile: string,
  account: Account | undefined,
): Promise<void> {
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)
  // The built-in locale provider sorts and lowercases the same on every machine.
  const options = [
    `--pgdata=${data}`,
    `--username=${CLUSTER_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]
  try {
    await promisify(execFile)(binaries.initdb, options, { ...runAs(account), cwd: data })
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : ''
    throw new EmbeddedPostgresError(`PostgreSQL could not create a database in ${data}. ${output}`.trim(), {
      cause,
    })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/**
 * The variables that PostgreSQL's programs need. All others are kept from them: some contain keys, and PG…
 * variables would configure it.
 */
const INHERITED_VARIABLES = ['PATH', 'TZ', 'HOME']
/** Windows starts no program without these. */
const WINDOWS_VARIABLES = ['SystemRoot', 'SystemDrive', 'TEMP', 'TMP']

/**
 * Options for a child process of PostgreSQL: the account, and an environment with only what its programs
 * need.
 */
export function runAs(account: Account | undefined): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const names = platform() === 'win32' ? [...INHERITED_VARIABLES, ...WINDOWS_VARIABLES] : INHERITED_VARIABLES
  const inherited = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const env = { ...Object.fromEntries(inherited), LC_ALL: 'C' }
  return account ? { uid: account.uid, gid: account.gid, env } : { env }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const maker = /^making-(\d+)-/.exec(name)?.[1]
    if (maker !== undefined && !isAlive(Number(maker)))
      await rm(join(folder, name), { recursive: true, force: true })
  }
}
