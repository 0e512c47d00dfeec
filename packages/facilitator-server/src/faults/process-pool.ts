import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type BundledServer, bundleServer, type ServerBundle } from '@mintmark/devkit/bundle-server'
import type { Message, Orders } from './facilitator-process.ts'

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running facilitator. */
export interface RunningFacilitator {
  readonly url: string
  readonly ended: Promise<Ended>
  kill(signal: 'SIGKILL' | 'SIGTERM'): void
}

/** Facilitators in separate processes. A preloaded process serves immediately. */
export interface ProcessPool {
  /** Serves with the given orders. Returns the exit if the process ended before it could be called. */
  start(orders: Orders): Promise<RunningFacilitator | Ended>
  /** Runs a command of the operator. @throws The error of `execFile` if the command fails. */
  runCommand(parameters: readonly string[], env: Readonly<Record<string, string>>): Promise<void>
}

interface LoadedProcess {
  readonly child: ChildProcess
  readonly loaded: Promise<void>
  readonly ended: Promise<Ended>
  /** The end of what the process printed as errors. */
  getErrorOutput(): string
}

const execute = promisify(execFile)

/** Enough for a line about each payment of a run. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** A process lives for about a second: fewer and shorter collections of garbage use less CPU time than more threads. */
const SHORT_LIFE_OPTIONS = ['--single-threaded-gc', '--min-semi-space-size=16']

const server = resolve(import.meta.dirname, '../..')

/** The programs that a run starts. */
const BUNDLE: ServerBundle = {
  server,
  programs: {
    facilitator: join(import.meta.dirname, 'facilitator-process.ts'),
    commands: join(server, 'src', 'cli.ts'),
  },
  functions: { 'ledger/functions': 'ledger/functions', 'events/functions': 'events/functions' },
}

/**
 * Bundles the facilitator and starts its processes.
 *
 * @param spare The number of processes that are loaded in advance: most of a start's time is the loading of modules.
 * @param warmUp Orders of a first process, which ends in order and so stores its compiled code for all others. A killed process stores
 * none.
 */
export async function createProcessPool(
  spare: number,
  warmUp: Orders,
  stops: AsyncDisposableStack,
): Promise<ProcessPool> {
  const programs = await bundleServer(BUNDLE, stops)
  const load = () => loadProcess(programs, stops)
  const first = await serveOrders(load(), warmUp)
  if ('url' in first) first.kill('SIGTERM')
  await ('url' in first ? first.ended : undefined)
  const waiting = Array.from({ length: spare }, load)
  return {
    start(orders) {
      const next = waiting.shift() ?? load()
      waiting.push(load())
      return serveOrders(next, orders)
    },
    async runCommand(parameters, env) {
      await execute(process.execPath, [programs.getScript('commands'), ...parameters], {
        env: { ...process.env, ...env },
        maxBuffer: MAX_OUTPUT_BYTES,
      })
    },
  }
}

async function serveOrders(
  { child, loaded, ended, getErrorOutput }: LoadedProcess,
  orders: Orders,
): Promise<RunningFacilitator | Ended> {
  await loaded
  const url = new Promise<string>((resolve) => {
    child.once('message', (message: Message) => 'url' in message && resolve(message.url))
  })
  child.send(orders)
  const first = await Promise.race([url, ended])
  if (typeof first === 'string') return { url: first, ended, kill: (signal) => child.kill(signal) }
  if (first.signal !== 'SIGKILL') throw new Error(`A facilitator did not start. ${getErrorOutput()}`)
  return first
}

function loadProcess(programs: BundledServer, stops: AsyncDisposableStack): LoadedProcess {
  const child = fork(programs.getScript('facilitator'), {
    execArgv: SHORT_LIFE_OPTIONS,
    env: { ...process.env, NODE_COMPILE_CACHE: programs.cache },
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
  const fail = () => Promise.reject(new Error(`A facilitator could not be loaded. ${errorOutput.trim()}`))
  const loaded = Promise.race([once(child, 'message').then(() => {}), ended.then(fail)])
  // It is awaited when its turn comes, which may be never.
  loaded.catch(() => {})
  return { child, loaded, ended, getErrorOutput: () => errorOutput.trim() }
}
