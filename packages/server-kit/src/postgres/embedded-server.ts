import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { EmbeddedPostgresOptions } from './embedded.ts'
import { EmbeddedPostgresError } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import { type Cluster, runAs } from './embedded-cluster.ts'
import type { Home } from './embedded-home.ts'
import { readPostmaster } from './embedded-postmaster.ts'
import { hasCode } from './path-exists.ts'

/** A server that this process started. */
export interface Server {
  readonly port: number
  /** Ends it: connections are closed, what was committed is on disk. Any number of calls do it once. */
  stop(): Promise<void>
}

/**
 * Starts the server of a cluster and waits until it takes connections.
 *
 * @returns undefined if another process's server came first, or if what was in the way passes by trying again.
 * @throws EmbeddedPostgresError with the server's own words where it does not come up.
 */
export async function launchServer(
  home: Home,
  binaries: Binaries,
  cluster: Cluster,
  options: EmbeddedPostgresOptions,
): Promise<Server | undefined> {
  const port = await choosePort(home)
  const log = await openLog(home)
  const begin = (await log.stat()).size
  const settings = {
    listen_addresses: '127.0.0.1',
    // A socket's path may have some hundred characters only, which a data directory's can exceed.
    unix_socket_directories: '',
    port: String(port),
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', cluster.data, ...flags], {
    ...runAs(home.account),
    cwd: cluster.data,
    detached: true,
    windowsHide: true,
    // A file, not a pipe: the server goes on writing for a moment when its parent is gone.
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
  child.unref()

  const release = watch(child, cluster, options)
  if (!(await becomesReady(child, cluster))) {
    release()
    await explainExit(home, begin)
    return undefined
  }

  let ended: Promise<void> | undefined
  child.once('exit', (code, signal) => {
    if (!ended)
      options.log?.error({ data: cluster.data, code, signal }, 'the embedded PostgreSQL ended by itself')
  })
  const stop = async () => {
    await end(child, cluster, binaries, home)
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

// Beyond this many bytes a start begins the log anew.
const logLimit = 10_000_000

async function openLog(home: Home): Promise<FileHandle> {
  const log = await open(logPath(home), 'a', 0o600)
  if (home.account) await log.chown(home.account.uid, home.account.gid)
  if ((await log.stat()).size > logLimit) await log.truncate(0)
  return log
}

async function becomesReady(child: ChildProcess, cluster: Cluster): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const running = await readPostmaster(cluster.data)
    if (running?.pid === child.pid && running?.ready) return true
    await pause(10)
  }
  return false
}

/** Tells what will pass from what will not by the log's words, which are English by the environment we set. */
async function explainExit(home: Home, begin: number): Promise<void> {
  const said = (await readFile(logPath(home))).subarray(begin).toString('utf8')
  // Another server came first, or the processes of one that was killed are about to notice and end.
  if (/lock file .* already exists|pre-existing shared memory block/.test(said)) return
  if (/could not bind|could not create any TCP\/IP sockets/.test(said))
    return await rm(portPath(home), { force: true })
  throw new EmbeddedPostgresError(`PostgreSQL ended while starting. It said:\n${said.trim().slice(-2000)}`, {
    advice: `The whole log is ${logPath(home)}.`,
  })
}

// When our process ends, in whatever way, the system closes its end of the pipe, and `read` returns. The number is
// compared with the server's own note, because numbers of processes that ended are given away again.
const watcher = `
read -r word
[ "$word" = released ] && exit
read -r pid < "$2/postmaster.pid" && [ "$pid" = "$1" ] && kill -INT "$1"
[ -n "$3" ] || exit
for i in 1 2 3 4 5 6 7 8 9 10; do [ ! -e "$2/postmaster.pid" ] || sleep 1; done
rm -rf "$3" "$4"
`

/** Ends the server when this process dies. Answers a function to call once it ended in the ordinary way. */
function watch(server: ChildProcess, cluster: Cluster, options: EmbeddedPostgresOptions): () => void {
  if (platform() === 'win32') return () => {}
  const removed = options.disposable ? [resolve(options.dataDir), dirname(dirname(cluster.data))] : []
  const child = spawn('/bin/sh', ['-c', watcher, 'watcher', String(server.pid), cluster.data, ...removed], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  // Without a shell the server still runs; it is then found by the next start instead of ending with this process.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  // The pipe is a socket, which would keep this process going.
  if (child.stdin instanceof Socket) child.stdin.unref()
  return () => child.stdin.end('released\n')
}

async function end(child: ChildProcess, cluster: Cluster, binaries: Binaries, home: Home): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exit = once(child, 'exit')
  // PostgreSQL's "fast" shutdown, which does not wait for clients to leave.
  if (platform() === 'win32') {
    await promisify(execFile)(binaries.pgCtl, ['stop', '-m', 'fast', '-D', cluster.data], runAs(home.account))
  } else child.kill('SIGINT')
  await exit
}

/** The port of the last start, so that an address noted elsewhere stays good, or a free one if that is taken. */
async function choosePort(home: Home): Promise<number> {
  const path = portPath(home)
  const last = await readFile(path, 'utf8').then(Number, (error: unknown) => {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  })
  const port = (last > 0 && (await freePort(last))) || (await freePort(0))
  if (port === undefined) throw new EmbeddedPostgresError('No port is free on 127.0.0.1.')
  if (port !== last) {
    await writeFile(`${path}.${process.pid}`, String(port))
    await rename(`${path}.${process.pid}`, path)
  }
  return port
}

async function freePort(wanted: number): Promise<number | undefined> {
  const probe = createServer()
  try {
    probe.listen(wanted, '127.0.0.1')
    await once(probe, 'listening')
    const at = probe.address()
    probe.close()
    await once(probe, 'close')
    return at !== null && typeof at === 'object' ? at.port : undefined
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE', 'EACCES')) return undefined
    throw error
  }
}

/** Where a home's server writes its log. */
export const logPath = (home: Home): string => join(home.folder, 'server.log')

const portPath = (home: Home): string => join(home.folder, 'port')
