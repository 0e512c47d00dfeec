import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '../free-port.ts'

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
  /** Kills the server as a crash does. Its data stays. */
  kill(): Promise<void>
  /** Starts the server again after `kill`. */
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

export interface PostgresServerOptions {
  /** The server whose changes this one copies. */
  readonly standbyOf?: PostgresServer
}

/** Starts a server with the programs in `folder`. */
export async function startPostgresServer(
  folder: string,
  { standbyOf }: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const data = mkdtempSync(join(tmpdir(), 'mintmark-postgres-'))
  const account = findAccount()
  if (account !== undefined) chownSync(data, account.uid, account.gid)
  createData(folder, data, standbyOf)
  const port = await findFreePort()
  const getUrl = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const start = async () => {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
    const started = spawn(
      join(folder, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...account, cwd: data, stdio: 'ignore' },
    )
    await waitUntilReady(getUrl('postgres', 'postgres'), () => started.exitCode === null).catch(
      async (error: unknown) => {
        await end(started, 'SIGINT')
        throw error
      },
    )
    return started
  }
  let server = await start()
  // A test run that ends early stops no servers itself.
  process.once('exit', () => server.kill('SIGKILL'))
  return {
    port,
    getUrl,
    kill: () => end(server, 'SIGKILL'),
    async restart() {
      server = await start()
    },
    async stop() {
      await end(server, 'SIGINT')
      rmSync(data, { recursive: true, maxRetries: 3 })
    },
  }
}

/** Creates the files of a server: those of a new one, or a copy of another one that follows its changes. */
function createData(folder: string, data: string, standbyOf: PostgresServer | undefined): void {
  const options = { ...findAccount(), cwd: data, encoding: 'utf8' } as const
  const [program, parameters] =
    standbyOf === undefined
      ? ['initdb', ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C']]
      : [
          'pg_basebackup',
          [
            `--dbname=${standbyOf.getUrl('postgres', 'postgres')}?application_name=standby`,
            '--write-recovery-conf',
            '--checkpoint=fast',
          ],
        ]
  const created = spawnSync(join(folder, program), ['--pgdata', data, ...parameters], options)
  if (created.status !== 0) throw new Error(`${program} failed: ${created.stderr}`)
}

/** Ends a server with a signal, unless it has ended. */
async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

/** The account that runs PostgreSQL, which refuses to run as root. */
export function findAccount(): { uid: number; gid: number } | undefined {
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
