import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError } from './embedded-account.ts'
import { locateBinaries } from './embedded-binaries.ts'
import { CLUSTER_USER, type Cluster, openCluster } from './embedded-cluster.ts'
import { findHome } from './embedded-home.ts'
import { disownStale, isAlive, type Postmaster, readPostmaster, servesData } from './embedded-postmaster.ts'
import { type EmbeddedPostgresOptions, getLogPath, launchServer } from './embedded-server.ts'
import { hasCode } from './path-exists.ts'

export { EmbeddedPostgresError, type EmbeddedPostgresOptions }

export interface EmbeddedPostgres {
  /** Connection string of a superuser to the cluster's own database. Contains the password. */
  readonly url: string
  /** Whether this call started the server. Otherwise it attached to a running server of the same data. */
  readonly started: boolean
  /** Shuts the server down cleanly if this call started it. Otherwise does nothing. */
  stop(): Promise<void>
}

/** A server that was killed replays its log before it accepts connections. */
const START_TIMEOUT_MS = 60_000

/**
 * Runs PostgreSQL with persistent data below `dataDir`, on 127.0.0.1 and a port of its own.
 *
 * There is one server per data directory: a call attaches to a running one, and of two concurrent calls one
 * starts it. The server lives as long as the process that started it. That process ends it with `stop()`. If
 * the process dies first, even by SIGKILL, a small watcher shuts the server down cleanly. (Windows has no
 * watcher: the next start attaches to the server.) The server has its own session, so that Ctrl-C in a
 * terminal reaches only the parent, which can still use the database during its shutdown.
 *
 * @throws EmbeddedPostgresError when PostgreSQL cannot run. The message says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await findHome(options.dataDir)
  const binaries = await locateBinaries(home)
  const cluster = await openCluster(home, binaries)
  const deadline = Date.now() + START_TIMEOUT_MS

  let problem: unknown
  while (Date.now() < deadline) {
    const running = await readPostmaster(cluster.data)
    if (running !== undefined && running.pid !== process.pid && isAlive(running.pid)) {
      try {
        const url = await attach(running, cluster)
        options.log?.info({ data: cluster.data, port: running.port }, 'attached to the embedded PostgreSQL')
        return { url, started: false, stop: async () => {} }
      } catch (error) {
        // The server, if it is one, is starting or stopping. The next attempt shows which.
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
      await ensureDatabase(server.port, cluster)
    } catch (error) {
      await server.stop()
      throw error
    }
    options.log?.info({ data: cluster.data, port: server.port }, 'started the embedded PostgreSQL')
    return { url: formatAddress(server.port, cluster, CLUSTER_USER), started: true, stop: server.stop }
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL of ${cluster.data} was not ready within ${START_TIMEOUT_MS / 1000} s.`,
    {
      advice: `Its log is ${getLogPath(home)}.`,
      cause: problem,
    },
  )
}

/**
 * Returns the running server's address. Throws when it does not respond, refuses the password, or serves
 * other data.
 */
async function attach(running: Postmaster, cluster: Cluster): Promise<string> {
  if (!running.ready) throw new Error('the server is not ready')
  const data = await ensureDatabase(running.port, cluster)
  if (data !== cluster.data) throw new Error(`the server on port ${running.port} serves ${data}`)
  return formatAddress(running.port, cluster, CLUSTER_USER)
}

/** Creates the cluster's own database if necessary, and returns the server's data folder. */
async function ensureDatabase(port: number, cluster: Cluster): Promise<string> {
  const client = new pg.Client({
    connectionString: formatAddress(port, cluster, 'postgres'),
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {}) // The running query fails with the same error.
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [CLUSTER_USER])
    if (rowCount === 0) {
      await client.query(`create database ${CLUSTER_USER}`).catch((error: unknown) => {
        // Another process that attached concurrently has created it.
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

function formatAddress(port: number, cluster: Cluster, database: string): string {
  return `postgres://${CLUSTER_USER}:${cluster.password}@127.0.0.1:${port}/${database}`
}
