import { createHash, randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type Account,
  accountOwning,
  canReach,
  EmbeddedPostgresError,
  isRoot,
  serviceAccount,
} from './embedded-account.ts'
import { hasCode, pathExists } from './path-exists.ts'

/** Where a cluster lives and who runs it. */
export interface Home {
  /** Holds `cluster/` (the data and its password), `port` and `server.log`. */
  readonly folder: string
  /** The account to run as; undefined where PostgreSQL runs as this process's own user. */
  readonly account: Account | undefined
}

/**
 * Finds, or makes, the folder of a data directory's cluster: `<dataDir>/postgres`.
 *
 * PostgreSQL refuses to run as root, so root runs it as another account. Where that account cannot get to
 * `dataDir` (a root home is private), the cluster lives in a folder of the machine instead, and
 * `<dataDir>/postgres` is a symlink to it. Whoever owns a cluster that exists already runs it.
 *
 * @throws EmbeddedPostgresError where no folder will do.
 */
export async function findHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true })
  const place = join(await realpath(dataDir), 'postgres')
  if (await pathExists(place)) return existingHome(place)
  if (!isRoot()) return claim(place, () => mkdir(place, { mode: 0o700 }))

  const account = await serviceAccount()
  // Root's part of the folder stays root's: the account can pass through it, and owns only the data inside.
  if (await canPass(dirname(place), account)) return claim(place, () => mkdirFor(place, 0o711))
  const home = join(await sharedFolder(account), homeName(dataDir))
  await mkdirFor(home, 0o711)
  await writeFile(join(home, 'README'), `PostgreSQL's data for ${place}, a symlink to this folder.\n`)
  try {
    return await claim(place, () => symlink(home, place))
  } finally {
    if ((await realpath(place)) !== (await realpath(home))) await rm(home, { recursive: true })
  }
}

/** Makes the home unless another process did so in the meantime; either way, the one that stands there is used. */
async function claim(place: string, make: () => Promise<unknown>): Promise<Home> {
  try {
    await make()
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  return existingHome(place)
}

async function existingHome(place: string): Promise<Home> {
  const folder = await followed(place)
  const data = join(folder, 'cluster', 'data')
  if (!isRoot()) {
    try {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      if (await pathExists(data)) await access(data, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (cause) {
      throw new EmbeddedPostgresError(`The database in ${folder} belongs to another user.`, {
        cause,
        advice: 'Run as the user (or root) who made it, set DATABASE_URL, or choose another DATA_DIR.',
      })
    }
    return { folder, account: undefined }
  }

  const account = (await pathExists(data)) ? await accountOwning(data) : await serviceAccount()
  if (!(await canPass(folder, account))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the account that would run it (${account.name}) cannot get to ${folder}.`,
      {
        advice: `Open the folders above it to others (chmod o+x), run as the user who owns it, set DATABASE_URL, or choose another DATA_DIR.`,
      },
    )
  }
  return { folder, account }
}

async function followed(place: string): Promise<string> {
  try {
    return await realpath(place)
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT') || !(await lstat(place)).isSymbolicLink()) throw cause
    throw new EmbeddedPostgresError(`The database's folder ${await readlink(place)} is gone.`, {
      cause,
      advice: `Put it back, or remove ${place} to begin with an empty database.`,
    })
  }
}

// Folders of the machine that outlast a restart of it.
const sharedFolders = ['/var/lib/mintmark', '/var/tmp/mintmark']

/**
 * A folder that belongs to root, outlasts a restart of the machine and can be reached by the account.
 *
 * @throws EmbeddedPostgresError where there is none.
 */
export async function sharedFolder(account: Account): Promise<string> {
  const problems: Error[] = []
  for (const folder of sharedFolders) {
    try {
      await mkdirFor(folder, 0o755).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      const { uid, mode } = await stat(folder)
      // Somebody else's folder in a place that all may write to could hand us programs of theirs.
      if (uid !== 0 || mode & 0o022) throw new Error(`${folder} can be changed by others than root`)
      if (!(await canPass(folder, account))) throw new Error(`${account.name} cannot get to ${folder}`)
      return folder
    } catch (error) {
      problems.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the account that would run it (${account.name}) cannot reach this folder. ` +
      `No other place was found: ${problems.map((problem) => problem.message).join('; ')}.`,
    { cause: new AggregateError(problems) },
  )
}

/** Told apart by the data directory's own name and path, and by a random part: a removed one must not come back. */
function homeName(dataDir: string): string {
  const path = resolve(dataDir)
  const name = basename(path).replace(/[^A-Za-z0-9]+/g, '') || 'data'
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return `${name}-${hash}-${randomBytes(3).toString('hex')}`
}

async function mkdirFor(folder: string, mode: number): Promise<void> {
  await mkdir(folder)
  // The umask takes part in mkdir's mode.
  await chmod(folder, mode)
}

/** Whether an account can go through a folder to what it owns inside; it need not list the folder. */
function canPass(folder: string, account: Account): Promise<boolean> {
  return canReach(folder, account, 'enter')
}
