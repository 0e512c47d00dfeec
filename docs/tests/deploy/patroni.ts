import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findFreePort } from '../free-port.ts'
import { findAccount, findPostgresPrograms } from './postgres-server.ts'
import { createFolder, end, findProgram } from './proxies.ts'

const programs = {
  patroni: findProgram('patroni') ?? '',
  etcd: findProgram('etcd') ?? '',
  haproxy: findProgram('haproxy') ?? '',
  postgres: findPostgresPrograms() ?? '',
}

/** The programs of a pair that this machine lacks. `.ci/run` installs them. */
export const missingPrograms = Object.entries(programs).flatMap(([name, path]) => (path ? [] : [name]))

/** Times that a test can wait for. Those of the guide suit machines that respond slowly. */
const SHORT_TIMES = { ttl: 5, loop_wait: 1, retry_timeout: 3 }
const RESPONSE_TIMEOUT_MS = 2000
const REPEAT_MS = 100
const PASSWORD = 'secret'

/** The states of a node: the addresses of Patroni's HTTP API that respond with 200. */
type State = 'primary' | 'sync'

/** A PostgreSQL server under Patroni. */
export interface PatroniNode {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  /** Connection string of a user to a database of this node, whatever it is. */
  getUrl(user: string, database: string): string
  isIn(state: State): Promise<boolean>
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void
  /** Kills Patroni and PostgreSQL, as the loss of a machine does. Their files stay. */
  kill(): Promise<void>
  /** Suspends Patroni alone, and PostgreSQL continues, as when a machine has too little memory. */
  suspendPatroni(): void
  resumePatroni(): void
  /** Makes the other node the primary, as before a maintenance. */
  switchOver(): Promise<void>
}

/** Two nodes, of which one is the primary. */
export interface PatroniPair {
  /** Connection string of a user to a database of the primary, through HAProxy. */
  getUrl(user: string, database: string): string
  /** The same for the standby. */
  getReadUrl(user: string, database: string): string
  /** Waits until one node is the primary, and the other one has all of its commits. */
  waitUntilComplete(): Promise<{ readonly primary: PatroniNode; readonly standby: PatroniNode }>
}

/** Starts etcd, two PostgreSQL servers under Patroni, and HAProxy, with the files of the guide. */
export async function startPatroniPair(stops: AsyncDisposableStack): Promise<PatroniPair> {
  const etcd = `127.0.0.1:${await startEtcd(stops)}`
  const one = await createNode(stops, { name: 'one', etcd })
  const two = await createNode(stops, { name: 'two', etcd })
  one.start()
  await expect.poll(() => one.isIn('primary')).toBe(true)
  two.start()
  const { port, readPort } = await startHaproxy(stops, [one, two])
  return {
    getUrl: (user, database) => getUrl(port, user, database),
    getReadUrl: (user, database) => getUrl(readPort, user, database),
    async waitUntilComplete() {
      for (;;) {
        if ((await one.isIn('primary')) && (await two.isIn('sync'))) return { primary: one, standby: two }
        if ((await two.isIn('primary')) && (await one.isIn('sync'))) return { primary: two, standby: one }
        await pause(REPEAT_MS)
      }
    },
  }
}

const getUrl = (port: number, user: string, database: string) =>
  `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`

const readFile = (file: string) => readFileSync(join(repositoryRoot, 'docs/deploy', file), 'utf8')

/** Starts a program, which ends with the test run. Its output is added to the file that `PATRONI_LOG` names. */
function startProgram(path: string, parameters: readonly string[], options: object = {}): ChildProcess {
  const { PATRONI_LOG } = process.env
  const output = PATRONI_LOG === undefined ? 'ignore' : openSync(PATRONI_LOG, 'a')
  const child = spawn(path, parameters, { ...options, stdio: ['ignore', output, output] })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

async function startEtcd(stops: AsyncDisposableStack): Promise<number> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  const client = `http://127.0.0.1:${port}`
  const parameters = [
    ['data-dir', createFolder(stops, 'etcd')],
    ['listen-client-urls', client],
    ['advertise-client-urls', client],
    ['listen-peer-urls', `http://127.0.0.1:${peerPort}`],
    ['enable-v2', 'true'],
    ['logger', 'zap'],
  ]
  const child = startProgram(
    programs.etcd,
    parameters.map(([name, value]) => `--${name}=${value}`),
  )
  stops.defer(() => end(child, 'SIGKILL'))
  await expect.poll(() => responds(`${client}/health`)).toBe(true)
  return port
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
    await response.text()
    return response.ok
  } catch {
    // Patroni is suspended or has ended.
    return false
  }
}

async function createNode(
  stops: AsyncDisposableStack,
  { name, etcd }: { readonly name: string; readonly etcd: string },
): Promise<PatroniNode> {
  const folder = createFolder(stops, 'patroni')
  const account = findAccount()
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const [port, apiPort] = [await findFreePort(), await findFreePort()]
  // Patroni has no TLS between the processes of one machine.
  const site = parse(
    readFile('patroni.yml')
      .replaceAll('10.0.0.21:8008', `127.0.0.1:${apiPort}`)
      .replaceAll('10.0.0.21:5432', `127.0.0.1:${port}`)
      .replace(/10\.0\.0\.31:2379.*/, etcd)
      .replaceAll(/password-of-\w+/g, PASSWORD)
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replaceAll('hostssl', 'host')
      .replaceAll(/^ *ssl.*\n/gm, ''),
  )
  Object.assign(site, { name })
  Object.assign(site.bootstrap.dcs, SHORT_TIMES)
  Object.assign(site.postgresql, {
    data_dir: data,
    bin_dir: programs.postgres,
    pgpass: join(folder, 'pgpass'),
  })
  site.postgresql.parameters = { unix_socket_directories: folder, dynamic_shared_memory_type: 'mmap' }
  const file = join(folder, 'patroni.yml')
  writeFileSync(file, stringify(site))
  let patroni: ChildProcess | undefined
  const killPostgres = () => killServer(data)
  process.once('exit', killPostgres)
  const kill = async () => {
    if (patroni !== undefined) await end(patroni, 'SIGKILL')
    killPostgres()
    await expect.poll(() => findPostmaster(data)).toBe(undefined)
  }
  stops.defer(kill)
  const api = `http://127.0.0.1:${apiPort}`
  return {
    name,
    port,
    apiPort,
    getUrl: (user, database) => getUrl(port, user, database),
    isIn: (state) => responds(`${api}/${state}`),
    start() {
      patroni = startProgram(programs.patroni, [file], { ...account, cwd: folder })
    },
    kill,
    suspendPatroni: () => void patroni?.kill('SIGSTOP'),
    resumePatroni: () => void patroni?.kill('SIGCONT'),
    async switchOver() {
      const response = await fetch(`${api}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: name }),
      })
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    },
  }
}

/** Finds the first process of the PostgreSQL server with this data, which is no child of Patroni. */
function findPostmaster(data: string): string | undefined {
  const lock = join(data, 'postmaster.pid')
  const [pid = ''] = existsSync(lock) ? readFileSync(lock, 'utf8').split('\n') : []
  const commandLine = `/proc/${pid}/cmdline`
  // A killed server leaves its file.
  return pid !== '' && existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(data)
    ? pid
    : undefined
}

/** Kills all processes of a PostgreSQL server, so that none confirms what it has begun. */
function killServer(data: string): void {
  const postmaster = findPostmaster(data)
  if (postmaster === undefined) return
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      // The process has ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Starts HAProxy, and returns its ports: of the primary, and of the standby. */
async function startHaproxy(
  stops: AsyncDisposableStack,
  nodes: readonly PatroniNode[],
): Promise<{ readonly port: number; readonly readPort: number }> {
  const [port, readPort] = [await findFreePort(), await findFreePort()]
  let site = readFile('haproxy-postgresql.cfg')
    .replace(/^ *(?:user|group|log|option tcplog)\b.*\n/gm, '')
    .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:5433', `bind 127.0.0.1:${readPort}`)
    .replace('check port 8008', 'check')
  for (const [index, node] of nodes.entries())
    site = site.replaceAll(`10.0.0.2${index + 1}:5432`, `127.0.0.1:${node.port} port ${node.apiPort}`)
  const file = join(createFolder(stops, 'haproxy'), 'haproxy.cfg')
  writeFileSync(file, site)
  const child = startProgram(programs.haproxy, ['-db', '-dW', '-f', file])
  stops.defer(() => end(child, 'SIGTERM'))
  return { port, readPort }
}
