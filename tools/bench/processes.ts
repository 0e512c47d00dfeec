import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@mintmark/server-kit'
import { repositoryRoot } from '../workspace.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { median } from './section.ts'

const execArgv = ['--conditions=@mintmark/source']
const profile = process.env.BENCH_PROFILE
const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []

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
export function startBeside(
  stops: AsyncDisposableStack,
  file: string,
  args: readonly string[] = [],
): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: [...execArgv, ...profiling],
  })
  stops.defer(() => end(child))
  return child
}

/** Waits for the next message of a process. */
export function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('The process ended without a message'))
    child.once('exit', gone)
    child.once('message', (message) => {
      child.off('exit', gone)
      // The caller knows what the process sends.
      resolve(message as Message)
    })
  })
}

/** Starts a server's own command with its log in a file, as in production, and returns its port. BENCH_PROFILE names a folder for CPU profiles. */
export async function startCommand(
  stops: AsyncDisposableStack,
  server: 'gateway' | 'facilitator',
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-log-'))
  stops.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'server.log')
  const log = openSync(file, 'w')
  const cli = join(repositoryRoot, 'packages', `${server}-server`, 'src', 'cli.ts')
  const child = spawn(process.execPath, [...execArgv, ...profiling, cli, 'serve'], {
    env: { ...process.env, ...env, GATEWAY_PORT: '0', FACILITATOR_PORT: '0' },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  stops.defer(() => end(child))
  for (;;) {
    const lines = readFileSync(file, 'utf8')
    const ready = lines.split('\n').find((line) => line.includes('"msg":"ready"'))
    if (ready) return Number(new URL(JSON.parse(ready).url).port)
    if (child.exitCode !== null) throw new Error(`The ${server} did not start: ${lines}`)
    await pause(20)
  }
}

/** Reads the processor seconds that a server has used from its metrics. */
export async function readCpuSeconds(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const [, seconds] = /^process_cpu_seconds_total ([\d.e-]+)/m.exec(text) ?? []
  if (seconds === undefined) throw new Error('The server has no metric process_cpu_seconds_total')
  return Number(seconds)
}

/** The rate and the processor microseconds of each answer in one round. */
export interface Round {
  readonly rate: number
  readonly cost: number
}

/** Sends an order to the process of `load.ts`, and measures the server that it loads. */
export async function measureLoad(
  load: ChildProcess,
  order: LoadOrder,
  readSeconds: () => Promise<number> = () => readCpuSeconds(order.port),
): Promise<Round> {
  const before = await readSeconds()
  load.send(order)
  const report = await nextMessage<LoadReport>(load)
  if (report.failed > 0) {
    throw new Error(
      `${report.failed} of ${report.responses} responses were wrong. The first: ${report.failure}`,
    )
  }
  const used = (await readSeconds()) - before
  return { rate: report.responses / report.seconds, cost: (used * 1e6) / report.responses }
}

/** Median, slowest and fastest rate, and median cost, for a table. */
export function figuresOf(rounds: readonly Round[]): readonly string[] {
  const rates = rounds.map(({ rate }) => rate)
  const cost = median(rounds.map((each) => each.cost))
  return [median(rates), Math.min(...rates), Math.max(...rates), cost].map((value) => value.toFixed(0))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
