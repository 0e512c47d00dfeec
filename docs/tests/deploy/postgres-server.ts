import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'

/** The programs that an installation of PostgreSQL has, unlike the embedded one. */
const PROGRAMS = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore', 'pg_basebackup', 'pg_verifybackup']
const FOLDERS = ['/usr/lib/postgresql/*/bin', '/opt/homebrew/opt/postgresql@*/bin', '/usr/pgsql-*/bin']
const MIN_VERSION = 15

/**
 * Finds the folder of an installed PostgreSQL with all programs that operators use, the newest version first.
 * The embedded one has only the server.
 */
export function findPostgresPrograms(): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...FOLDERS.flatMap((pattern) => globSync(pattern)),
  ]
  const versions = folders
    .filter((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
    .map((folder) => ({ folder, version: readVersion(folder) }))
    .sort((one, other) => other.version - one.version)
  const [newest] = versions
  return newest !== undefined && newest.version >= MIN_VERSION ? newest.folder : undefined
}

function readVersion(folder: string): number {
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/\d+/.exec(stdout)?.[0] ?? 0)
}

/** A PostgreSQL server with default settings, whose superuser is `postgres`, without passwords. */
export interface PostgresServer {
  readonly port: number
  /** Connection string of a user to a database. */
  getUrl(user: string, database: string): string
  stop(): Promise<void>
}

/** Starts a server with the programs in `folder`. */
export async function startPostgresServer(folder: string): Promise<PostgresServer> {
  const data = mkdtempSync(join(tmpdir(), 'mintmark-postgres-'))
  const account = findAccount()
  if (account !== undefined) chownSync(data, account.uid, account.gid)
  const options = { ...account, cwd: data, encoding: 'utf8' } as const
  const parameters = [
    '--pgdata',
    data,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]
  const created = spawnSync(join(folder, 'initdb'), parameters, options)
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`)
  const port = await findFreePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  const server = spawn(
    join(folder, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, cwd: data, stdio: 'ignore' },
  )
  // A test run that ends early stops no servers itself.
  process.once('exit', () => server.kill('SIGKILL'))
  const getUrl = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const stop = async () => {
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
    rmSync(data, { recursive: true, maxRetries: 3 })
  }
  try {
    await waitUntilReady(getUrl('postgres', 'postgres'), () => server.exitCode === null)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, getUrl, stop }
}

/** The account that runs PostgreSQL, which refuses to run as root. */
function findAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

async function waitUntilReady(url: string, isRunning: () => boolean): Promise<void> {
  let problem: unknown
  while (isRunning()) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      problem = error
    }
  }
  throw new Error('PostgreSQL did not start', { cause: problem })
}

/** Returns a port that no program uses now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
