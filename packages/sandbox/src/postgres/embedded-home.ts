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
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type Account,
  canReach,
  EmbeddedPostgresError,
  findOwner,
  findServiceAccount,
  isRoot,
} from './embedded-account.ts'
import { explainFolderProblem } from './folder-problem.ts'
import { hasCode, pathExists } from './path-exists.ts'

/** The folder of a cluster and the account that runs it. */
export interface Home {
  /** Contains `cluster/` (the data and its password), `port` and `server.log`. */
  readonly folder: string
  /** The account that runs PostgreSQL; undefined for this process's own user. */
  readonly account: Account | undefined
}

/**
 * Finds or creates the folder of a data directory's cluster: `<dataDir>/postgres`.
 *
 * PostgreSQL refuses to run as root, so root runs it as another account. If that account cannot reach
 * `dataDir` (a root home is private), the cluster is in a shared folder of the machine instead, and
 * `<dataDir>/postgres` is a symlink to it. The owner of an existing cluster runs it.
 *
 * @throws EmbeddedPostgresError when no folder is suitable.
 */
export async function findHome(dataDir: string): Promise<Home> {
  try {
    return await openHome(dataDir)
  } catch (cause) {
    const problem =
      cause instanceof EmbeddedPostgresError ? undefined : await explainFolderProblem(dataDir, cause)
    if (problem === undefined) throw cause
    throw new EmbeddedPostgresError(problem, { cause, advice: 'Or set DATABASE_URL.' })
  }
}

async function openHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true })
  const place = join(await realpath(dataDir), 'postgres')
  if (await pathExists(place)) return findExistingHome(place)
  if (!isRoot()) return createHome(place, () => mkdir(place, { mode: 0o700 }))

  const account = await findServiceAccount()
  // The folder stays root's: the account can traverse it and owns only the data inside.
  if (await canTraverse(dirname(place), account)) return createHome(place, () => createFolder(place, 0o711))
  const home = join(await provideSharedFolder(account), createHomeName(dataDir))
  await createFolder(home, 0o711)
  await writeFile(join(home, 'README'), `PostgreSQL's data for ${place}, a symlink to this folder.\n`)
  try {
    return await createHome(place, () => symlink(home, place))
  } finally {
    if ((await realpath(place)) !== (await realpath(home))) await rm(home, { recursive: true })
  }
}

/** Creates the home unless another process has done so, and returns the existing one. */
async function createHome(place: string, make: () => Promise<unknown>): Promise<Home> {
  try {
    await make()
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  return findExistingHome(place)
}

async function findExistingHome(place: string): Promise<Home> {
  const folder = await resolveLink(place)
  const data = join(folder, 'cluster', 'data')
  if (!isRoot()) {
    try {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      if (await pathExists(data)) await access(data, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (cause) {
      const owner = await findOwner((await pathExists(data).catch(() => false)) ? data : folder)
      throw new EmbeddedPostgresError(`The database in ${folder} belongs to ${owner.name}.`, {
        cause,
        advice: `Run as ${owner.name} or root, give the files to this user (chown -R), set DATABASE_URL, or choose another DATA_DIR.`,
      })
    }
    return { folder, account: undefined }
  }

  const account = (await pathExists(data)) ? await findDataOwner(data) : await findServiceAccount()
  if (!(await canTraverse(folder, account))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the account that would run it (${account.name}) cannot reach ${folder}.`,
      {
        advice: `Open the folders above it to others (chmod o+x), run as the user who owns it, set DATABASE_URL, or choose another DATA_DIR.`,
      },
    )
  }
  return { folder, account }
}

/** Finds the account that runs existing data for root. A copy that root has made belongs to root. */
async function findDataOwner(data: string): Promise<Account> {
  const owner = await findOwner(data)
  if (owner.uid !== 0) return owner
  const { name } = await findServiceAccount()
  throw new EmbeddedPostgresError(
    `The database in ${data} belongs to root, and PostgreSQL does not run as root.`,
    {
      advice: `Give it to the account that runs PostgreSQL for root: chown -R ${name} ${data}. To keep owners, copy with cp -a. Or choose another DATA_DIR.`,
    },
  )
}

async function resolveLink(place: string): Promise<string> {
  try {
    return await realpath(place)
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT') || !(await lstat(place)).isSymbolicLink()) throw cause
    throw new EmbeddedPostgresError(`The folder of the database, ${await readlink(place)}, does not exist.`, {
      cause,
      advice: `Restore it, or remove ${place} to start with an empty database.`,
    })
  }
}

/** Folders that survive a restart of the machine. */
const SHARED_FOLDERS = ['/var/lib/mintmark', '/var/tmp/mintmark']

/**
 * Finds or creates a folder that belongs to root, survives a restart of the machine and can be reached by the
 * account.
 *
 * @throws EmbeddedPostgresError when no folder is suitable.
 */
export async function provideSharedFolder(account: Account): Promise<string> {
  const problems: Error[] = []
  for (const folder of SHARED_FOLDERS) {
    try {
      await createFolder(folder, 0o755).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      await checkRootFolder(folder)
      if (!(await canTraverse(folder, account))) throw new Error(`${account.name} cannot reach ${folder}`)
      return folder
    } catch (error) {
      problems.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the account that would run it (${account.name}) cannot reach this folder. ` +
      `No other folder is suitable: ${problems.map((problem) => problem.message).join('; ')}.`,
    { cause: new AggregateError(problems) },
  )
}

/**
 * Checks that a folder is root's own. In a world-writable place, another user's folder could contain programs
 * of that user, and another user's symlink could lead into any folder of root.
 */
export async function checkRootFolder(folder: string): Promise<void> {
  const status = await lstat(folder)
  if (!status.isDirectory()) throw new Error(`${folder} is not a folder`)
  if (status.uid !== 0 || status.mode & 0o022) throw new Error(`${folder} is writable for others than root`)
}

/**
 * Returns a unique name: the random part prevents that the home of a removed data directory is used again.
 */
function createHomeName(dataDir: string): string {
  const path = resolve(dataDir)
  const name = basename(path).replace(/[^A-Za-z0-9]+/g, '') || 'data'
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return `${name}-${hash}-${randomBytes(3).toString('hex')}`
}

async function createFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder)
  // mkdir applies the umask to the mode.
  await chmod(folder, mode)
}

/** Whether an account can traverse a folder. It need not list it. */
function canTraverse(folder: string, account: Account): Promise<boolean> {
  return canReach(folder, account, 'enter')
}
