import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { EmbeddedPostgresError } from './embedded-account.ts'
import { locateBinaries } from './embedded-binaries.ts'
import { type Cluster, clusterUser, openCluster } from './embedded-cluster.ts'
import { findHome } from './embedded-home.ts'
import { disownStale, isAlive, type Postmaster, readPostmaster, servesData } from './embedded-postmaster.ts'
import { launchServer, logPath } from './embedded-server.ts'
import { hasCode } from './path-exists.ts'

export { EmbeddedPostgresError }

export interface EmbeddedPostgresOptions {
  /** Where Mintmark keeps its files; the database goes to `postgres` below it. Made where it is missing. */
  readonly dataDir: string
  /** Hears where the data lies and whether a server was started or found. */
  readonly log?: Pick<Logger, 'info' | 'error'>
  /** More server settings, such as `{ fsync: 'off' }` for a test; they count when this call starts the server. */
  readonly settings?: Readonly<Record<string, string>>
  /** Remove `dataDir` once the server that this call started has ended, also when this process was killed. */
  readonly disposable?: boolean
}

export interface EmbeddedPostgres {
  /** Connection string of a superuser to the cluster's own database. Holds the password. */
  readonly url: string
  /** Whether this call started the server; otherwise one was running for the same data, and was attached to. */
  readonly started: boolean
  /** Ends the server if this call started it, finishing its work on disk; otherwise does nothing. */
  stop(): Promise<void>
}

// A server that was killed replays its log before it answers.
const patience = 60_000

/**
 * Runs a real PostgreSQL below `dataDir`, with its data kept from start to start, on 127.0.0.1 and a port of its own.
 *
 * One server a data directory: if one is running, whoever started it, this attaches to it; of two calls at once, one
 * starts it and the other attaches. A server lives as long as the process that started it. That process ends it by
 * `stop()`; should it die first, even by SIGKILL, a small watcher ends the server as cleanly, so nothing is left
 * running (on Windows, where there is no watcher, the next start attaches to it). The server has a session of its
 * own: a Ctrl-C in the terminal reaches the parent only, which may still use its database while it shuts down.
 *
 * @throws EmbeddedPostgresError where it cannot run; the message says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await findHome(options.dataDir)
  const binaries = await locateBinaries(home.account)
  const cluster = await openCluster(home, binaries)
  const deadline = Date.now() + patience

  let problem: unknown
  while (Date.now() < deadline) {
    const running = await readPostmaster(cluster.data)
    if (running !== undefined && running.pid !== process.pid && isAlive(running.pid)) {
      try {
        const url = await attach(running, cluster)
        options.log?.info({ data: cluster.data, port: running.port }, 'attached to the embedded PostgreSQL')
        return { url, started: false, stop: async () => {} }
      } catch (error) {
        // Coming up or going down, if it is a server; whether it will pass is seen by asking again.
        problem = error
      }
      if (await servesData(running.pid, cluster.data)) {
        await pause(20)
        continue
      }
      await disownStale(cluster.data, running)
    }

    const server = await launchServer(home, binaries, cluster, options)
    if (server === undefined) {
      await pause(50)
      continue
    }
    try {
      await ownDatabase(server.port, cluster)
    } catch (error) {
      await server.stop()
      throw error
    }
    options.log?.info({ data: cluster.data, port: server.port }, 'started the embedded PostgreSQL')
    return { url: address(server.port, cluster, clusterUser), started: true, stop: server.stop }
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL of ${cluster.data} was not ready within ${patience / 1000} s.`,
    {
      advice: `Its log is ${logPath(home)}.`,
      cause: problem,
    },
  )
}

/** The running server's address. Fails where it does not answer, refuses our password, or serves other data. */
async function attach(running: Postmaster, cluster: Cluster): Promise<string> {
  if (!running.ready) throw new Error('the server is not ready')
  const data = await ownDatabase(running.port, cluster)
  if (data !== cluster.data) throw new Error(`the server on port ${running.port} serves ${data}`)
  return address(running.port, cluster, clusterUser)
}

/** Sees to the cluster's own database, and answers the server's data folder. */
async function ownDatabase(port: number, cluster: Cluster): Promise<string> {
  const client = new pg.Client({
    connectionString: address(port, cluster, 'postgres'),
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {}) // The query in hand fails with the same error.
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [clusterUser])
    if (rowCount === 0) {
      await client.query(`create database ${clusterUser}`).catch((error: unknown) => {
        // Another process that attached at the same time made it.
        if (!hasCode(error, '42P04', '23505')) throw error
      })
    }
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    return rows[0]?.folder ?? ''
  } finally {
    await client.end()
  }
}

function address(port: number, cluster: Cluster, database: string): string {
  return `postgres://${clusterUser}:${cluster.password}@127.0.0.1:${port}/${database}`
}
