import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { BundledServer } from './bundle-server.ts'
import type { Message } from './served-process.ts'

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A server in a process of its own. */
export interface RunningProcess {
  readonly url: string
  readonly ended: Promise<Ended>
  kill(signal: 'SIGKILL' | 'SIGTERM'): void
}

/** Servers in separate processes. A preloaded process serves immediately. */
export interface ProcessPool<Orders> {
  /** Serves with the given orders. Returns the exit if the process was killed before it could be called. */
  start(orders: Orders): Promise<RunningProcess | Ended>
}

interface LoadedProcess {
  readonly child: ChildProcess
  readonly loaded: Promise<void>
  readonly ended: Promise<Ended>
  /** The end of what the process printed as errors. */
  getErrorOutput(): string
}

interface PoolOptions<Orders> {
  readonly bundle: BundledServer
  /** The name of a program of the bundle, which calls `runOrders`. */
  readonly program: string
  /** The number of processes that are loaded in advance: most of a start's time is the loading of modules. */
  readonly spare: number
  /**
   * Orders of a first process, which ends in order and so stores its compiled code for all others. A killed
   * process stores none. Default: no such process.
   */
  readonly warmUp?: Orders
}

/**
 * A process lives for about a second: fewer and shorter collections of garbage use less CPU time than more
 * threads.
 */
const SHORT_LIFE_OPTIONS = ['--single-threaded-gc', '--min-semi-space-size=16']

/** Starts processes of a bundled program. `stops` kills those that are left. */
export async function createProcessPool<Orders extends object>(
  { bundle, program, spare, warmUp }: PoolOptions<Orders>,
  stops: AsyncDisposableStack,
): Promise<ProcessPool<Orders>> {
  const load = () => loadProcess(bundle, program, stops)
  if (warmUp !== undefined) {
    const first = await serveOrders(load(), warmUp)
    if ('url' in first) first.kill('SIGTERM')
    await waitForEnd(first)
  }
  const waiting = Array.from({ length: spare }, load)
  return {
    start(orders) {
      const next = waiting.shift() ?? load()
      waiting.push(load())
      return serveOrders(next, orders)
    },
  }
}

/** Waits until a started process has ended. */
export async function waitForEnd(started: RunningProcess | Ended): Promise<Ended> {
  return 'url' in started ? await started.ended : started
}

async function serveOrders(
  { child, loaded, ended, getErrorOutput }: LoadedProcess,
  orders: object,
): Promise<RunningProcess | Ended> {
  await loaded
  const url = new Promise<string>((resolve) => {
    child.once('message', (message: Message) => 'url' in message && resolve(message.url))
  })
  child.send(orders)
  const first = await Promise.race([url, ended])
  if (typeof first === 'string') return { url: first, ended, kill: (signal) => child.kill(signal) }
  if (first.signal !== 'SIGKILL') throw new Error(`A server did not start. ${getErrorOutput()}`)
  return first
}

function loadProcess(bundle: BundledServer, program: string, stops: AsyncDisposableStack): LoadedProcess {
  const child = fork(bundle.getScript(program), {
    execArgv: SHORT_LIFE_OPTIONS,
    env: { ...process.env, NODE_COMPILE_CACHE: bundle.cache },
    stdio: ['ignore', process.env.MINTMARK_FAULTS_LOG ? 'inherit' : 'ignore', 'pipe', 'ipc'],
  })
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString()).slice(-4000)
  })
  const ended = once(child, 'exit').then(([code, signal]): Ended => ({ code, signal }))
  stops.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const fail = () => Promise.reject(new Error(`A server could not be loaded. ${errorOutput.trim()}`))
  const loaded = Promise.race([once(child, 'message').then(() => {}), ended.then(fail)])
  // It is awaited when its turn comes, which may be never.
  loaded.catch(() => {})
  return { child, loaded, ended, getErrorOutput: () => errorOutput.trim() }
}
