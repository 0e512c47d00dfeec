import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** An operating system account that PostgreSQL runs as. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The embedded PostgreSQL cannot run. The message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'

  constructor(problem: string, options?: ErrorOptions & { advice?: string }) {
    const advice =
      options?.advice ??
      'Run as an ordinary user, set DATABASE_URL to a PostgreSQL server of your own, or choose another DATA_DIR.'
    super(`${problem}\n${advice}`, options)
  }
}

/** Whether this process runs as root, which PostgreSQL refuses. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Accounts that run PostgreSQL for root, in order of preference. */
const PREFERRED_ACCOUNTS = ['postgres', '_postgres', 'nobody']

/** Returns the account that runs PostgreSQL for root. */
export async function findServiceAccount(): Promise<Account> {
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'))
  for (const name of PREFERRED_ACCOUNTS) {
    const account = accounts.find((candidate) => candidate.name === name)
    if (account !== undefined) return account
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has neither an account `postgres` nor `nobody`.',
  )
}

/** Returns the account that owns a path. The owner of existing data runs its server. */
export async function findOwner(path: string): Promise<Account> {
  const { uid, gid } = await stat(path)
  const named = parseAccounts(await readFile('/etc/passwd', 'utf8')).find((account) => account.uid === uid)
  return { name: named?.name ?? `uid ${uid}`, uid, gid }
}

function parseAccounts(passwd: string): Account[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    // An id is an unsigned 32-bit number, but macOS writes -2 for nobody.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : []
  })
}

/** To read a path (also run a program, list and enter a folder), or only to traverse it. */
type Access = 'read' | 'enter'

/**
 * Whether an account can reach and use a path, by the permissions of the path and of every folder above it.
 */
export async function canReach(path: string, account: Account, access: Access = 'read'): Promise<boolean> {
  const target = await realpath(path)
  if (!(await allows(target, account, access))) return false
  for (let folder = dirname(target); ; folder = dirname(folder)) {
    if (!(await allows(folder, account, 'enter'))) return false
    if (folder === dirname(folder)) return true
  }
}

async function allows(path: string, account: Account, access: Access): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const granted = uid === account.uid ? mode >> 6 : gid === account.gid ? mode >> 3 : mode
  const required = access === 'read' ? 0o5 : 0o1
  return (granted & required) === required
}
