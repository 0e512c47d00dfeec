import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from '@mintmark/server-kit'
import { EmbeddedPostgresError } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import { type Cluster, runAs } from './embedded-cluster.ts'
import type { Home } from './embedded-home.ts'
import { readPostmaster } from './embedded-postmaster.ts'
import { hasCode } from './path-exists.ts'

export interface EmbeddedPostgresOptions {
  /** The folder of Mintmark's files. The database is in `postgres` below it. Created when missing. */
  readonly dataDir: string
  /** Logs the folder of the data, and whether a server was started or attached to. */
  readonly log?: Pick<Logger, 'info' | 'error'>
  /**
   * Further server settings, such as `{ fsync: 'off' }` for a test. Used when this call starts the server.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** Removes `dataDir` after the server that this call started has ended, even if this process was killed. */
  readonly disposable?: boolean
}

/** A server that this process started. */
export interface Server {
  readonly port: number
  /** Shuts the server down after it has written its data. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts the server of a cluster and waits until it accepts connections.
 *
 * @returns undefined when another process's server came first, or when a retry can succeed.
 * @throws EmbeddedPostgresError with the server's own message when it does not start.
 */
export async function launchServer(
  home: Home,
  binaries: Binaries,
  cluster: Cluster,
  options: EmbeddedPostgresOptions,
): Promise<Server | undefined> {
  const port = await choosePort(home)
  const log = await openLog(home)
  const logStart = (await log.stat()).size
  const child = await spawnServer(home, binaries, cluster, { log, port, settings: options.settings })
  child.unref()
  const release = startWatcher(child, cluster, options)
  if (!(await waitUntilReady(child, cluster))) {
    release()
    await explainExit(home, logStart)
    return undefined
  }

  let ended: Promise<void> | undefined
  child.once('exit', (code, signal) => {
    if (!ended)
      options.log?.error({ data: cluster.data, code, signal }, 'the embedded PostgreSQL ended unexpectedly')
  })
  const stop = async () => {
    await stopServer(child, cluster, binaries, home)
    if (options.disposable) {
      await rm(home.folder, { recursive: true, force: true })
      await rm(options.dataDir, { recursive: true, force: true })
    }
    release()
  }
  return {
    port,
    stop() {
      ended ??= stop()
      return ended
    },
  }
}

interface SpawnOptions {
  readonly log: FileHandle
  readonly port: number
  readonly settings: EmbeddedPostgresOptions['settings']
}

async function spawnServer(
  home: Home,
  binaries: Binaries,
  cluster: Cluster,
  { log, port, settings: extraSettings }: SpawnOptions,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    // The path of a socket is limited to about a hundred characters, which a data directory can exceed.
    unix_socket_directories: '',
    port: String(port),
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...extraSettings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', cluster.data, ...flags], {
    ...runAs(home.account),
    cwd: cluster.data,
    detached: true,
    windowsHide: true,
    // A file, not a pipe: the server still writes for a moment after its parent has died.
    stdio: ['ignore', log.fd, log.fd],
  })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL could not be started as ${home.account?.name ?? 'this user'}.`,
      { cause },
    )
  } finally {
    await log.close()
  }
  return child
}

/** A start truncates a log that is larger. */
const MAX_LOG_BYTES = 10_000_000

async function openLog(home: Home): Promise<FileHandle> {
  const log = await open(getLogPath(home), 'a', 0o600)
  if (home.account) await log.chown(home.account.uid, home.account.gid)
  if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate(0)
  return log
}

async function waitUntilReady(child: ChildProcess, cluster: Cluster): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const running = await readPostmaster(cluster.data)
    if (running?.pid === child.pid && running?.ready) return true
    await pause(10)
  }
  return false
}

/**
 * Returns when a retry can succeed, and throws otherwise. Reads the server's log, which is in English because
 * of LC_ALL.
 */
async function explainExit(home: Home, logStart: number): Promise<void> {
  const output = (await readFile(getLogPath(home))).subarray(logStart).toString('utf8')
  // Another server came first, or the processes of a killed one have not ended yet.
  if (/lock file .* already exists|pre-existing shared memory block/.test(output)) return
  if (/could not bind|could not create any TCP\/IP sockets/.test(output))
    return await rm(getPortPath(home), { force: true })
  throw new EmbeddedPostgresError(
    `PostgreSQL ended while starting. Its output:\n${output.trim().slice(-2000)}`,
    {
      advice: `The complete log is ${getLogPath(home)}.`,
    },
  )
}

// When this process ends, in whatever way, the system closes its end of the pipe and `read` returns. The
// process id is compared with the server's own file, because ids of ended processes are reused.
const WATCHER_SCRIPT = `
read -r word
[ "$word" = released ] && exit
read -r pid < "$2/postmaster.pid" && [ "$pid" = "$1" ] && kill -INT "$1"
[ -n "$3" ] || exit
for i in 1 2 3 4 5 6 7 8 9 10; do [ ! -e "$2/postmaster.pid" ] || sleep 1; done
rm -rf "$3" "$4"
`

/**
 * Ends the server when this process dies. Returns a function that ends the watcher after an ordinary
 * shutdown.
 */
function startWatcher(server: ChildProcess, cluster: Cluster, options: EmbeddedPostgresOptions): () => void {
  if (platform() === 'win32') return () => {}
  const removed = options.disposable ? [resolve(options.dataDir), dirname(dirname(cluster.data))] : []
  const child = spawn(
    '/bin/sh',
    ['-c', WATCHER_SCRIPT, 'watcher', String(server.pid), cluster.data, ...removed],
    {
      detached: true,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  child.unref()
  // Without a shell there is no watcher: the server outlives this process and the next start attaches to it.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  // The pipe is a socket, which would keep this process alive.
  if (child.stdin instanceof Socket) child.stdin.unref()
  return () => child.stdin.end('released\n')
}

async function stopServer(
  child: ChildProcess,
  cluster: Cluster,
  binaries: Binaries,
  home: Home,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exit = once(child, 'exit')
  // PostgreSQL's "fast" shutdown, which does not wait for clients to leave.
  if (platform() === 'win32') {
    await promisify(execFile)(binaries.pgCtl, ['stop', '-m', 'fast', '-D', cluster.data], runAs(home.account))
  } else child.kill('SIGINT')
  await exit
}

/** Returns the port of the last start, so that stored addresses stay valid, or a free one if it is taken. */
async function choosePort(home: Home): Promise<number> {
  const path = getPortPath(home)
  const last = await readFile(path, 'utf8').then(Number, (error: unknown) => {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  })
  const port = (last > 0 && (await findFreePort(last))) || (await findFreePort(0))
  if (port === undefined) throw new EmbeddedPostgresError('No port is free on 127.0.0.1.')
  if (port !== last) {
    await writeFile(`${path}.${process.pid}`, String(port))
    await rename(`${path}.${process.pid}`, path)
  }
  return port
}

async function findFreePort(candidate: number): Promise<number | undefined> {
  const probe = createServer()
  try {
    probe.listen(candidate, '127.0.0.1')
    await once(probe, 'listening')
    const address = probe.address()
    probe.close()
    await once(probe, 'close')
    return address !== null && typeof address === 'object' ? address.port : undefined
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE', 'EACCES')) return undefined
    throw error
  }
}

/** The path of the server's log. */
export const getLogPath = (home: Home): string => join(home.folder, 'server.log')

const getPortPath = (home: Home): string => join(home.folder, 'port')
