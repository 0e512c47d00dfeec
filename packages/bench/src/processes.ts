import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@mintmark/sandbox/postgres'

/** Names a folder for CPU profiles of all processes. */
const profile = process.env.BENCH_PROFILE
const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
const execArgv = ['--conditions=@mintmark/source', ...profiling]

/** Starts PostgreSQL as in production: a commit has reached the disk. */
export async function startDatabase(stops: AsyncDisposableStack): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  // As root, PostgreSQL runs under another account, which must reach the folder.
  await chmod(dataDir, 0o755)
  const { url, stop } = await startEmbeddedPostgres({ dataDir, disposable: true })
  stops.defer(stop)
  return url
}

/** Runs a file of this folder as a process that ends with this one. */
export function startChild(
  stops: AsyncDisposableStack,
  file: string,
  parameters: readonly string[] = [],
): ChildProcess {
  const child = fork(join(import.meta.dirname, file), parameters, { execArgv })
  stops.defer(() => stopChild(child))
  return child
}

/** Runs a file of this folder that serves with `serveParent`, and returns its port. */
export function startChildServer(
  stops: AsyncDisposableStack,
  file: string,
  parameters: readonly string[] = [],
): Promise<number> {
  return nextMessage<number>(startChild(stops, file, parameters))
}

/** Waits for the next message of a process. */
export function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The process ended without a message'))
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      // The caller knows what the process sends.
      resolve(message as Message)
    })
  })
}

/** The token with which the servers serve their metrics. */
export const METRICS_TOKEN = 'a-token-for-the-metrics'

/**
 * Starts a server's own command without rate limits and with its log in a file, as in production. Returns its
 * port.
 */
export async function startServer(
  stops: AsyncDisposableStack,
  server: 'gateway' | 'facilitator',
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-log-'))
  stops.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'server.log')
  const log = openSync(file, 'w')
  const cli = fileURLToPath(new URL('cli.ts', import.meta.resolve(`@mintmark/${server}-server`)))
  const limits = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' }
  const child = spawn(process.execPath, [...execArgv, cli, 'serve'], {
    env: {
      ...process.env,
      ...limits,
      ...settings,
      GATEWAY_PORT: '0',
      FACILITATOR_PORT: '0',
      METRICS_TOKEN,
    },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  stops.defer(() => stopChild(child))
  for (;;) {
    const lines = readFileSync(file, 'utf8')
    const ready = lines.split('\n').find((line) => line.includes('"msg":"ready"'))
    if (ready) return Number(new URL(JSON.parse(ready).url).port)
    if (child.exitCode !== null) throw new Error(`The ${server} did not start: ${lines}`)
    await pause(20)
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
